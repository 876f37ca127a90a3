//! The load is what counting tick by tick gives.

use beryl_testing::{Draw, SplitMix64};

use super::*;
use crate::event::{Event, Happening};

const IDLE: ThreadId = ThreadId(3);

fn names() -> Names {
    Names::parse(include_str!("../../tests/names.json")).expect("names")
}

fn history(switches: &[(u64, u8)]) -> History {
    let mut runner = IDLE;
    let switch = |(ticks, to): &(u64, u8)| {
        let from = std::mem::replace(&mut runner, ThreadId(*to));
        let happening = Happening::Switch { from, to: ThreadId(*to) };
        Event { time: Instant::from_ticks(*ticks), happening }
    };
    History::of(&switches.iter().map(switch).collect::<Vec<_>>())
}

/// The steps of each curve that has any but zeros, as ticks of 40 ns and percent.
fn told(load: &Load, every: u64, from: u64, to: u64) -> Vec<(String, Vec<(u64, f64)>)> {
    let at = |ticks: u64| LogicalInstant::from_nanoseconds(ticks * 40);
    let curves = load.curves(Nanoseconds::new(every * 40), at(from), at(to));
    let steps = |curve: Curve| {
        let steps =
            curve.steps.iter().map(|step| (step.at.nanoseconds() / 40, step.number.value())).collect();
        (curve.name, steps)
    };
    curves.into_iter().map(steps).collect()
}

#[test]
fn windows_begin_at_multiples_and_end_with_the_run() {
    let names = names();
    assert!(names.known_thread(IDLE).is_some_and(|known| known.kind == ThreadKind::Idle), "{names:?}");
    // The run begins at 5 and ends at 32.
    let load = Load::of(&history(&[(5, 0), (10, 1), (12, 3), (20, 0), (32, 3)]), &names);
    let [one, two] = [0, 1].map(|thread| format!("load of {}", names.thread(ThreadId(thread))));
    let all = [
        (LOAD.to_owned(), vec![(5, 100.0), (10, 20.0), (20, 100.0), (30, 100.0)]),
        (one.clone(), vec![(5, 100.0), (10, 0.0), (20, 100.0), (30, 100.0)]),
        (two.clone(), vec![(5, 0.0), (10, 20.0), (20, 0.0), (30, 0.0)]),
    ];
    assert_eq!(told(&load, 10, 0, 1000), all);
    let part = [
        (LOAD.to_owned(), vec![(12, 0.0), (18, 66.67)]),
        (one, vec![(12, 0.0), (18, 66.67)]),
        (two, vec![(12, 0.0), (18, 0.0)]),
    ];
    assert_eq!(told(&load, 6, 13, 24), part);
}

#[test]
fn the_longer_name_is_for_where_the_shorter_one_is_taken() {
    let named = |name: &str| Curve {
        name: name.to_owned(),
        unit: None,
        steps: vec![],
        end: LogicalInstant::default(),
        is_beside: false,
    };
    let names = names();
    let load = || Load::of(&history(&[(5, 0), (10, 3)]), &names);
    let called = |load: Load| told(&load, 10, 0, 100).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    let own = format!("load of {}", names.thread(ThreadId(0)));
    for (taken, expected) in [
        ("load", LOAD_OF_ALL),
        ("load.left", LOAD_OF_ALL),
        ("load[0]", LOAD_OF_ALL),
        ("loads", LOAD),
        ("pump.load", LOAD),
    ] {
        assert_eq!(called(load().beside(&[named("other"), named(taken)])), [expected, &own], "{taken}");
    }
    assert_eq!(called(load().in_full()), [LOAD_OF_ALL, &own]);
}

#[test]
fn nothing_has_no_load() {
    let load = Load::of(&History::of(&[]), &names());
    assert_eq!(told(&load, 10, 0, 1000), [(LOAD.to_owned(), vec![])]);
}

/// Random runs and windows beside a count of ticks.
#[test]
fn load_is_what_counting_gives() {
    let names = names();
    for seed in 0..60 {
        let mut random = SplitMix64(seed);
        let mut at = random.within(0, 20);
        let mut switches = Vec::new();
        for _ in 0..random.within(0, 40) {
            switches.push((at, u8::try_from(random.within(0, 3)).expect("small")));
            at += random.within(0, 9);
        }
        let load = Load::of(&history(&switches), &names);
        let every = 1 + random.within(0, 30);
        let (Some(first), Some(last)) = (switches.first(), switches.last()) else { continue };
        let runner =
            |tick: u64| switches.iter().rev().find(|(from, _)| *from <= tick).map(|(_, thread)| *thread);
        for (name, steps) in told(&load, every, 0, at) {
            let is_own = |thread: u8| match name.strip_prefix("load of ") {
                Some(own) => own == names.thread(ThreadId(thread)),
                None => thread != IDLE.0,
            };
            let windows = (first.0 / every..last.0.div_ceil(every))
                .map(|window| ((window * every).max(first.0), ((window + 1) * every).min(last.0)))
                .filter(|(from, to)| from < to);
            let expected: Vec<(u64, f64)> = windows
                .map(|(from, to)| {
                    let used = (from..to).filter(|tick| runner(*tick).is_some_and(is_own)).count();
                    (from, (used as f64 / (to - from) as f64 * 1e4).round() / 100.0)
                })
                .collect();
            assert_eq!(steps, expected, "seed {seed}, {name}, every {every}");
        }
    }
}

#[test]
fn lengths_are_round() {
    let ns = Nanoseconds::new;
    let round = |time, most, least| super::round(ns(time), most, ns(least)).number();
    assert_eq!(
        [round(1000, 100, 1), round(1001, 100, 1), round(0, 100, 40), round(4_010_000_000, 200, 1)],
        [10, 20, 50, 50_000_000]
    );
    assert_eq!(round(u64::MAX, 1, 1), u64::MAX);
}
