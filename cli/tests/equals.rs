//! What `check` says of threads that are equally urgent, and of locks that reach beyond their processes.

use std::fmt::Write as _;
use std::fs;

use common::{beryl, empty_crates, folder};

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
    empty_crates(&system);
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

#[test]
fn who_waits_for_a_lock_of_another_process_is_named() {
    let low = |hold| ("low", "one", 1, 100, 40, hold);
    let between = ("between", "other", 10, 50, 1, "deadline = \"5ms\"");
    let high = ("high", "one", 20, 50, 1, "uses = [\"map\"]\nhold = { map = \"10us\" }");
    let threads = |hold| [low(hold), between, high];
    let declared =
        checked("lock_held", &threads("uses = [\"map\"]\nhold = { map = \"1ms\" }"), "[lock.map]\n");
    assert!(declared.contains("  time-safe: every job completes by its deadline\n"), "{declared}");
    let believed = "  believed, since nothing enforces it:\n  - no user of lock `map` stays inside for longer than its `hold`: \
                    `between` of another process waits, though it doesn't use it\n";
    assert!(declared.contains(believed), "{declared}");
    let silent = checked("lock_silent", &threads("uses = [\"map\"]"), "[lock.map]\n");
    assert!(silent.contains("  time-safe: every job of `low` completes by its deadline\n"), "{silent}");
    assert!(silent.contains("- blocking by lock `map` isn't counted: how long `low` holds it"), "{silent}");
    let long =
        checked("lock_long", &threads("uses = [\"map\"]\nhold = { map = \"29.7ms\" }"), "[lock.map]\n");
    assert!(long.starts_with("Some(1)") && long.contains("task between may take"), "{long}");
}
