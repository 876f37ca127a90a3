//! The command `beryl-path`, as a user sees it.

#[path = "../../../kernel/ports/code/tests/program/mod.rs"]
mod program;

use std::process::{Command, Output};

use program::{assembly, compile};

fn run(name: &str, arguments: &[&str]) -> Output {
    let code =
        [("SVCall", "push {r4, lr}\n1: subs r0, #1\n bne 1b\n pop {r4, pc}"), ("SysTick", "nop\n bx lr")];
    let program = compile(name, "s", &["SVCall", "SysTick"], &assembly(&code));
    let image = program.folder.join("program.elf");
    let command = Command::new(env!("CARGO_BIN_EXE_beryl-path")).arg(image).args(arguments).output();
    command.expect("the command can be started")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn it_lists_the_longest_step_and_its_path() {
    let output = run("listing", &["--entry", "SVCall", "--entry", "SysTick", "--symbol-bound", "SVCall=9"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let listing = text(&output.stdout);
    let columns = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let lines: Vec<Vec<String>> = listing.lines().map(columns).collect();
    assert_eq!(listing.lines().next(), Some("SVCall: 22 instructions, entry to exit"));
    let counts: Vec<_> =
        lines[1..5].iter().map(|line| (&*line[0], &*line[1], &*line[3], &*line[5])).collect();
    let expected = [("1", "1", "1"), ("18", "2", "9"), ("2", "2", "1"), ("1", "1", "1")];
    assert_eq!(counts, expected.map(|(total, instructions, count)| (total, instructions, count, "SVCall")));
    assert!(
        listing.contains("SysTick: 2 instructions") && listing.ends_with("longest step: 22 instructions\n")
    );
}

#[test]
fn it_prints_one_line_of_json() {
    let output = run("json", &["--entry", "SysTick", "--json"]);
    let line = text(&output.stdout);
    assert_eq!(line.lines().count(), 1, "{line}");
    let value: serde_json::Value = serde_json::from_str(&line).expect("it is JSON");
    assert_eq!(value["longest"], 2);
    assert_eq!(value["steps"][0]["span"], "entry-to-exit");
    assert_eq!(value["steps"][0]["path"][0]["function"], "SysTick");
}

#[test]
fn it_fails_with_reason_and_proposal() {
    for (arguments, part) in [
        (&["--entry", "SVCall"][..], "--symbol-bound 'SVCall=<number>'"),
        (&["--entry", "Absent"], "no code symbol `Absent`"),
        (&["--entry", "SVCall", "--bound", "LEVELS"], "`=` is missing"),
        (&["--entry", "SVCall", "--bound", "LEVELS=-4"], "`-4`"),
        (&[], "--entry"),
    ] {
        let output = run("refused", arguments);
        assert!(!output.status.success() && output.stdout.is_empty());
        assert!(text(&output.stderr).contains(part), "{}", text(&output.stderr));
    }
}

/// This program itself, for one.
#[test]
fn code_for_another_processor_is_refused() {
    let output = Command::new(env!("CARGO_BIN_EXE_beryl-path"))
        .args([env!("CARGO_BIN_EXE_beryl-path"), "--entry", "main"])
        .output();
    let output = output.expect("it can be started");
    assert!(!output.status.success() && output.stdout.is_empty());
    let said = text(&output.stderr);
    assert!(said.contains("it isn't for a little-endian 32-bit Arm or RISC-V processor"), "{said}");
}
