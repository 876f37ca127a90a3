//! Budgets in partitions: who spins with one stays in its windows and has no more than it there, on both machines; jobs of its
//! own partition are proved beside it, and those of another have the same responses whatever it does.

use beryl_trace::jobs::History;
use beryl_trace::{Names, decode};
use common::{application, beryl, change, left, left_text, lock, threads};

mod common;

/// In `left` a guest has 2 ms in each frame, more urgent than `resident`; two others share 1 ms, less urgent. `steady` is in
/// `right`, where nobody else is.
const THREADS: &str = r#"[process.two]
memory = "64"

[[band]]
name = "left"
policy = "fixed"
partition = "left"

[[band]]
name = "right"
policy = "fixed"
partition = "right"

[partitions]
frame = "40ms"
windows = [
    { partition = "left", from = "0ms", until = "16ms" },
    { partition = "right", from = "20ms", until = "36ms" },
]

[group.pair]
budget = "1ms"
every = "40ms"

[thread.guest]
process = "one"
band = "left"
priority = 9
entry = "quiet"
stack = "512"
budget = "2ms"
every = "40ms"

[thread.resident]
process = "two"
band = "left"
priority = 5
period = "40ms"
worst = "2ms"
entry = "steady"
stack = "512"

[thread.talker]
process = "one"
band = "left"
priority = 3
entry = "hostile"
stack = "512"
group = "pair"

[thread.visitor]
process = "two"
band = "left"
priority = 2
entry = "hostile"
stack = "512"
group = "pair"

[thread.steady]
process = "two"
band = "right"
priority = 1
period = "40ms"
offset = "21ms"
worst = "2ms"
entry = "steady"
stack = "512"
"#;

const APPLICATION: &str = r#"#![no_std]

use beryl_user::call::keep_busy;
use beryl_user::period::Period;
use beryl_user::time::{microseconds, seconds, sleep};

pub fn quiet() -> ! {
    loop {
        let _ = sleep(seconds(10));
    }
}

pub fn hostile() -> ! {
    loop {
        keep_busy(microseconds(100));
    }
}

pub fn steady(mut period: Period) -> ! {
    loop {
        keep_busy(microseconds(1500));
        period.wait();
    }
}
"#;

/// Ticks of the board's clock in a microsecond.
const MICROSECOND: u64 = 25;
/// The frame and the left window, in microseconds, and the length of a run in frames.
const FRAME: u64 = 40_000;
const WINDOW: u64 = 16_000;
const FRAMES: u64 = 6;
/// What a switch takes on the board, with all records on, in microseconds.
const LATE: u64 = 60;

/// What a thread had of the processor in each frame behind the first, in its window and out of it, in microseconds.
fn used(trace: &str, thread: &str) -> Vec<[u64; 2]> {
    let names = Names::parse(&left_text("nested", "names.json")).expect("names");
    let events = decode(&left("nested", trace)).expect("a whole trace");
    let number = names.thread_called(thread).expect(thread);
    let [frame, window] = [FRAME, WINDOW + LATE].map(|time| time * MICROSECOND);
    let mut used = vec![[0; 2]; usize::try_from(FRAMES).expect("few")];
    for run in History::of(&events).runs.iter().filter(|run| run.thread == number) {
        let (mut from, to) = (run.from.ticks(), run.to.ticks());
        while from < to {
            let begin = from / frame * frame;
            let (end, place) = match from - begin < window {
                true => (begin + window, 0),
                false => (begin + frame, 1),
            };
            if let Some(own) = used.get_mut(usize::try_from(from / frame).expect("few")) {
                own[place] += end.min(to) - from;
            }
            from = end;
        }
    }
    used.iter().skip(1).map(|own| own.map(|ticks| ticks / MICROSECOND)).collect()
}

/// What a run says of a thread's jobs: how many there were, how many are done and late; and the longest response in ticks.
fn row(said: &str, thread: &str) -> ([String; 3], u64) {
    let row = said.lines().find(|line| line.split_whitespace().next() == Some(thread));
    let words: Vec<&str> = row.unwrap_or_else(|| panic!("{said}")).split_whitespace().collect();
    let factor = if words[12] == "ms" { 1000.0 } else { 1.0 };
    let response = words[11].parse::<f64>().unwrap_or_else(|_| panic!("{words:?}")) * factor;
    ([words[1], words[2], words[3]].map(str::to_owned), (response * MICROSECOND as f64).round() as u64)
}

#[test]
fn who_spins_with_a_budget_stays_in_its_windows_and_nobody_is_late_for_it() {
    let _lock = lock("nested");
    let system = threads("nested", "app", THREADS);
    application(&system, "nested-app", APPLICATION);
    let (description, system) = (system.join("beryl.toml"), system.display().to_string());

    let said = beryl(&["check", &system]).ended(0);
    let has = |line: &str| assert!(said.contains(line), "{line} in {said}");
    has("time-safe: every job completes by its deadline");
    has("enforced: in no period do all threads of `group pair` together take more than its budget");
    has("enforced: in no period does `guest` take more than its budget");

    let length = format!("{}ms", FRAME * FRAMES / 1000);
    let runs = |command: &str| beryl(&[command, &system, "--for", &length]).everything();
    let alone = ["sim", "run"].map(runs);
    change(&description, "entry = \"quiet\"", "entry = \"hostile\"");
    assert_eq!(beryl(&["check", &system]).ended(0), said, "what the guest does isn't in the proof");
    for (command, trace, alone) in [("sim", "sim.trace", &alone[0]), ("run", "mps2-an385.trace", &alone[1])] {
        let beside = runs(command);
        let ((jobs, response), (others, other)) = (row(alone, "steady"), row(&beside, "steady"));
        assert_eq!(jobs, others, "{alone}\n{beside}");
        assert!(response.abs_diff(other) <= 1, "{response} and {other} ticks: {alone}\n{beside}");
        for thread in ["steady", "resident"] {
            assert_eq!(row(&beside, thread).0[2], "0", "nobody is late: {beside}");
        }
        // All three spin, lowered: they have all of their windows that nobody else needs, and nothing out of them.
        let all = ["guest", "talker", "visitor"].map(|thread| used(trace, thread));
        for frame in 0..all[0].len() {
            let inside: u64 = all.iter().map(|own| own[frame][0]).sum();
            let rest = WINDOW - 1500;
            assert!((rest - 800..rest + LATE).contains(&inside), "{command}, frame {frame}: {all:?}");
            assert!(all.iter().all(|own| own[frame][1] == 0), "{command}, frame {frame}: {all:?}");
        }
    }
}

#[test]
fn who_waits_for_its_budget_in_a_partition_has_no_more_than_that_in_each_frame() {
    let _lock = lock("nested");
    let text = THREADS.replace("every = \"40ms\"\n", "every = \"40ms\"\non_overrun = \"wait\"\n");
    let system = threads("nested", "app", &text.replace("entry = \"quiet\"", "entry = \"hostile\""));
    application(&system, "nested-app", APPLICATION);
    let system = system.display().to_string();
    for (command, trace) in [("sim", "sim.trace"), ("run", "mps2-an385.trace")] {
        beryl(&[command, &system, "--for", &format!("{}ms", FRAME * FRAMES / 1000)]).ended(0);
        let [guest, talker, visitor] = ["guest", "talker", "visitor"].map(|thread| used(trace, thread));
        for frame in 0..guest.len() {
            let pair = talker[frame][0] + visitor[frame][0];
            assert!((1990..2060).contains(&guest[frame][0]), "{command}, frame {frame}: {guest:?}");
            assert!((990..1120).contains(&pair), "{command}, frame {frame}: {talker:?}, {visitor:?}");
            let outside = [&guest, &talker, &visitor].map(|own| own[frame][1]);
            assert_eq!(outside, [0; 3], "{command}, frame {frame}");
        }
    }
}

#[test]
fn who_has_a_budget_that_its_windows_cannot_give_is_refused_with_what_they_have() {
    let _lock = lock("narrow");
    let system = threads("narrow", "app", &THREADS.replace("every = \"40ms\"", "every = \"20ms\""));
    application(&system, "narrow-app", APPLICATION);
    let said = beryl(&["check", &system.display().to_string()]).ended(1);
    assert!(
        said.contains("of partition left may take") && said.contains("give it longer windows"),
        "half of the frame is no window of its own: {said}"
    );
}
