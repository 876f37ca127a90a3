//! The program says what it can't do, before it builds anything.

use std::process::{Command, Output};

fn bench(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_beryl-bench")).args(arguments).output().expect("the program starts")
}

#[test]
fn a_name_that_no_bench_has_is_refused() {
    let ran = bench(&["semaphone"]);
    let said = String::from_utf8(ran.stderr).expect("text");
    assert_eq!(ran.status.code(), Some(1), "{said}");
    assert_eq!(said, "error: no bench has `semaphone` in its name; `./x bench` runs all\n");
}

#[test]
fn nothing_is_recorded_of_a_name_that_no_bench_has() {
    let ran = bench(&["--record", "semaphone"]);
    let said = String::from_utf8(ran.stderr).expect("text");
    assert_eq!(ran.status.code(), Some(1), "{said}");
    assert_eq!(said, "error: no bench has `semaphone` in its name; `./x bench` runs all\n");
}

#[test]
fn what_is_recorded_is_all_of_a_bench() {
    for part in [&["--brief"][..], &["--turn", "1"], &["--plots"]] {
        let ran = bench(&[&["--record", "semaphore"], part].concat());
        let said = String::from_utf8(ran.stderr).expect("text");
        assert_eq!(ran.status.code(), Some(2), "{said}");
        assert!(said.contains("cannot be used with"), "{said}");
    }
}
