//! Crates of others in a process (`examples/logbook`): what they do on each board that has the bus, and that a controller
//! beside them doesn't notice.

use std::path::{Path, PathBuf};

use common::places::places;
use common::{beryl, change, copy, example, folder, left, lock, on_board};
use serde_json::Value;

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

/// The folder with what runs of a system left.
fn out(system: &str) -> PathBuf {
    folder().join("out").join(system)
}

/// What a machine's trace says that threads said: who, and what.
fn said(system: &str, machine: &str, options: &[&str]) -> Vec<(String, String)> {
    let trace = out(system).join(format!("{machine}.trace")).display().to_string();
    let told = beryl(&[&["--json", "trace", "log", &trace], options].concat()).ended(0);
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let rows = told.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    rows.map(|row| (text(&row["thread"]), format!("{} {}", text(&row["level"]), text(&row["text"]))))
        .collect()
}

/// What threads say is read alike in the simulation and on a board: statements of the application, and of a crate of others.
#[test]
fn what_is_logged_is_read_from_traces_of_simulator_and_board() {
    let _lock = lock("logbook");
    for board in places("logbook", &WITHOUT_BUS) {
        beryl(&["run", &example("logbook"), "--board", board.name, "--for", "2500ms"]).ended(1);
        let of = |machine: &str, thread: &str| {
            let all = said("logbook", machine, &[]).into_iter();
            all.filter(|(who, _)| who == thread).map(|(_, words)| words).collect::<Vec<_>>()
        };
        let twin = format!("{}.sim", board.name);
        for machine in [twin.as_str(), board.name] {
            let (kept, full) = (of(machine, "keeper"), of(machine, "watcher"));
            assert_eq!(kept[0], "info entry 1 kept at 0x0: [1, 0, 0, 0, 0, 0, 0, 0]");
            assert_eq!(kept[35], "info entry 36 kept at 0x118: [24, 0, 0, 0, 23, 0, 0, 0]", "{machine}");
            assert_eq!(full[0], "warn 42 found no room: Full(42)", "{machine}");
            // Until what is wrong in the process ends it there are 64 times to say something.
            assert_eq!(kept.len() + full.len(), 64, "{machine}: {kept:?} {full:?}");
            assert_eq!(said("logbook", machine, &["--level", "warn"]).len(), full.len(), "{machine}");
            let late = said("logbook", machine, &["--thread", "keeper", "--from", "1500ms"]);
            assert!(!late.is_empty() && late.len() < kept.len(), "{machine}: {late:?}");
        }
        are_lines_beside_values(board.name);
        // Behind that a task takes the processor, and how much finds no room then depends on when that ends.
        assert_eq!(of(&twin, "keeper")[..36], of(board.name, "keeper")[..36]);
        misread(board.name);
    }
}

/// What threads say stands beside the values of the controller, where nobody asks for some of these alone.
fn are_lines_beside_values(machine: &str) {
    let folder = out("logbook");
    let (trace, file) = (folder.join(format!("{machine}.trace")), folder.join(format!("{machine}.csv")));
    let trace = trace.display().to_string();
    let lines = |options: &[&str]| {
        beryl(&[&["trace", "csv", &trace], options].concat()).ended(0);
        let text = std::fs::read_to_string(&file).expect("it was written");
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let all = lines(&[]);
    assert!(all[0].ends_with(",said_by,level,said"), "{}", all[0]);
    let words = |(who, words): &(String, String)| {
        let (level, text) = words.split_once(' ').expect("a level");
        let text = if text.contains(',') { format!("\"{text}\"") } else { text.to_owned() };
        format!(",{who},{level},{text}")
    };
    let said: Vec<_> = said("logbook", machine, &[]).iter().map(words).collect();
    let is_said = |line: &&String| !line.ends_with(",,,");
    let beside: Vec<_> = all[1..].iter().filter(is_said).collect();
    assert!(
        beside.len() == 64 && beside.iter().zip(&said).all(|(line, said)| line.ends_with(said)),
        "{beside:?}"
    );
    // The controller's values count there, as they did before.
    let heater = |line: &str| line.split(',').nth(1).expect("a value").to_owned();
    assert!(beside.iter().all(|line| !heater(line).is_empty()), "{beside:?}");
    let some = lines(&["heater"]);
    assert!(some.iter().all(|line| line.matches(',').count() == 1), "{some:?}");
    let both = lines(&["heater", "--log"]);
    assert_eq!((both.len(), both[1..].iter().filter(is_said).count()), (some.len() + 64, 64), "{both:?}");
}

/// What can't be read is said, with its count and a reason, and a damaged or missing file isn't taken for silence.
fn misread(machine: &str) {
    let folder = out("logbook");
    let (trace, log) = (folder.join(format!("{machine}.trace")), folder.join(format!("{machine}.log.json")));
    let trace = trace.display().to_string();
    let text = std::fs::read_to_string(&log).expect("it was left");
    std::fs::write(&log, "{").expect("written");
    let told = beryl(&["trace", "log", &trace]).everything();
    assert!(told.contains("log.json is damaged; run the system once more, or take the file away"), "{told}");
    std::fs::remove_file(&log).expect("removed");
    beryl(&["trace", "csv", &trace, "heater"]).ended(0);
    let told = beryl(&["trace", "csv", &trace]).ended(1);
    assert!(told.contains(" statements of keeper unreadable"), "{told}");
    let told = beryl(&["trace", "log", &trace]).ended(1);
    assert!(told.contains(" statements of keeper unreadable: no statements of process `logbook`"), "{told}");
    std::fs::write(&log, text).expect("written");
    let told = beryl(&["trace", "log", &trace, "--thread", "keepr"]).everything();
    assert!(told.contains("no thread is called `keepr`; there are heat, keeper, watcher"), "{told}");
    let told = beryl(&["trace", &trace, "--from", "1390ms", "--to", "1410ms"]).ended(0);
    assert!(told.contains("64 in the whole run, by `beryl trace log`"), "{told}");
    assert!(told.contains("watcher: warn  42 found no room: Full(42)"), "{told}");
    beryl(&["trace", "perfetto", &trace]).ended(0);
    let exported = std::fs::read(folder.join(format!("{machine}.perfetto-trace"))).expect("it was written");
    let said: &[u8] = b"42 found no room: Full(42)";
    assert!(exported.windows(said.len()).any(|window| window == said), "Perfetto shows it, too");
}

/// Which levels are compiled is said by the description.
#[test]
fn statements_below_the_level_of_the_description_are_not_compiled() {
    let _lock = lock("logbook_levels");
    let system = folder().join("systems").join("logbook_levels");
    copy(Path::new(&example("logbook")), &system);
    let description = system.join("beryl.toml");
    change(&description, "name = \"logbook\"", "name = \"logbook_levels\"\nlog = \"warn\"");
    change(&description, "application = \"app\"", "application = \"../../../../examples/logbook/app\"");
    let there = system.display().to_string();
    beryl(&["sim", &there, "--for", "1600ms"]).ended(0);
    let told = said("logbook_levels", "sim", &[]);
    assert!(told.len() == 6 && told.iter().all(|(who, _)| who == "watcher"), "{told:?}");
    change(&description, "log = \"warn\"", "log = \"loud\"");
    let told = beryl(&["check", &there]).everything();
    assert!(told.contains("`off`, `error`, `warn`, `info`, `debug`, `trace`"), "{told}");
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
