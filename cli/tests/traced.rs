//! What a system tells of itself: over the console of the emulated board, and in the simulator.

mod common;

use std::fs;
use std::os::unix::fs::symlink;
use std::sync::LazyLock;

use beryl_abi::{Awaited, Classes};
use beryl_trace::drained::only;
use beryl_trace::file::records;
use beryl_trace::jobs::History;
use beryl_trace::{Event, Happening, Names, Statistics, Told, decode};
use common::{beryl, example, folder, left, left_text, lock, root};

/// What was recorded.
struct Recorded {
    said: String,
    names: Names,
    events: Vec<Event>,
    bytes: Vec<u8>,
}

fn record(arguments: &[&str]) -> Recorded {
    let _lock = lock("traced");
    let system = example("traced");
    let said = beryl(&[&["trace", "record", &system, "--unchecked"], arguments].concat()).ended(0);
    let bytes = left("traced", "recorded.trace");
    let names = Names::parse(&left_text("traced", "names.json")).expect("names");
    Recorded { said, names, events: decode(&bytes).expect("a whole trace"), bytes }
}

static ON_BOARD: LazyLock<Recorded> = LazyLock::new(|| record(&["--for", "400ms"]));
static SIMULATED: LazyLock<Recorded> = LazyLock::new(|| record(&["--for", "400ms", "--on", "sim"]));

/// The values of the application's events, which are the numbers of a thread's jobs.
fn numbers(events: &[Event]) -> Vec<u32> {
    let number = |event: &Event| match event.happening {
        Happening::Note(Told::Event { event: 1, value, .. }) => Some(value),
        _ => None,
    };
    events.iter().filter_map(number).collect()
}

/// The kernel's first state, with the buffer in it, lies in flash, too.
#[test]
fn a_large_buffer_has_room_in_flash() {
    let system = folder().join("systems").join("engine_traced");
    fs::create_dir_all(&system).expect("a folder");
    let text = fs::read_to_string(root().join("examples/engine/beryl.toml")).expect("a description");
    let text = [
        ("name = \"engine\"", "name = \"engine_traced\""),
        ("application = \"app\"", "application = \"../../../../examples/engine/app\""),
        ("environment = \"road\"", "environment = \"../../../../examples/engine/road\""),
    ]
    .into_iter()
    .fold(text, |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    });
    let tell = "[thread.tell]\nprocess = \"diagnosis\"\nband = \"background\"\npriority = 1\nentry = \"tell\"\n\
                stack = \"2k\"\nuses = [\"trace\"]\n\n[trace]\nbuffer = \"16k\"\n";
    fs::write(system.join("beryl.toml"), format!("{text}\n{tell}")).expect("written");
    let _lock = lock("engine_traced");
    beryl(&["build", &system.display().to_string()]).ended(0);
}

/// Nothing is lost, everything comes in order, and what an application tells is among it.
#[test]
fn what_a_board_tells_comes_over_its_console() {
    assert!(ON_BOARD.said.contains(" notes came over the line, 0 were lost"), "{}", ON_BOARD.said);
    for (title, recorded) in [("board", &*ON_BOARD), ("sim", &SIMULATED)] {
        let numbers = numbers(&recorded.events);
        assert!(
            numbers.len() >= 78 && numbers.iter().copied().eq(1..=numbers.len() as u32),
            "{title}: {numbers:?}"
        );
        assert!(recorded.events.is_sorted_by_key(|event| event.time), "{title}");
        let history = History::of(&recorded.events);
        let quick = recorded.names.thread_called("quick").expect("quick");
        let late = history.jobs_of(quick).filter(|job| job.response().is_none()).count();
        assert!(late <= 1, "{title}: only the last job may be open");
    }
}

/// Each job of `slow` holds the store while a job of `quick` wants it: then it runs in its place, and `steady` doesn't.
#[test]
fn who_waits_for_a_lock_and_who_has_it_is_told_alike_by_board_and_simulator() {
    for (title, recorded) in [("board", &*ON_BOARD), ("sim", &SIMULATED)] {
        let history = History::of(&recorded.events);
        let [quick, steady, slow] =
            ["quick", "steady", "slow"].map(|name| recorded.names.thread_called(name).expect("a thread"));
        let waits: Vec<_> = history
            .waits
            .waits
            .iter()
            .filter(|wait| wait.thread == quick && wait.awaited == Awaited::Semaphore)
            .collect();
        assert_eq!(waits.len(), 10, "{title}: one of each job of slow");
        for wait in waits {
            assert_eq!(wait.owner, Some(slow), "{title}");
            let between = |thread| {
                history
                    .runs
                    .iter()
                    .any(|run| run.thread == thread && wait.from < run.to && run.from < wait.to)
            };
            assert!(between(slow) && !between(steady), "{title}: {wait:?}");
        }
        let statistics = Statistics::of(&recorded.events, &recorded.names);
        let locks: Vec<_> =
            statistics.locks.iter().map(|lock| (lock.lock.as_str(), lock.contended)).collect();
        assert_eq!(locks, [("semaphore store", 10)], "{title}");
    }
    let _lock = lock("traced");
    let path = folder().join("why.trace");
    fs::write(&path, &ON_BOARD.bytes).expect("a file");
    fs::write(folder().join("names.json"), left("traced", "names.json")).expect("a file");
    let why = beryl(&["trace", "why", "quick@worst", &path.display().to_string()]).ended(0);
    assert!(why.contains("waits for semaphore store, which slow has: it runs in its place"), "{why}");
}

/// The frame that chooses goes to the board while it runs.
#[test]
fn classes_are_chosen_while_the_board_runs() {
    let chosen = record(&["--for", "200ms", "--classes", "events,kernel"]);
    assert!(chosen.said.contains("told: kernel, events"), "{}", chosen.said);
    let after = chosen.events.iter().position(|event| {
        matches!(event.happening, Happening::Note(Told::Enter { .. } | Told::Leave { .. }))
    });
    let rest = &chosen.events[after.expect("the kernel tells of itself")..];
    let is_chosen = |event: &&Event| {
        matches!(
            event.happening,
            Happening::Note(Told::Event { .. } | Told::Enter { .. } | Told::Leave { .. } | Told::Lost { .. })
        )
    };
    assert!(rest.len() > 100 && rest.iter().all(|event| is_chosen(&event)), "another class is told");
    assert!(!Statistics::of(&chosen.events, &chosen.names).kernel.is_empty());
}

#[test]
fn in_the_simulator_the_classes_are_those_that_are_asked_for() {
    let jobs = record(&["--for", "400ms", "--on", "sim", "--classes", "jobs"]);
    assert_eq!(records(&jobs.bytes), only(&records(&SIMULATED.bytes), Classes::JOBS));
    assert!(jobs.events.len() > 100);
}

/// What goes wrong is said in words, with what to do.
#[test]
fn what_cannot_be_recorded_is_refused_in_words() {
    let said = beryl(&["trace", "record", &example("overload"), "--unchecked"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(
        said.err.contains("overload tells nothing by itself: its description has no [trace]"),
        "{said:?}"
    );
    let said = beryl(&["trace", "record", &example("traced"), "--classes", "lock"]);
    assert!(said.err.contains("there is no class `lock`; there are jobs, switches,"), "{said:?}");

    let _lock = lock("traced");
    let full = folder().join("full/run.trace");
    fs::create_dir_all(full.parent().expect("a folder")).expect("a folder");
    fs::remove_file(&full).ok();
    symlink("/dev/full", &full).expect("a link");
    let path = full.display().to_string();
    let said = beryl(&[
        "trace",
        "record",
        &example("traced"),
        "--on",
        "sim",
        "--for",
        "50ms",
        "--unchecked",
        "-o",
        &path,
    ]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.err.contains("can't write ") && said.err.contains("No space left on device"), "{said:?}");
}

/// The description's rules for what it says about tracing.
#[test]
fn a_trace_has_one_reader_and_a_buffer_of_a_power_of_two() {
    let system = folder().join("systems/traced-wrong");
    fs::create_dir_all(&system).expect("a folder");
    let text = fs::read_to_string(root().join("examples/traced/beryl.toml")).expect("a description");
    let check = |from: &str, to: &str| {
        assert!(text.contains(from));
        fs::write(system.join("beryl.toml"), text.replace(from, to)).expect("a file");
        let said = beryl(&["check", &system.display().to_string()]);
        assert_ne!(said.code, Some(0), "{to}: {said:?}");
        said.err + &said.out
    };
    let said = check("buffer = \"8k\"", "buffer = \"100\"");
    assert!(said.contains("a trace buffer can't have 100 bytes") && said.contains("power of two"), "{said}");
    let said = check("\"jobs\", ", "\"job\", ");
    assert!(said.contains("can't be `job`"), "{said}");
    let said = check("uses = [\"trace\"]", "");
    assert!(said.contains("nobody uses trace `trace`"), "{said}");
    let said = check("uses = [\"results.receive\"]", "uses = [\"results.receive\", \"trace\"]");
    assert!(said.contains("`trace` has more than one thread that reads it"), "{said}");
}
