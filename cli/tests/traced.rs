//! What a system tells of itself: over the console of the emulated board, and in the simulator.

mod common;

use std::fs;
use std::os::unix::fs::symlink;
use std::sync::LazyLock;

use beryl_abi::{Awaited, Classes};
use beryl_path::{Sizes, section_sizes};
use beryl_trace::file::records;
use beryl_trace::jobs::History;
use beryl_trace::trace_buffer::only;
use beryl_trace::{DecodedNote, Event, Happening, Names, Statistics, decode};
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

/// Longer than what is looked for takes: how much of what is told last comes over the line before the board ends, is this
/// machine's affair, which is slow to listen when it has other things to do.
static ON_BOARD: LazyLock<Recorded> = LazyLock::new(|| record(&["--for", "800ms"]));
static SIMULATED: LazyLock<Recorded> = LazyLock::new(|| record(&["--for", "400ms", "--on", "sim"]));

/// The values of the application's events, which are the numbers of a thread's jobs.
fn numbers(events: &[Event]) -> Vec<u32> {
    let number = |event: &Event| match event.happening {
        Happening::Note(DecodedNote::Event { event: 1, value, .. }) => Some(value),
        _ => None,
    };
    events.iter().filter_map(number).collect()
}

/// What the kernel keeps is made in its memory, so the flash has no copy of it, whatever its size.
#[test]
fn a_large_buffer_takes_no_flash() {
    let [small, large] = ["1k", "16k"].map(|size| kernel_with_buffer(&format!("engine_{size}"), size));
    assert_eq!((small.data, large.data), (0, 0));
    assert!(large.bss - small.bss == 15 << 10, "{small:?} and {large:?}");
    assert!(large.text.abs_diff(small.text) < 1024, "{small:?} and {large:?}");
}

/// Bytes of the engine's kernel with a trace buffer of a size.
fn kernel_with_buffer(name: &str, size: &str) -> Sizes {
    let system = folder().join("systems").join(name);
    fs::create_dir_all(&system).expect("a folder");
    let text = fs::read_to_string(root().join("examples/engine/beryl.toml")).expect("a description");
    let text = [
        ("name = \"engine\"", format!("name = {name:?}").as_str()),
        ("application = \"app\"", "application = \"../../../../examples/engine/app\""),
        ("environment = \"road\"", "environment = \"../../../../examples/engine/road\""),
    ]
    .into_iter()
    .fold(text, |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    });
    let tell = "[thread.tell]\nprocess = \"diagnosis\"\nband = \"background\"\npriority = 1\nentry = \"tell\"\n\
                stack = \"2k\"\nuses = [\"trace\"]\n\n[trace]\nbuffer = ";
    fs::write(system.join("beryl.toml"), format!("{text}\n{tell}{size:?}\n")).expect("written");
    let _lock = lock(name);
    // With telling counted, it asks for more than the processor has.
    beryl(&["build", &system.display().to_string(), "--unchecked"]).ended(0);
    let kernel = fs::read(folder().join("build").join(name).join("kernel.elf")).expect("a kernel");
    section_sizes(&kernel).expect("sections")
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

/// The bounds of the proof by thread, in nanoseconds, and whether telling is in them.
fn analysed() -> (Vec<(String, u64)>, bool) {
    let said = beryl(&["check", &example("traced"), "--json"]).ended(0);
    let rows: Vec<serde_json::Value> =
        said.lines().map(|line| serde_json::from_str(line).expect("one object a line")).collect();
    let bound =
        |row: &serde_json::Value| Some((row["task"].as_str()?.to_owned(), row["response_ns"].as_u64()?));
    let counts = rows.iter().any(|row| row["telling"] == "all classes");
    (rows.iter().filter_map(bound).collect(), counts)
}

/// With ten of the thirteen classes on, those of drivers and of the kernel among them.
#[test]
fn no_job_that_is_recorded_takes_longer_than_the_proof_says_with_telling() {
    let ten = "jobs,switches,waits,locks,messages,interrupts,drivers,faults,events,kernel";
    let recorded = record(&["--for", "2s", "--classes", ten]);
    let (bounds, counts_telling) = analysed();
    assert!(counts_telling && bounds.len() == 3, "{bounds:?}");
    let history = History::of(&recorded.events);
    for (name, bound) in bounds {
        let thread = recorded.names.thread_called(&name).expect("a thread");
        let seen: Vec<u64> =
            history.jobs_of(thread).filter_map(|job| job.response()).map(|time| time.ticks() * 40).collect();
        let longest = seen.iter().copied().max().expect("jobs");
        println!("{name}: {} jobs, {longest} of {bound} ns", seen.len());
        assert!(seen.len() > 20 && longest <= bound, "{name}: {longest} ns of {bound} ns");
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
        // One of each job of slow.
        assert!(waits.len() == 10 || title == "board" && waits.len() > 10, "{title}: {}", waits.len());
        let count = waits.len();
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
        assert_eq!(locks, [("semaphore store", count)], "{title}");
    }
    let _lock = lock("traced");
    let path = folder().join("why.trace");
    fs::write(&path, &ON_BOARD.bytes).expect("a file");
    fs::write(folder().join("names.json"), left("traced", "names.json")).expect("a file");
    let why = beryl(&["trace", "why", "quick@worst", &path.display().to_string()]).ended(0);
    assert!(why.contains("waits for semaphore store, which slow has: it runs in its place"), "{why}");
}

/// The last two numbers of a row.
fn last_two(row: &str) -> [u64; 2] {
    let mut words = row.split_whitespace().rev().map(|word| word.parse().unwrap_or(u64::MAX));
    let last = words.next().expect("a word");
    [words.next().expect("another one"), last]
}

/// `slow` holds the store for 3 ms of processor time, in the place of `quick` among them.
#[test]
fn promises_of_locks_are_compared_with_what_is_told() {
    let recorded = &ON_BOARD.bytes;
    let text = left_text("traced", "names.json");
    let stats = |names: &str| {
        let _lock = lock("promises");
        let folder = folder().join("promises");
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("recorded.trace"), recorded).expect("a file");
        fs::write(folder.join("names.json"), names).expect("a file");
        beryl(&["trace", "stats", &folder.join("recorded.trace").display().to_string()])
    };
    let kept = stats(&text);
    let (said, complaints) = (kept.out, kept.err);
    let row = said.lines().find(|line| line.contains("slow    holds semaphore store")).expect("a row");
    let [held, broken] = last_two(row);
    assert!(row.contains("at most 3.2 ms") && held >= 10 && broken == 0, "{row}");
    assert!(!complaints.contains("held semaphore"), "{complaints}");
    // Negative control: a shorter promise is broken each time.
    let shorter = text.replace("3200000", "3000000");
    assert_ne!(shorter, text);
    let broken = stats(&shorter);
    let is_broken = |line: &str| line.contains("at most 3 ms") && last_two(line) == [held; 2];
    assert!(broken.out.lines().any(is_broken), "{}", broken.out);
    assert!(broken.err.contains("slow: it held semaphore store for"), "{}", broken.err);
}

/// The frame that chooses goes to the board while it runs.
#[test]
fn classes_are_chosen_while_the_board_runs() {
    let chosen = record(&["--for", "200ms", "--classes", "events,kernel"]);
    assert!(chosen.said.contains("told: kernel, events"), "{}", chosen.said);
    let after = chosen.events.iter().position(|event| {
        matches!(event.happening, Happening::Note(DecodedNote::Enter { .. } | DecodedNote::Leave { .. }))
    });
    let rest = &chosen.events[after.expect("the kernel tells of itself")..];
    let is_chosen = |event: &&Event| {
        matches!(
            event.happening,
            Happening::Note(
                DecodedNote::Event { .. }
                    | DecodedNote::Enter { .. }
                    | DecodedNote::Leave { .. }
                    | DecodedNote::Lost { .. }
            )
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
