//! An environment that is a table: in simulation, on the emulated board, and wrong.

use std::fs;

use common::{Ran, application, beryl, change, environment, lock, spoken, threads};

mod common;

/// Prints what comes on channel 0 whenever it is another value.
const APPLICATION: &str = r#"#![no_std]

use beryl_user::environment::{self, Channel};
use beryl_user::period::Period;
use beryl_user::println;

pub fn watch(mut period: Period) -> ! {
    let (mut last, mut value) = (0_i32, -1_i32);
    loop {
        environment::read(Channel::new(0), &mut value);
        if value != last {
            println!("{value}");
            last = value;
        }
        period.wait();
    }
}
"#;

const TABLE: &str = "time ms, 0 int\n5, 7\n24.5, 1000\n70, -1\n";

const CHAPTER: &str = include_str!("../../docs/12-environments.md");

/// What stands in the chapter's block that begins so.
fn shown(beginning: &str) -> String {
    let start = CHAPTER.find(beginning).expect("in the chapter");
    CHAPTER[start..].lines().take_while(|line| *line != "```").map(|line| format!("{line}\n")).collect()
}

fn printed(ran: &Ran) -> Vec<&str> {
    let lines = ran.out.lines().map(spoken);
    lines.filter(|line| line.parse::<i32>().is_ok()).collect()
}

#[test]
fn a_table_is_held_as_steps_on_both_and_what_is_wrong_with_one_is_told() {
    let _lock = lock("table");
    let text = "[thread.watch]\nprocess = \"one\"\npriority = 1\nperiod = \"10ms\"\nentry = \"watch\"\nworst = \"1ms\"\nstack = \"1k\"\n";
    let system = threads("table", "app", text);
    let description = system.join("beryl.toml");
    change(&description, "application = \"app\"", "application = \"app\"\nenvironment = \"world.csv\"");
    change(&description, "memory = \"64\"", "memory = \"64\"\ndevices = [\"environment\", \"uart0\"]");
    application(&system, "table-app", APPLICATION);
    let (table, system) = (system.join("world.csv"), system.display().to_string());
    fs::remove_file(&table).ok();
    let missing = beryl(&["check", &system]).everything();
    assert!(missing.contains("there is no table `world.csv`"), "{missing}");
    assert!(missing.contains("its heading is as in `time, 0 int`"), "{missing}");
    fs::write(&table, TABLE).expect("written");
    // At 0, 10, 30 and 70 ms; before the first row the application has what it began with.
    let expected = ["-1", "7", "1000", "-1"];
    let simulated = beryl(&["sim", &system, "--for", "100ms"]);
    assert_eq!(printed(&simulated), expected, "{simulated:?}");
    assert!(simulated.out.contains("10 values were read, 0 written"), "{}", simulated.out);
    for options in [&["--for", "100ms"][..], &["--for", "100ms", "--live"]] {
        let on_board = beryl(&[&["run", &system], options].concat());
        assert_eq!(printed(&on_board), expected, "{options:?}: {on_board:?}");
    }
    fs::write(&table, TABLE.replace("1000", "fast")).expect("written");
    for command in [&["check", &system][..], &["sim", &system, "--for", "100ms"]] {
        let wrong = beryl(command).everything();
        assert!(wrong.contains("world.csv:3: `fast` is no int; write a whole number"), "{wrong}");
    }
    fs::write(&table, TABLE.replace("1000\n", "1000, 1\n").replace("int\n", "int level, interrupt 240\n"))
        .expect("written");
    let wrong = beryl(&["check", &system]).everything();
    assert!(wrong.contains("world.csv:2: 2 cells where the heading has 3"), "{wrong}");
    let rows = "time, 0 int level, interrupt 240\n0, 1, 1\n";
    fs::write(&table, rows).expect("written");
    let wrong = beryl(&["check", &system]).everything();
    assert!(wrong.contains("raises interrupt 240, which this board doesn't have"), "{wrong}");
    // What the chapter shows: first a table, then a script.
    fs::write(&table, shown("# a pump that fails")).expect("written");
    assert_eq!(printed(&beryl(&["sim", &system, "--for", "100ms"])), ["100"]);
    environment(&table.with_file_name("script"), "table-script", &shown("use std::convert::Infallible;"));
    change(&description, "\"world.csv\"", "\"script\"");
    assert_eq!(printed(&beryl(&["sim", &system, "--for", "4s"])), ["100000", "40000"]);
}
