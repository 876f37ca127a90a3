//! The map building of Mumolo, Nolich and Lenac, *A real-time embedded kernel for nonvisual robotic sensors*
//! (Yartek): ten tasks without preemption, earliest deadline first, over their whole hyperperiod of 6000 ms,
//! in the simulator and on the board.
//!
//! Their kernel looks at deadlines while it runs; here the order is system code that the builder made of
//! them. The paper's figure 7 draws in black what is left for requests: a thread below the schedule has it.

use beryl_trace::{Happening, Names, decode};
use common::{TWIN, beryl, left, left_text, lock, root};

mod common;

const HYPERPERIOD: u64 = 6_000;
const LAST_LINE: &str = "sonars: 12 actuator writes, identical on sim and mps2-an385; 0 deadline misses";
/// Ticks of a millisecond.
const MILLISECOND: u64 = 25_000;

const SONARS: [&str; 7] = ["sonar1", "sonar2", "sonar3", "sonar4", "sonar5", "sonar6", "update"];
const ODOMETERS: [&str; 2] = ["odo1", "odo2"];
const ANTISENSOR: [&str; 1] = ["antisensor"];

/// What runs without a pause, and from when on, in ms: rows of jobs with the instant of their release, in their order.
type Burst = (u64, &'static [(u64, &'static [&'static str])]);
const BURSTS: [Burst; 14] = [
    (0, &[(0, &SONARS), (0, &ODOMETERS), (0, &ANTISENSOR)]),
    (500, &[(500, &SONARS)]),
    // The odometers' instant comes while the map is updated: they wait for its end.
    (1000, &[(1000, &SONARS), (1200, &ODOMETERS)]),
    (1500, &[(1500, &SONARS)]),
    (2000, &[(2000, &SONARS), (2000, &ANTISENSOR)]),
    (2400, &[(2400, &ODOMETERS)]),
    (2500, &[(2500, &SONARS)]),
    (3000, &[(3000, &SONARS)]),
    (3500, &[(3500, &SONARS), (3600, &ODOMETERS)]),
    (4000, &[(4000, &SONARS), (4000, &ANTISENSOR)]),
    (4500, &[(4500, &SONARS)]),
    (4800, &[(4800, &ODOMETERS)]),
    (5000, &[(5000, &SONARS)]),
    (5500, &[(5500, &SONARS)]),
];

/// What is left for requests, in ms: worked out from the paper's numbers alone.
const LEFT: [(u64, u64); 14] = [
    (280, 500),
    (720, 1000),
    (1260, 1500),
    (1720, 2000),
    (2240, 2400),
    (2440, 2500),
    (2720, 3000),
    (3220, 3500),
    (3760, 4000),
    (4240, 4500),
    (4720, 4800),
    (4840, 5000),
    (5220, 5500),
    (5720, 6000),
];

/// How long a job takes, in ms.
fn length(task: &str) -> u64 {
    if task == "update" { 100 } else { 20 }
}

/// Everything that happens over the hyperperiod, a line each.
fn expected() -> Vec<String> {
    let mut lines = Vec::new();
    for ((begin, rows), (left, next)) in BURSTS.iter().zip(LEFT) {
        let mut now = *begin;
        for (released, tasks) in *rows {
            for task in *tasks {
                lines.push(format!("{task} of {released}: {now} to {}", now + length(task)));
                now += length(task);
            }
        }
        assert_eq!(now, left, "the burst of {begin} ends where the paper's does");
        lines.push(format!("requests: {left} to {next}"));
    }
    lines
}

/// Who had the processor, from when to when, in whole ms, jobs with the instant of their release.
fn happened(machine: &str) -> Vec<String> {
    let names = Names::parse(&left_text("sonars", "names.json")).expect("names");
    let events = decode(&left("sonars", &format!("{machine}.trace"))).expect("a whole trace");
    let mut released = std::collections::BTreeMap::new();
    let mut stretches: Vec<(String, u64)> = Vec::new();
    for event in &events {
        match &event.happening {
            Happening::Release { task, instant, .. } => {
                released.insert(names.thread(*task), instant.ticks() / MILLISECOND);
            }
            Happening::Switch { to, .. } => {
                let name = names.thread(*to);
                let of = released.get(&name).map(|released| format!(" of {released}")).unwrap_or_default();
                stretches.push((name + &of, (event.time.ticks() + MILLISECOND / 2) / MILLISECOND));
            }
            Happening::Miss { .. } | Happening::Violation { .. } => {
                stretches.push(("late".into(), HYPERPERIOD))
            }
            _ => {}
        }
    }
    stretches.push(("the end".into(), HYPERPERIOD));
    // What takes less than half a millisecond isn't seen: drivers, and whoever was interrupted by them goes on.
    let mut runs: Vec<(String, u64, u64)> = Vec::new();
    for pair in stretches.windows(2) {
        let [(name, from), (_, to)] = pair else { continue };
        match runs.last_mut() {
            _ if from == to => {}
            Some((last, _, end)) if last == name => *end = *to,
            _ => runs.push((name.clone(), *from, *to)),
        }
    }
    runs.into_iter().map(|(name, from, to)| format!("{name}: {from} to {to}")).collect()
}

fn system() -> String {
    root().join("cli/tests/sonars").display().to_string()
}

#[test]
fn yarteks_schedule_over_6000_ms_runs_on_both_machines() {
    let _lock = lock("sonars");
    let said = beryl(&["run", &system(), "--for", "6s"]).ended(0);
    assert_eq!(said.lines().last(), Some(LAST_LINE), "{said}");
    let expected = expected();
    assert_eq!(expected.len(), 97 + LEFT.len(), "twelve times seven jobs, five times two, three");
    assert_eq!(LEFT.iter().map(|(from, to)| to - from).sum::<u64>(), 3_100);
    for machine in [TWIN, "mps2-an385"] {
        assert_eq!(happened(machine), expected, "{machine}");
    }
}

/// Its order is that of the system code which `check` lists: a dispatch a job.
#[test]
fn the_schedule_is_a_dispatch_a_job() {
    let said = beryl(&["check", &system()]).ended(0);
    assert!(said.contains("time-safe: every job completes within its logical execution time"), "{said}");
    let code = said.lines().skip_while(|line| !line.contains("module schedule_of_map: 468 bytes"));
    let dispatched: Vec<_> =
        code.filter_map(|line| line.split_once("dispatch ")).map(|(_, task)| task).collect();
    let rows = BURSTS.iter().flat_map(|(_, rows)| *rows).flat_map(|(_, tasks)| *tasks);
    assert_eq!(dispatched, rows.copied().collect::<Vec<_>>(), "{said}");
}
