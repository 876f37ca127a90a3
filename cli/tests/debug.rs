//! The emulated board under gdb: breakpoints, calls, threads, and a time that stands while the board is stopped.

use std::fs;
use std::mem::discriminant;
use std::path::Path;

use beryl_builder::debugged::DEBUGGERS;
use beryl_trace::decode;
use common::places::places;
use common::{beryl, finish, flight, folder, left, program};

mod common;

/// Whether there is a debugger. Where there is none, it is said that nothing was tried.
fn has_debugger() -> bool {
    let is_there = |name: &&str| std::process::Command::new(name).arg("--version").output().is_ok();
    let has = DEBUGGERS.iter().copied().any(|name| is_there(&name));
    if !has {
        eprintln!("nothing is debugged here: none of {DEBUGGERS:?} is installed");
    }
    has
}

/// What a session with these commands said, line by line.
fn session(board: &str, system: &Path, name: &str, commands: &str) -> Vec<String> {
    let script = folder().join(format!("{name}.gdb"));
    fs::write(&script, commands).expect("written");
    let (system, script) = (system.display().to_string(), script.display().to_string());
    let said = beryl(&["debug", &system, "--board", board, "--for", "100ms", "--", "-batch", "-x", &script]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let begun = said.out.lines().skip_while(|line| !line.starts_with("beryl: stopped before"));
    begun.skip(1).map(str::to_owned).collect()
}

/// The lines between two that commands have printed.
fn between<'a>(said: &'a [String], first: &str, last: &str) -> Vec<&'a str> {
    let inside = said.iter().skip_while(|line| *line != first).skip(1).take_while(|line| *line != last);
    inside.map(String::as_str).collect()
}

#[test]
fn a_task_stops_at_its_function_and_each_thread_says_what_it_does() {
    let begins = [" in thread_control () ", " in thread_control_drivers () "];
    a_task_stops("mps2-an385", "debugged", "info registers sp lr pc r7 r11\n", begins);
}

/// Where a thread begins has a line and no name there: its last instruction is the call that leads on.
#[test]
fn threads_are_known_by_what_another_port_keeps_of_them() {
    let begins = [" at control/src/glue.rs:20", " at control/src/glue.rs:54"];
    a_task_stops("virt", "debugged_virt", "info registers sp ra pc fp gp\n", begins);
}

/// `registers` shows those that a look at another thread borrows; `begins` is where two threads do.
fn a_task_stops(board: &str, name: &str, registers: &str, begins: [&str; 2]) {
    if !has_debugger() {
        return;
    }
    let system = flight(name);
    let commands = format!(
        "beryl-threads\nbreak *$at_control_impl\ncontinue\necho calls\\n\nbacktrace\necho threads\\n\nberyl-threads\n\
         echo before\\n\n{registers}echo other\\n\nberyl-backtrace 3\necho after\\n\n{registers}echo times\\n\n\
         beryl-time\nberyl-time\ncontinue\nberyl-time\necho wrong\\n\nberyl-backtrace 5\necho end\\n\n"
    );
    let said = session(board, &system, name, &commands);
    assert_eq!(said[0], "threads are there once the kernel has begun");

    let calls = between(&said, "calls", "threads");
    assert!(
        calls[0].starts_with("#0  control_impl () at ") && calls[0].ends_with("control.rs:59"),
        "{calls:?}"
    );
    assert!(calls.iter().any(|call| call.contains(begins[0])), "{calls:?}");

    // A row each, and the place where the thread goes on below.
    let rows = between(&said, "threads", "before");
    let rows: Vec<_> =
        rows.iter().step_by(2).map(|row| row.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let expected = [
        "0 navigate flight 0 in Complete",
        "1 control flight 1 runs",
        "2 navigation drivers above all bands in DriverDone",
        "3 control drivers above all bands in DriverDone",
        "4 idle below all bands hasn't begun",
    ];
    assert_eq!(rows, expected, "{said:?}");

    // The calls of a thread that waits are shown, and nothing is changed by that.
    let other = between(&said, "other", "after");
    assert!(other.iter().any(|call| call.contains("driver_done () ")), "{other:?}");
    assert!(other.iter().any(|call| call.contains(begins[1])), "{other:?}");
    let registers = between(&said, "before", "other");
    assert_eq!(registers.len(), 5);
    assert_eq!(registers, between(&said, "after", "times"));

    // No time passes while the board is stopped, and a period up to the next job of the task.
    let times = times(&between(&said, "times", "wrong"));
    let [one, same, later] = times.as_slice() else { panic!("{said:?}") };
    assert!(one == same && (19.0..21.0).contains(&(later - one)), "{times:?}");
    assert_eq!(between(&said, "wrong", "end"), ["name a thread by its number in beryl-threads"]);
}

/// Times that were printed, in milliseconds.
fn times(said: &[&str]) -> Vec<f64> {
    said.iter().filter_map(|line| line.strip_suffix(" ms")?.parse().ok()).collect()
}

/// Clocks count up on some boards and down on others. The first job begins in the first millisecond on each.
#[test]
fn the_time_is_read_as_the_clock_of_the_board_counts() {
    if !has_debugger() {
        return;
    }
    // A debugger reads 0 from the clocks of these.
    for board in places("a debugger reads the clock", &["mps2-an505", "mps2-an521"]) {
        let system = flight("debugged_time");
        let commands = "beryl-time\ntbreak *$at_control_impl\ncontinue\nberyl-time\n";
        let said = session(board.name, &system, "debugged_time", commands);
        let lines: Vec<_> = said.iter().map(String::as_str).collect();
        let [before, first] = times(&lines)[..] else { panic!("on {}: {said:?}", board.name) };
        assert!(before == 0.0 && 0.0 < first && first < 1.0, "on {}: {before}, {first}", board.name);
    }
}

#[test]
fn a_driver_stops_and_a_line_does_and_the_run_is_the_same() {
    if !has_debugger() {
        return;
    }
    let system = flight("debugged_drivers");
    let commands = "break *$at_set_rotor\ntbreak navigation.rs:NUMBER\ncontinue\nbacktrace\ncontinue\ndelete\ncontinue\n";
    let text = fs::read_to_string(common::root().join("examples/helicopter/app/src/navigation.rs"));
    let text = text.expect("the code");
    let line = text.lines().position(|line| line.contains("*estimate = correct(")).expect("a statement");
    let number = (line + 1).to_string();
    let said = session("mps2-an385", &system, "debugged_drivers", &commands.replace("NUMBER", &number));
    // The driver comes first: it sets its initial value.
    let hit = |words: &str| said.iter().position(|line| line.starts_with(words));
    let hits = ["Breakpoint 1, ", "Temporary breakpoint 2, "].map(hit);
    let [Some(driver), Some(line)] = hits else { panic!("{said:?}") };
    assert!(driver < line && said[driver..line].iter().any(|call| call.contains("set_rotor")), "{said:?}");
    assert!(said[line].contains(&format!("navigation.rs:{number}")), "{said:?}");
    assert!(said.iter().any(|line| line.contains("exited normally")), "{said:?}");

    // Having been looked at changes nothing that happens: each of the two stops takes a microsecond at most, of 25 ticks.
    beryl(&["run", &system.display().to_string(), "--for", "100ms"]).ended(0);
    let events = |folder: &str| {
        decode(&left("debugged_drivers", &format!("{folder}/trace.bin"))).expect("a whole trace")
    };
    let (alone, stopped) = (events("mps2-an385"), events("mps2-an385.debug"));
    assert!(alone.len() > 100 && alone.len() == stopped.len());
    for (one, other) in alone.iter().zip(&stopped) {
        assert_eq!(discriminant(&one.happening), discriminant(&other.happening), "{one:?}, but {other:?}");
        assert!(one.time.ticks().abs_diff(other.time.ticks()) <= 2 * 25, "{one:?}, but {other:?}");
    }
}

#[test]
fn a_debugger_that_isnt_there_is_named_with_a_remedy() {
    let system = flight("debugged_without");
    let said = finish(program(&["debug", &system.display().to_string()]).env("GDB", "no-such-gdb"));
    assert_eq!(said.code, Some(1));
    assert!(said.err.contains("no-such-gdb can't be started"), "{}", said.err);
}
