//! A schedule is made in idle time, from what the default scheduler did: it takes over on every machine, and
//! no value changes.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use beryl_abi::ThreadId;
use beryl_builder::board::Board;
use beryl_trace::{Happening, decode};
use common::places::{millisecond, places};
use common::{beryl, change, example, folder, left, left_text, lock};

mod common;

const TIME: [&str; 2] = ["--for", "1s"];
/// Milliseconds of the module's period.
const PERIOD: u64 = 40;

/// When programs took over in a machine's last run, in ticks.
fn swaps(system: &str, machine: &str) -> Vec<u64> {
    let events = decode(&left(system, &format!("{machine}.trace"))).expect("a whole trace");
    let swap = |event: &beryl_trace::Event| match event.happening {
        Happening::Swap { instant, .. } => Some(instant.ticks()),
        _ => None,
    };
    events.iter().filter_map(swap).collect()
}

/// A copy of the example under another name, with other words.
fn copy(name: &str, changes: &[(&str, &str)]) -> String {
    let system = folder().join("systems").join(name);
    fs::create_dir_all(&system).expect("a folder");
    for file in ["beryl.toml", "wave.tdl"] {
        fs::copy(Path::new(&example("idle")).join(file), system.join(file)).expect("a copy");
    }
    let description = system.join("beryl.toml");
    change(&description, "name = \"idle\"", &format!("name = {name:?}"));
    change(&description, "= \"app\"", "= \"../../../../examples/idle/app\"");
    changes.iter().for_each(|(from, to)| change(&description, from, to));
    system.display().to_string()
}

/// What the actuators are told on a board.
fn takes_over(board: &Board) -> String {
    let (name, period) = (board.name, PERIOD * millisecond(board));
    let said = beryl(&[&["run", &example("idle"), "--board", name], &TIME[..]].concat()).ended(0);
    let last = format!("idle: 100 actuator writes, identical on sim and {name}; 0 deadline misses");
    assert_eq!(said.lines().last(), Some(last.as_str()), "{said}");
    for line in ["a schedule of 477 bytes", "it runs"] {
        assert!(said.lines().any(|said| said.trim().ends_with(line)), "{said}");
    }
    // How many steps its check takes depends on the times in it, which are in ticks.
    let steps = if board.tick.get() == 40 { "accepted after 1361 steps" } else { "accepted after 1" };
    assert!(said.contains(steps), "{said}");
    let [simulated, run] = [format!("{name}.sim"), name.to_owned()].map(|machine| {
        let [at] = swaps("idle", &machine)[..] else { panic!("another number of swaps on {machine}") };
        assert_eq!(at % period, 0, "{machine}: where a period ends");
        left_text("idle", &format!("{machine}.recording"))
    });
    assert_eq!(simulated, run);
    run
}

#[test]
fn a_schedule_made_in_idle_time_takes_over_on_each_board() {
    let _lock = lock("idle");
    let recordings: Vec<_> = places("a schedule takes over", &[]).into_iter().map(takes_over).collect();
    let simulated = &recordings[0];
    assert!(recordings.iter().all(|recording| recording == simulated), "the same on each board");
    // Without an offer the kernel records nothing, and the default scheduler goes on.
    let _other = lock("idle_alone");
    let alone = copy("idle_alone", &[("offers = \"wave\"", "")]);
    let said = beryl(&[&["sim", &alone], &TIME[..]].concat()).ended(0);
    assert!(said.contains("no schedule: the kernel records nothing"), "{said}");
    assert!(swaps("idle_alone", "sim").is_empty());
    assert_eq!(left_text("idle_alone", "sim.recording"), *simulated);
}

/// How often in each whole period of a machine's last run a task went on after another one of the module.
fn preemptions(machine: &str, period: u64) -> Vec<u32> {
    let events = decode(&left("idle", &format!("{machine}.trace"))).expect("a whole trace");
    let (mut counts, mut begun, mut running) = (Vec::new(), HashSet::new(), None);
    let tasks: HashSet<_> = events.iter().filter_map(|event| released(event).map(|(task, _)| task)).collect();
    for event in &events {
        if let Some((task, instant)) = released(event) {
            begun.remove(&task);
            counts.resize((instant / period) as usize + 1, 0);
        }
        if let (Happening::Switch { to, .. }, Some(count)) = (&event.happening, counts.last_mut())
            && tasks.contains(to)
        {
            *count += u32::from(!begun.insert(*to) && running != Some(*to));
            running = Some(*to);
        }
    }
    counts
}

fn released(event: &beryl_trace::Event) -> Option<(ThreadId, u64)> {
    match event.happening {
        Happening::Release { task, instant, .. } => Some((task, instant.ticks())),
        _ => None,
    }
}

/// What the maker makes of three seconds on a board and in its simulation: in how many steps the kernel accepts it.
fn is_reordered(board: &Board) {
    let (name, period) = (board.name, PERIOD * millisecond(board));
    let said = beryl(&["run", &example("idle"), "--board", name, "--for", "3s"]).ended(0);
    let last = format!("idle: 300 actuator writes, identical on sim and {name}; 0 deadline misses");
    assert_eq!(said.lines().last(), Some(last.as_str()), "{said}");
    for line in ["preemptions in a period: 1", "preemptions in a period, reordered: 0"] {
        assert!(said.lines().any(|said| said.trim().ends_with(line)), "{said}");
    }
    for machine in [format!("{name}.sim"), name.to_owned()] {
        let [first, second] = swaps("idle", &machine)[..] else {
            panic!("another number of swaps on {machine}")
        };
        let counts = preemptions(&machine, period);
        let (before, after) = counts.split_at((second / period) as usize);
        assert!(first < second && before.len() > 30 && after.len() > 30, "{machine}: {first}, {second}");
        assert!(before.iter().all(|count| *count == 1), "{machine}: {before:?}");
        assert!(after.iter().all(|count| *count == 0), "{machine}: {after:?}");
    }
}

#[test]
fn the_schedule_that_runs_is_reordered_and_nobody_is_preempted_any_more() {
    let _lock = lock("idle");
    // On other boards the long task is done before the next one is released: nobody is preempted there.
    let boards = places("a schedule is reordered", &[]).into_iter();
    boards.filter(|board| board.name == "mps2-an385").for_each(is_reordered);
    // With a millisecond less to spare, the first task might be late behind the long one.
    let _other = lock("idle_tight");
    let tight = copy(
        "idle_tight",
        &[(
            "worst = \"1ms\"\nstack = \"512\"\n\n[task.learn]",
            "worst = \"2ms\"\nstack = \"512\"\n\n[task.learn]",
        )],
    );
    let said = beryl(&["sim", &tight, "--for", "3s"]).ended(0);
    assert!(said.contains("another order: the kernel refuses it"), "{said}");
    assert!(said.contains("preemptions in a period, reordered: 1"), "{said}");
    assert!(said.ends_with("idle_tight: 0 deadline misses\n"), "{said}");
}

#[test]
fn values_do_not_depend_on_execution_times_nor_on_who_schedules() {
    let _lock = lock("idle");
    let recording = |options: &[&str]| {
        let said = beryl(&[&["sim", &example("idle")], &TIME[..], options].concat()).ended(0);
        assert!(said.contains("it runs"), "{options:?}: {said}");
        left_text("idle", "sim.recording")
    };
    let worst = recording(&[]);
    for times in [&["--times", "best"][..], &["--times", "random", "--seed", "7"]] {
        assert_eq!(recording(times), worst, "{times:?}");
    }
}

#[test]
fn what_threads_cost_is_proved_whether_a_schedule_runs_or_not() {
    let rows = |said: &str| {
        let row = |task: &str| {
            let row = said.lines().find(|line| line.trim_start().starts_with(task)).expect("its row");
            let response = row.split_whitespace().nth(6).expect("its response");
            response.parse::<f64>().expect("milliseconds")
        };
        ["pulse", "smooth", "learn"].map(row)
    };
    let offered = beryl(&["check", &example("idle")]).ended(0);
    assert!(offered.contains("time-safe: every job completes"), "{offered}");
    let _lock = lock("idle_plain");
    let alone = copy("idle_plain", &[("offers = \"wave\"", "")]);
    let alone = beryl(&["check", &alone]).ended(0);
    let pairs = rows(&offered).into_iter().zip(rows(&alone));
    assert!(pairs.clone().all(|(offered, alone)| offered > alone), "{:?}", pairs.collect::<Vec<_>>());
}

/// Says what is wrong with a description.
fn refused(name: &str, changes: &[(&str, &str)], expected: &[&str]) {
    let _lock = lock(name);
    let system = copy(name, changes);
    let ran = beryl(&["check", &system]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    // Lines are broken where they would be too long.
    let said: String = ran.err.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ");
    for words in expected {
        assert!(said.contains(words), "{}", ran.err);
    }
}

#[test]
fn what_cannot_be_offered_is_refused() {
    refused(
        "idle_unknown",
        &[("offers = \"wave\"", "offers = \"wive\"")],
        &["there is no band `wive`", "did you mean `wave`?"],
    );
    refused(
        "idle_fixed",
        &[("offers = \"wave\"", "offers = \"background\"")],
        &["the tasks of band `background` can't be offered: it isn't a dynamic one", "policy \"dynamic\""],
    );
    let with_thread = [("band = \"background\"\npriority = 1", "band = \"wave\"\ndeadline = \"1s\"")];
    refused(
        "idle_thread",
        &with_thread,
        &["thread `maker` stands in band `wave`", "move the thread to another band"],
    );
    let other = "\n[[band]]\nname = \"other\"\npolicy = \"dynamic\"\n\n[task.pulse]";
    refused(
        "idle_nobody",
        &[("\n[task.pulse]", other), ("offers = \"wave\"", "offers = \"other\"")],
        &["no task of module `Wave` stands in band `other`", "name the band in which tasks of `Wave` stand"],
    );
}
