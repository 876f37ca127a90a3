//! Crates of others in a process (`examples/logbook`): what they do on each board that has the bus, and that a controller
//! beside them doesn't notice.

use std::path::Path;

use common::places::places;
use common::{beryl, change, copy, example, folder, left, lock, on_board};

mod common;

/// These have no bus.
const WITHOUT_BUS: [&str; 2] = ["stm32f405", "virt"];

/// Everything that is kept is read back from the chip; while a task takes 300 ms, what comes finds no room.
#[test]
fn a_driver_and_an_executor_of_others_run_unchanged() {
    let _lock = lock("logbook");
    for board in places("logbook", &WITHOUT_BUS) {
        let said = beryl(&["run", &example("logbook"), "--board", board.name, "--for", "2500ms"]).ended(1);
        let kept: Vec<_> = said
            .lines()
            .filter(|line| line.contains(" kept of "))
            .filter_map(|line| line.rsplit(": ").next())
            .collect();
        assert_eq!(kept, ["17 entries kept of 17", "34 entries kept of 34", "45 entries kept of 50"]);
        assert!(said.contains("keeper of process logbook stopped: panic"), "{said}");
        let last = format!(
            "logbook: 250 actuator writes, identical on sim and {}; 0 deadline misses; 1 fault\n",
            board.name
        );
        assert!(said.ends_with(&last), "{said}");
    }
}

/// What the controller reads and writes is the same to the bit without the process beside it.
#[test]
fn the_controller_does_not_notice_what_they_do() {
    let _lock = lock("logbook_alone");
    let system = folder().join("systems").join("logbook_alone");
    copy(Path::new(&example("logbook")), &system);
    let description = system.join("beryl.toml");
    change(&description, "name = \"logbook\"", "name = \"logbook_alone\"");
    change(&description, "application = \"app\"", "application = \"../../../../examples/logbook/app\"");
    let there = system.display().to_string();
    let recorded = |code: i32| {
        let said = beryl(&["sim", &there, "--for", "2500ms"]).ended(code);
        assert!(said.contains("250 sensor values, 250 actuator writes"), "{said}");
        left("logbook_alone", "sim.recording")
    };
    let beside = recorded(1);
    let text = std::fs::read_to_string(&description).expect("it is there");
    let (before, rest) = text.split_once("[process.logbook]").expect("the process");
    let (_, bands) = rest.split_once("[[band]]").expect("the bands");
    let (bands, _) = bands.split_once("[thread.keeper]").expect("the threads");
    std::fs::write(&description, format!("{before}[[band]]{bands}")).expect("written");
    assert_eq!(beside, recorded(0));
}

const THREADS: &str = r#"[system]
name = "NAME"
application = "app"

[board]
name = "BOARD"
flash = "64k"
ram = "32k"

[process.one]
memory = "64"
devices = ["uart0"]
critical_section = "exclusion"

[process.alone]
memory = "64"
devices = ["uart0"]

[[band]]
name = "all"
policy = "fixed"

[thread.high]
process = "one"
priority = 3
entry = "high"
stack = "512"
uses = ["exclusion"]

[thread.low]
process = "one"
priority = 1
entry = "low"
stack = "512"
uses = ["exclusion"]

[thread.stranger]
process = "one"
priority = 2
entry = "stranger"
stack = "512"

[thread.single]
process = "alone"
priority = 4
entry = "single"
stack = "512"

[lock.exclusion]
hold = "1ms"
"#;

const CODE: &str = r#"//! Who may enter critical sections, and who may not.
#![no_std]
use beryl_user::critical_section::{enter, leave};
use beryl_user::lock::Lock;
use beryl_user::time::{milliseconds, sleep};
use beryl_user::{call, println};

/// Wakes while `low` is inside, and has to wait.
pub fn high(_: Lock<()>) -> ! {
    let _ = sleep(milliseconds(5));
    println!("high awake");
    let section = enter();
    println!("high inside");
    unsafe { leave(section) };
    call::stop()
}

/// Is inside from 2 ms to 8 ms.
pub fn low(_: Lock<()>) -> ! {
    let _ = sleep(milliseconds(2));
    let section = enter();
    println!("low inside");
    let until = beryl_user::time::now().after(milliseconds(6));
    call::spend(milliseconds(6));
    while beryl_user::time::now() < until {}
    println!("low leaves");
    unsafe { leave(section) };
    println!("low outside");
    call::stop()
}

/// Doesn't use the lock.
pub fn stranger() -> ! {
    let _ = sleep(milliseconds(20));
    let section = enter();
    println!("stranger inside");
    unsafe { leave(section) };
    call::stop()
}

/// Is a process of its own.
pub fn single() -> ! {
    let section = enter();
    let inner = enter();
    println!("single inside");
    unsafe { leave(inner) };
    unsafe { leave(section) };
    call::stop()
}
"#;

/// On all boards, the two threads' stacks lie between others: each finds its own row.
#[test]
fn users_of_the_lock_keep_each_other_out_and_nobody_else_may_enter() {
    let _lock = lock("sections");
    let expected = ["single inside", "low inside", "low leaves", "high awake", "high inside", "low outside"];
    let spoken = |said: &str| -> Vec<String> {
        let words = said.lines().map(|line| line.rsplit(": ").next().unwrap_or(line).trim().to_owned());
        words
            .filter(|said| ["inside", "leaves", "awake", "outside"].iter().any(|end| said.ends_with(end)))
            .collect()
    };
    for board in places("sections", &[]) {
        let system = on_board("sections", board.name, CODE, THREADS, &[]).display().to_string();
        for command in ["sim", "run"] {
            let said = beryl(&[command, &system, "--for", "40ms"]).ended(1);
            assert_eq!(spoken(&said), expected, "{command} on {}: {said}", board.name);
            assert!(said.contains("stranger of process one stopped: panic"), "{said}");
        }
    }
}
