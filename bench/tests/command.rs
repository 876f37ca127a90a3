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
fn what_is_recorded_is_all_of_it() {
    let ran = bench(&["--record", "semaphore"]);
    let said = String::from_utf8(ran.stderr).expect("text");
    assert_eq!(ran.status.code(), Some(2), "{said}");
    assert!(said.contains("the argument '--record' cannot be used with '[FILTERS]...'"), "{said}");
}
