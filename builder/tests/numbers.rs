//! Numbers from texts in C: the builder's functions against those of this machine's C library, on random texts. A failure prints the seed.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use beryl_testing::{Draw, SplitMix64};

/// For each line, a base and a text: both answers, and how much of the text both have read.
const DRIVER: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
long beryl_strtol(const char *, char **, int);
long long beryl_strtoll(const char *, char **, int);
unsigned long long beryl_strtoull(const char *, char **, int);
static int between(long long value) {
    return value > 2147483647 ? 2147483647 : value < -2147483647 - 1 ? -2147483647 - 1 : (int)value;
}
int main(void) {
    char line[128];
    int wrong = 0, all = 0;
    for (; fgets(line, sizeof line, stdin) != 0; all++) {
        line[strcspn(line, "\n")] = 0;
        const int base = (line[0] - '0') * 10 + (line[1] - '0');
        const char *text = line + 2;
        char *ends[5];
        const long long own = beryl_strtoll(text, &ends[0], base), theirs = strtoll(text, &ends[1], base);
        const unsigned long long positive = beryl_strtoull(text, &ends[2], base), other = strtoull(text, &ends[3], base);
        const long narrow = beryl_strtol(text, &ends[4], base);
        if (own != theirs || positive != other || narrow != between(theirs) || ends[0] != ends[1] || ends[2] != ends[3] || ends[4] != ends[1]) {
            if (wrong < 10) printf("base %d, \"%s\": %lld, %llu, %ld, and %lld, %llu there\n", base, text, own, positive, narrow, theirs, other);
            wrong++;
        }
    }
    printf("%d of %d\n", wrong, all);
}
"#;

/// A text that has something of a number.
fn text(random: &mut SplitMix64) -> String {
    let one_of = |random: &mut SplitMix64, all: &[&str]| all[random.below(all.len())].to_owned();
    let mut text = one_of(random, &["", "", " ", "\t ", "x"]) + &one_of(random, &["", "", "-", "+", "--"]);
    text += &one_of(random, &["", "", "0", "0x", "0X", "00"]);
    if random.below(4) == 0 {
        // What just fits, and what just doesn't.
        let limit = [1_u128 << 31, 1 << 32, 1 << 63, 1 << 64][random.below(4)];
        text += &(limit + random.below(4) as u128 - 2).to_string();
    } else {
        let letters: Vec<char> = "0123456789019abcdefxyzABCZ".chars().collect();
        let count = random.below(26);
        text.extend((0..count).map(|_| letters[random.below(letters.len())]));
    }
    text + &one_of(random, &["", " ", "g7", "."])
}

#[test]
fn numbers_in_random_texts_are_those_of_the_c_library() {
    const SEED: u64 = 179;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("numbers");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("driver.c"), DRIVER).expect("written");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/c/library/numbers.c");
    let names = ["atoi", "atol", "atoll", "strtol", "strtoll", "strtoul", "strtoull"];
    let own = names.map(|name| format!("-D{name}=beryl_{name}"));
    let compile = |arguments: &[&str]| {
        let compiled = Command::new("cc")
            .current_dir(&folder)
            .args(["-O1", "-Wall", "-Wextra", "-Werror"])
            .args(arguments)
            .status();
        assert!(compiled.expect("a compiler").success(), "{arguments:?}");
    };
    let own: Vec<_> = own.iter().map(String::as_str).collect();
    compile(&[&own[..], &["-c", &source.display().to_string(), "-o", "numbers.o"]].concat());
    compile(&["driver.c", "numbers.o", "-o", "driver"]);
    let mut random = SplitMix64(SEED);
    let mut lines = String::new();
    for _ in 0..50_000 {
        let base = [0, 10, 16, 8, 2, 36, 7][random.below(7)];
        let _ = writeln!(lines, "{base:02}{}", text(&mut random));
    }
    let mut driver = Command::new(folder.join("driver"));
    let mut running = driver.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it runs");
    // It says so little that it never waits for somebody to read that.
    running.stdin.take().expect("its input").write_all(lines.as_bytes()).expect("all is read");
    let said = String::from_utf8(running.wait_with_output().expect("it ends").stdout).expect("a text");
    assert_eq!(said, "0 of 50000\n", "seed {SEED}");
}
