//! Functions in C++ beside others in C, on all hosts; and what nobody constructs is refused.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use common::places::places_with_floating;
use common::{beryl, change, copy, folder, lock, root, told};

mod common;

/// The system under a name of its own.
fn system(name: &str) -> PathBuf {
    let system = folder().join("systems").join(name);
    copy(&root().join("cli/tests/c/cpp"), &system);
    change(&system.join("beryl.toml"), "name = \"cpp\"", &format!("name = {name:?}"));
    system
}

#[test]
fn classes_templates_and_objects_do_the_same_on_all_hosts() {
    let _lock = lock("cpp");
    let suite = folder().join("cpp.toml");
    let place = system("cpp");
    let description = place.join("beryl.toml");
    let text = format!(
        "[[system]]\nfolder = \"{}\"\nfor = \"20ms\"\nshows = \"C++\"\ncompare = \"all\"\n",
        place.display()
    );
    fs::write(&suite, text).expect("written");
    let suite = suite.display().to_string();
    beryl(&["conformance", &suite]).ended(0);
    beryl(&["conformance", &suite, "--board", "virt"]).ended(0);
    // And where processes are compiled for the processor's floating point.
    let text = fs::read_to_string(&description).expect("the description");
    let hardware = "floating = \"hardware\"\n";
    let text = text.replace("memory = ", &format!("{hardware}memory = "));
    fs::write(&description, text).expect("written");
    for board in places_with_floating("C++") {
        beryl(&["conformance", &suite, "--board", board.name]).ended(0);
    }
    let told = told("cpp");
    // The mean of the last four squares, at most 20.
    let squares: Vec<u32> = (0..8).map(|round| round * round).collect();
    let means = (0_u32..8).zip(1..).map(|(round, end)| {
        let last = &squares[usize::saturating_sub(end, 4)..end];
        round * 100 + (last.iter().sum::<u32>() / 4).min(20)
    });
    assert_eq!(told, BTreeMap::from([(1, vec![0; 8]), (2, means.collect()), (3, vec![4])]));
}

#[test]
fn what_nobody_would_construct_is_refused() {
    let name = "cpp_refused";
    let _lock = lock(name);
    let place = system(name);
    let source = place.join("filter.cpp");
    let whole = fs::read_to_string(&source).expect("readable");
    let (before, inside) = ("void filter(beryl_period", "    (void)letters;");
    let class = "struct Now {\n    Now() : at(beryl_time()) {}\n    uint64_t at;\n};\n";
    let with = |outer: &str, inner: &str| {
        whole.replace(before, &format!("{outer}\n{before}")).replace(inside, &format!("{inside}\n{inner}"))
    };
    let cases = [
        (
            with(&format!("{class}static Now now;"), "    beryl_tell(9, (uint32_t)now.at);"),
            "constructed before the first thread",
            "`constexpr` constructor",
        ),
        (
            with(class, "    static Now now;\n    beryl_tell(9, (uint32_t)now.at);"),
            "constructed at its first use",
            "`constexpr` constructor",
        ),
        (
            with("static int *volatile kept;", "    kept = new int(7);"),
            "`new`, which filter.cpp uses",
            "memory is given at build time",
        ),
        (with("#include <vector>", ""), "vector: No such file", "compiling filter.cpp failed"),
        (with("int helper(int value) { return value; }", ""), "no previous declaration", "is `static`"),
        (with("", "    throw 7;"), "exception handling disabled", "compiling filter.cpp failed"),
    ];
    let path = place.display().to_string();
    for (text, message, help) in cases {
        fs::write(&source, text).expect("written");
        for arguments in [&["sim", &path, "--for", "1ms"][..], &["build", &path]] {
            let ran = beryl(arguments);
            let said = ran.everything().split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(ran.code, Some(1), "{message}: {said}");
            assert!(said.contains(message) && said.contains(help), "{arguments:?}: {message}: {said}");
        }
    }
}
