//! Chains of ports: the times that are computed from the modules, against what the generated code does with
//! every sample.

use std::path::Path;

use beryl_analysis::chain::{Class, Longest};
use beryl_builder::proof::{ChainTimes, chains};
use beryl_builder::{Project, Variant};
use beryl_testing::{Draw, SplitMix64 as Random};
use beryl_timing::Activity;
use common::programs::Writer;
use common::story::{Story, by_the_code};
use common::{described, project, try_project};

mod common;

const HELICOPTER: &str = include_str!("../../examples/helicopter/helicopter.tdl");

fn milliseconds(longest: Longest) -> u64 {
    match longest {
        Longest::Within(ticks) => ticks.get() / 25_000,
        other => panic!("{other:?}"),
    }
}

/// Each chain in words, with its latency and age in milliseconds.
fn said(project: &Project) -> Vec<String> {
    let rows = chains(&project.assembly).rows;
    let line = |row: &ChainTimes| {
        let times = row.found.as_ref().expect("it is small").switching;
        format!("{} {} {}", row.names.join(" "), milliseconds(times.latency), milliseconds(times.age))
    };
    rows.iter().map(line).collect()
}

#[test]
fn the_helicopters_chains_have_the_times_by_hand() {
    let tasks = [("one", "navigate"), ("two", "control")];
    let drivers = [("one", "read_gps"), ("one", "read_attitude"), ("two", "set_rotor")];
    // Of `navigate`'s two samples in 20 ms, `control` reads the later: taken at 10, read at 20, flown at 40.
    // What changes just after it is in the sample at 30, flown at 60. `control` itself samples at 0, flown at
    // 20; a change just after waits for the sample at 20, flown at 40.
    let expected = [
        "gps navigate control rotor 50 30",
        "attitude navigate control rotor 50 30",
        "attitude control rotor 40 20",
    ];
    assert_eq!(said(&project(HELICOPTER, &tasks, &drivers)), expected);
}

const TWO: &str = "module Sense {
  sensor int level uses read;
  public task filter { input int raw; output int mean := 0; uses filter_impl(raw, mean); }
  start mode run [period = 5ms] { task [freq = 1] filter(level); }
}
module Act {
  import Sense;
  sensor int level uses read;
  actuator int valve := 0 uses set;
  task decide { input int mean; input int level; output int open := 0; uses decide_impl(mean, level, open); }
  start mode run [period = 20ms] {
    task     [freq = 2] decide(Sense.filter.mean, level);
    actuator [freq = 2] valve := decide.open;
  }
}";

#[test]
fn chains_go_through_modules_and_name_what_has_one_name_twice() {
    let tasks = [("one", "filter"), ("two", "decide")];
    let project = project(TWO, &tasks, &[("one", "read"), ("two", "set")]);
    // `filter` samples at 5, publishes at 10; `decide` reads it then, for the update at 20: 15 old. Just
    // after 5, the next sample that is read is that at 15: for the update at 30.
    assert_eq!(said(&project), ["Sense.level filter decide valve 25 15", "Act.level decide valve 20 10"]);
}

#[test]
fn a_switch_without_a_guard_is_always_taken() {
    let text = "module Turns {
      sensor int level uses read;
      actuator int valve := 0 uses set;
      task decide { input int level; output int open := 0; uses decide_impl(level, open); }
      start mode work [period = 10ms] {
        task     [freq = 1] decide(level);
        actuator [freq = 1] valve := decide.open;
        mode     [freq = 1] rest;
      }
      mode rest [period = 5ms] { mode [freq = 1] work; }
    }";
    // The start takes the switch at once. Sampled at 5, flown at 15; the next sample at 20 is flown at 30.
    let drivers = [("one", "read"), ("two", "set")];
    assert_eq!(said(&project(text, &[("one", "decide")], &drivers)), ["level decide valve 25 10"]);
}

/// The updates at the end of a chain that follow from a sample: when, and when it was taken.
fn updates(names: &[String], story: &Story) -> Vec<(u64, u64)> {
    let (sensor, rest) = names.split_first().expect("a sensor");
    let (actuator, tasks) = rest.split_last().expect("an actuator");
    let (mut published, mut read) = (vec![None; tasks.len()], vec![None; tasks.len()]);
    let mut updates = Vec::new();
    let source = |place: usize| match place.checked_sub(1) {
        Some(before) => format!("{}.x", tasks[before]),
        None => sensor.clone(),
    };
    let copies = tasks.iter().enumerate().map(|(place, task)| format!("copy {} to {task}", source(place)));
    let copies: Vec<String> = copies.collect();
    let publications: Vec<String> = tasks.iter().map(|task| format!("publish {task}")).collect();
    let set = format!("set {actuator} to {}", source(tasks.len()));
    for (&now, lines) in story {
        for line in lines {
            if let Some(place) = copies.iter().position(|copy| copy == line) {
                read[place] = marked(&published, place, now);
            } else if let Some(place) = publications.iter().position(|publication| publication == line) {
                published[place] = read[place].take();
            } else if *line == set {
                updates.extend(marked(&published, tasks.len(), now).map(|taken| (now, taken)));
            }
        }
    }
    updates
}

/// When the sample was taken from which follows what a stage reads now.
fn marked(published: &[Option<u64>], stage: usize, now: u64) -> Option<u64> {
    match stage.checked_sub(1) {
        Some(before) => published[before],
        None => Some(now),
    }
}

/// The longest times in a story; a change may come after any instant, and is followed if it arrives before the end.
fn longest(updates: &[(u64, u64)], horizon: u64) -> (Option<u64>, Option<u64>) {
    let age = updates.iter().map(|(now, taken)| now - taken).max();
    let latency = (0..horizon).filter_map(|change| {
        let (now, _) = updates.iter().find(|(_, taken)| *taken > change)?;
        Some(now - change)
    });
    (latency.max(), age)
}

/// The project of a seed, and the names of guards at switches.
fn random_project(seed: u64) -> (Project, Vec<String>) {
    let (text, tasks, guards) = Writer::program(seed);
    let tasks: Vec<_> = tasks.iter().map(|task| ("one", task.as_str())).collect();
    let names: Vec<String> = (0..guards).map(|guard| format!("g{guard}")).collect();
    let mut drivers: Vec<_> = names.iter().map(|guard| ("two", guard.as_str())).collect();
    drivers.extend([("one", "read"), ("two", "set")]);
    let project = try_project(&text, described("", &tasks, &drivers))
        .unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}\n{text}"));
    // Expressions go by their texts, so one may be asked by an activity, too, and says yes there.
    let modes = || project.model.modules.iter().flat_map(|module| &module.modes);
    let of_activities: Vec<_> =
        modes().flat_map(|mode| mode.activities.iter().filter_map(Activity::guard)).collect();
    let of_switches =
        modes().flat_map(|mode| mode.switches.iter().filter_map(|switch| switch.guard.as_ref()));
    let switching = of_switches.map(|guard| guard.function.clone());
    let switching =
        switching.filter(|name| of_activities.iter().all(|guard| guard.function != *name)).collect();
    (project, switching)
}

#[test]
fn no_sample_of_random_programs_takes_longer_and_the_bounds_are_reached() {
    const HORIZON: u64 = 400;
    let (mut compared, mut latencies, mut ages) = (0, 0, 0);
    for seed in 0..120 {
        let (project, switching) = random_project(seed);
        // Guards of activities say yes, those of switches one time in three, another time in each run.
        let stories: Vec<Story> = (0..6_u64)
            .map(|run| {
                let verdict = |guard: &str, now: u64| {
                    let said = guard
                        .bytes()
                        .fold(run, |sum: u64, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
                    !switching.iter().any(|name| name == guard)
                        || Random(said.wrapping_add(now * 7919)).chance(33)
                };
                by_the_code(&project, HORIZON, verdict)
            })
            .collect();
        for row in chains(&project.assembly).rows {
            let found = row.found.as_ref().unwrap_or_else(|failure| panic!("seed {seed}: {failure}"));
            let (mut worst_latency, mut worst_age) = (None, None);
            for story in &stories {
                let (latency, age) = longest(&updates(&row.names, story), HORIZON);
                worst_latency = worst_latency.max(latency);
                worst_age = worst_age.max(age);
            }
            let bound = |longest: Longest| match longest {
                Longest::Within(ticks) => Some(ticks.get() / 25_000),
                Longest::Never => None,
                Longest::Unbounded => Some(u64::MAX),
            };
            let times = found.switching;
            let line =
                format!("seed {seed}: {:?} {found:?}, seen {worst_latency:?} {worst_age:?}", row.names);
            assert!(worst_latency <= bound(times.latency) && worst_age <= bound(times.age), "{line}");
            if times.is_whole() {
                compared += 1;
                let is_exact = found.class == Class::Exact;
                latencies += usize::from(is_exact && worst_latency == bound(times.latency));
                ages += usize::from(is_exact && worst_age == bound(times.age));
            }
        }
    }
    println!("{compared} chains with bounds; {latencies} latencies and {ages} ages were reached");
    assert!(
        compared > 100 && latencies * 4 > compared * 3 && ages * 4 > compared * 3,
        "{compared} {latencies} {ages}"
    );
}

/// With values of the same instant the chain takes what its last task takes, and the same program longer without them.
#[test]
fn the_stages_chain_is_shorter_with_values_of_the_same_instant() {
    let relay = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/relay");
    let project = Project::load(&relay, Variant::default()).unwrap_or_else(|wrong| panic!("{wrong}"));
    // All three work on the sample at 0, which is told at 20. What changes just after it is in that at 20, told at 40.
    assert_eq!(said(&project), ["place filter estimate control motor 40 20"]);
}
