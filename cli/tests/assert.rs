//! What the ASSERT virtual machine polices (OSPERT 2007), as eight tests, T1 to T8: each in the simulator and on the board,
//! where something runs.

use std::fs;
use std::sync::LazyLock;

use beryl_path::forbidden_symbols;
use beryl_trace::Statistics;
use common::run::Run;
use common::{application, beryl, example, folder, root, threads};
use story::{Line, assert_told, lines, used, words};

mod common;
#[path = "assert/story.rs"]
mod story;

const MICROSECOND: u64 = 1_000;
const MILLISECOND: u64 = 1_000_000;
/// Of the board's clock.
const TICK: u64 = 40;
const PERIOD: u64 = 10 * MILLISECOND;
/// On the board jobs begin later by what the kernel does before.
const LATER: u64 = 200 * MICROSECOND;

/// A run in the simulator and one on the board; `simulated` is said to the first.
fn both(system: &str, name: &str, length: &str, simulated: &[&str]) -> [Run; 2] {
    let run = |command, others: &[&str]| {
        let run = Run::of(command, system, name, &[&["--for", length], others].concat());
        // Otherwise what is there is of another run.
        let last = run.ran.out.lines().last().unwrap_or_default();
        assert!(last.starts_with(&format!("{name}: ")), "{:?}", run.ran);
        run
    };
    [run("sim", simulated), run("run", &[])]
}

/// The longest response that the proof finds for a thread, in nanoseconds.
fn proved(system: &str, thread: &str) -> u64 {
    let said = beryl(&["check", system]).ended(0);
    let row = said.lines().find(|line| line.trim_start().starts_with(thread)).expect("its row");
    let milliseconds =
        row.split_whitespace().nth(6).and_then(|word| word.replace('.', "").parse::<u64>().ok());
    milliseconds.expect("a response") * MICROSECOND
}

static BUDGETS: LazyLock<[Run; 2]> = LazyLock::new(|| {
    let system = threads("assert_budgets", "app", include_str!("assert/budgets.txt"));
    application(&system, "assert-budgets-app", include_str!("assert/budgets.rs"));
    both(&system.display().to_string(), "assert_budgets", "60ms", &[])
});

/// `exact` uses all of its 2 ms, `over` a tick more.
#[test]
fn t1_an_overrun_is_seen_with_the_first_tick_beyond_a_budget_and_not_before() {
    let in_periods =
        |job: &dyn Fn(u64) -> Vec<Line>| (0..6).flat_map(|number| job(number * PERIOD)).collect::<Vec<_>>();
    let kinds = ["released", "runs", "done", "used up"];
    let exact = |at| {
        let done = at + 2 * MILLISECOND;
        vec![Line::new(at, "released"), Line::new(at, "runs"), Line::new(done, "done")]
    };
    assert_told(&BUDGETS, "exact", &kinds, &in_periods(&exact), LATER);
    let over = |at| {
        let begins = at + 2 * MILLISECOND;
        vec![
            Line::new(at, "released"),
            Line::new(begins, "runs"),
            Line::new(begins + 2 * MILLISECOND + TICK, "used up"),
        ]
    };
    assert_told(&BUDGETS, "over", &["released", "runs", "used up"], &in_periods(&over), LATER);
    let [simulated, on_board] = BUDGETS.each_ref().map(|run| used(run, "over"));
    assert_eq!(simulated, [50_001; 6]);
    // An instruction is four fifths of a tick: it is seen within 150 of them.
    assert!(on_board.iter().all(|used| (50_001..50_121).contains(used)), "{on_board:?}");
}

/// `first` takes 600 us of the millisecond that it shares with `second`, which takes the other 400, and in each third
/// period more.
#[test]
fn t2_the_budget_of_a_group_is_the_sum_of_what_its_members_use() {
    let runs_at = |period: u64| period * PERIOD + 4 * MILLISECOND + TICK;
    let first: Vec<_> = (0..6).map(|period| Line::new(runs_at(period), "runs")).collect();
    assert_told(&BUDGETS, "first", &["runs", "used up"], &first, LATER);
    let second = |period| {
        let spent = runs_at(period) + MILLISECOND + TICK;
        let spent = (period % 3 == 1).then(|| Line::new(spent, "used up"));
        [Line::new(runs_at(period) + 600 * MICROSECOND, "runs")].into_iter().chain(spent)
    };
    let second: Vec<_> = (0..6).flat_map(second).collect();
    assert_told(&BUDGETS, "second", &["runs", "used up"], &second, LATER);
    let [simulated, on_board] = BUDGETS.each_ref().map(|run| used(run, "second"));
    assert_eq!(simulated, [25_001; 2]);
    assert!(on_board.iter().all(|used| (25_001..25_201).contains(used)), "{on_board:?}");
}

/// In the simulator the device is there again 200 us after it was served, on the board after 50. It may come each 2 ms.
#[test]
fn t3_a_source_that_fires_at_ten_times_its_rate_is_throttled_and_nobody_waits_longer_than_proved() {
    let system = example("storm");
    let [simulated, on_board] = both(&system, "storm", "60ms", &["--fault", "storm:packet@20ms+200us*400"]);
    let begin = Line::new(0, "runs");
    let served = (0..20).map(|number| Line::new(20 * MILLISECOND + number * 2 * MILLISECOND, "runs"));
    assert_eq!(lines(&simulated, "listen", &["runs"]), [begin].into_iter().chain(served).collect::<Vec<_>>());
    let on_board_served = lines(&on_board, "listen", &["runs"]);
    let stormy: Vec<_> = on_board_served.iter().filter(|line| line.at > 22 * MILLISECOND).collect();
    let apart = |pair: &[&Line]| pair[1].at - pair[0].at;
    let distances: Vec<_> = stormy.windows(2).map(apart).collect();
    let is_its = |distance: &u64| (2 * MILLISECOND..2 * MILLISECOND + 20 * MICROSECOND).contains(distance);
    assert!(distances.len() == 18 && distances.iter().all(is_its), "{distances:?}");
    // Five milliseconds of work, and half a millisecond for each packet meanwhile.
    let done = [5, 15, 27, 37, 47, 57].map(|at| Line::new(at * MILLISECOND, "done"));
    assert_eq!(lines(&simulated, "steer", &["done", "late"]), done);
    let bound = proved(&system, "steer");
    for run in [&simulated, &on_board] {
        let responses = run.responses("steer");
        assert!(responses.len() == 6 && responses.iter().all(|response| *response <= bound), "{responses:?}");
    }
}

/// Of a kind of message, with those that are alike behind each other as one.
fn passed(run: &Run, thread: &str) -> Vec<Line> {
    let mut passed = lines(run, thread, &["message"]);
    passed.dedup_by_key(|line| {
        (line.what.contains("Beyond"), if line.what.contains("Beyond") { 0 } else { line.at })
    });
    passed
}

/// `listen` may ask for 16 bytes in 10 ms, that is twice, and `tell` may send once in 4 ms; both try without end.
#[test]
fn t4_a_client_that_babbles_is_dropped_after_so_many_requests_or_bytes_in_a_window() {
    let runs = both(&example("babble"), "babble", "60ms", &[]);
    let honest = ["message Asked 0"; 3];
    let babbling = ["message Asked 0", "message Asked 0", "message AskedBeyond 0"].repeat(3);
    for run in &runs {
        assert_eq!(words(&passed(run, "listen")), [&honest[..], &babbling[..]].concat());
        assert_eq!(lines(run, "steer", &["done", "late"]).len(), 6);
        assert_eq!(words(&lines(run, "steer", &["message"])), ["message Asked 0"; 6]);
    }
    let at = [6_900, 19_300, 39_050, 59_250].map(|at| Line::new(at * MICROSECOND, "message Sent 0"));
    let beyond = Line::new(59_770 * MICROSECOND, "message SentBeyond 0");
    assert_eq!(passed(&runs[0], "tell"), [&at[..], &[beyond]].concat());
    let told = passed(&runs[1], "tell");
    let (early, babbled) = told.split_at(4);
    assert!(early.iter().all(|line| line.what == "message Sent 0"), "{told:?}");
    let alternate = ["message SentBeyond 0", "message Sent 0"].into_iter().cycle();
    assert_eq!(words(babbled), alternate.take(babbled.len()).collect::<Vec<_>>());
    let sent: Vec<_> = told.iter().filter(|line| line.what == "message Sent 0").collect();
    assert!(sent.windows(2).all(|pair| pair[1].at - pair[0].at >= 4 * MILLISECOND), "{told:?}");
}

/// The guest knocks once a job, and tries three times to put something into the safe, where the host finds only its own.
#[test]
fn t5_a_client_without_authority_is_ignored_and_counted() {
    let system = root().join("kernel/boards/mps2-an385/stranger").display().to_string();
    for run in both(&system, "stranger", "30ms", &[]) {
        assert_eq!(words(&lines(&run, "guest", &["message", "stopped"])), ["message Sent 0"; 3]);
        let own = ["message Sent 1", "message Received 1"];
        let knock = ["message Received 0"];
        let host = [&own[..], &own[..], &knock[..], &own[..], &knock[..]].concat();
        assert_eq!(words(&lines(&run, "host", &["message", "stopped"])), host);
        let lacked = Statistics::of(&run.events, &run.names).lacked;
        let rows: Vec<_> =
            lacked.iter().map(|row| (row.thread.as_str(), row.asked.as_str(), row.times)).collect();
        assert_eq!(rows, [("guest", "sends to mailbox safe", 9)]);
    }
}

/// Where the stack of a thread lies, as `check` says.
fn stack(system: &str, thread: &str) -> (u32, u32) {
    let said = beryl(&["check", system]).ended(0);
    let row = said.lines().find(|line| line.contains(&format!("stack of {thread} ")));
    let (from, until) = row.and_then(|row| row.split_whitespace().next()?.split_once("..")).expect("its row");
    let number = |text: &str| u32::from_str_radix(text.trim_start_matches("0x"), 16).expect("an address");
    (number(from), number(until))
}

/// `wild` writes over the stack of `canary`, whose process stands beside its own, in its third job.
#[test]
fn t6_who_writes_outside_is_stopped_with_its_process_and_nobody_elses_memory_changes() {
    let system = threads("assert_memory", "app", include_str!("assert/memory.txt"));
    let path = system.display().to_string();
    let code = include_str!("assert/memory.rs");
    application(&system, "assert-memory-app", code);
    let (from, until) = stack(&path, "canary");
    application(&system, "assert-memory-app", &code.replace("0..0", &format!("{from}..{until}")));
    for run in both(&path, "assert_memory", "60ms", &[]) {
        let kinds = ["released", "done", "says", "stopped", "late"];
        let alive = ["released", "done"];
        assert_eq!(
            words(&lines(&run, "wild", &kinds)),
            [&alive.repeat(2)[..], &["released", "stopped"]].concat()
        );
        assert_eq!(words(&lines(&run, "sibling", &kinds)), alive.repeat(3));
        assert_eq!(words(&lines(&run, "canary", &kinds)), ["released", "says 1 16", "done"].repeat(6));
    }
}

/// What allocates memory is called, in Rust and in C.
const ALLOCATES: [&str; 6] = ["__rust_alloc", "__rust_realloc", "__rdl_alloc", "malloc", "realloc", "_sbrk"];

/// Who allocates in any file that was linked for a system.
fn allocators(system: &str) -> Vec<String> {
    let files = fs::read_dir(folder().join("build").join(system))
        .expect("a folder")
        .map(|entry| entry.expect("a file"));
    let linked: Vec<_> = files
        .map(|file| file.path())
        .filter(|path| path.extension().is_some_and(|end| end == "elf"))
        .collect();
    assert!(linked.len() >= 2, "a kernel and a process: {linked:?}");
    let found = |path| forbidden_symbols(&fs::read(path).expect("an image"), &ALLOCATES).expect("an image");
    linked.iter().flat_map(found).collect()
}

#[test]
fn t7_nothing_allocates_in_an_image() {
    let systems = ["helicopter", "console", "engine"];
    for name in systems {
        let _lock = common::lock(name);
        beryl(&["build", &example(name)]).ended(0);
        assert_eq!(allocators(name), Vec::<String>::new());
    }
    // It is seen where something does.
    let system = threads("assert_heap", "app", include_str!("assert/heap.txt"));
    application(&system, "assert-heap-app", include_str!("assert/heap.rs"));
    beryl(&["build", &system.display().to_string()]).ended(0);
    assert!(!allocators("assert_heap").is_empty(), "symbols are found where there are some");
}

/// Entities that come at run time, and types and times without a bound.
#[test]
fn t8_the_profile_refuses_what_is_dynamic_or_unbounded() {
    let refused = |system: &str| {
        let said = beryl(&["check", "--profile", "high-integrity", system]);
        assert_eq!(said.code, Some(1), "{said:?}");
        let rules = said.out.split("Profile high-integrity\n").nth(1).unwrap_or_default().to_owned();
        let rules = rules.lines().filter_map(|line| Some(line.trim().split_once(": ")?.0.to_owned()));
        (rules.collect::<Vec<_>>(), said.err)
    };
    let (rules, _) = refused(&example("landing"));
    let unbounded = ["proved-whole", "proved-whole", "proved-whole", "times-declared", "times-declared"];
    assert_eq!(rules, [&unbounded[..], &["no-arriving-programs"]].concat());
    let mailbox = "\n[mailbox.log]\ntype = \"int[]\"\ncapacity = 8\n";
    let system = threads("assert_unbounded", "app", &format!("{}{mailbox}", include_str!("assert/heap.txt")));
    let (rules, said) = refused(&system.display().to_string());
    assert_eq!(rules, Vec::<String>::new());
    assert!(said.contains("write a number from 1 to 4096 between the brackets"), "{said}");
}
