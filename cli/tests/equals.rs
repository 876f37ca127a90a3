//! What `check` says of threads that are equally urgent.

use std::fmt::Write as _;
use std::fs;

use common::{beryl, folder};

mod common;

const FRAME: &str = "[system]\nname = \"NAME\"\napplication = \"app\"\n[board]\nname = \"mps2-an385\"\nflash = \"64k\"\n\
                     ram = \"24k\"\n[process.one]\nmemory = \"64\"\n[process.other]\nmemory = \"64\"\n[[band]]\nname = \"all\"\n\
                     policy = \"fixed\"\n";

/// A thread's table: name, process, priority, milliseconds of its period and work, and what else there is.
type Row<'a> = (&'a str, &'a str, u8, u32, u32, &'a str);

/// What `check` says of threads, its exit code first.
fn checked(name: &str, threads: &[Row<'_>], rest: &str) -> String {
    let system = folder().join("systems").join(name);
    fs::create_dir_all(&system).expect("a folder");
    let mut text = FRAME.replace("NAME", name);
    for (name, process, priority, period, worst, more) in threads {
        write!(
            text,
            "[thread.{name}]\nprocess = \"{process}\"\npriority = {priority}\nentry = \"{name}\"\nstack = \"512\"\n\
             period = \"{period}ms\"\nworst = \"{worst}ms\"\n{more}\n"
        )
        .expect("a text takes everything");
    }
    fs::write(system.join("beryl.toml"), text + rest).expect("written");
    let ran = beryl(&["check", &system.display().to_string()]);
    assert!(ran.err.is_empty(), "{}", ran.err);
    format!("{:?}\n{}", ran.code, ran.out)
}

/// In one order of the description `m` would have been promised, and in the simulation it missed.
#[test]
fn equals_are_refused_in_every_order_of_the_description() {
    let m = |priority| ("m", "one", priority, 4, 2, "");
    let others = ["c", "x", "a"].map(|name| (name, "one", 30, if name == "x" { 10 } else { 20 }, 1, ""));
    let [c, x, a] = others;
    for (number, threads) in [[m(30), c, x, a], [a, x, c, m(30)], [x, m(30), a, c]].into_iter().enumerate() {
        let said = checked(&format!("equals_{number}"), &threads, "");
        assert!(said.starts_with("Some(1)") && said.contains("task `m`, released at 0.000 ms"), "{said}");
        let line = said.lines().find(|line| line.contains("No order of equals is promised.")).expect(&said);
        assert!(line.starts_with("  As urgent as `m`, and before it here: "), "{line}");
        assert!(["`c`", "`x`", "`a`"].iter().all(|name| line.contains(name)), "{line}");
    }
    let said = checked("equals_above", &[m(31), c, x, a], "");
    assert!(said.starts_with("Some(0)") && said.contains("time-safe: every job completes"), "{said}");
}
