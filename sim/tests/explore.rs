//! Exploring: states are counted as one counts by hand, runs merge where nothing of the past is left, and all
//! that can come does.

mod controller;

use std::collections::BTreeSet;

use beryl_abi::{Instant, Line};
use beryl_sim::{ExecutionTimes, Explored, Known, Options, Scenario, Stop, ThreadCode, explore, run_planned};
use controller::{SYSTEM, simulation, threads, threads_taking};

/// What a whole search came to.
#[derive(Debug, Default, PartialEq, Eq)]
struct Searched {
    runs: usize,
    states: usize,
    /// Whole runs, by their trace.
    ended: BTreeSet<Vec<u8>>,
    cut: usize,
}

const BETWEEN: u8 = 0;

fn options(until: u64, stop: Option<Stop>) -> Options {
    let times = ExecutionTimes::Chosen { between: BETWEEN };
    Options { times, stop, ..Options::until(Instant::from_ticks(until)) }
}

/// Explores all runs of the controller with this code: after each run, what it could have picked instead of
/// each of its new picks.
fn search(threads: &[ThreadCode], until: u64, merges: bool, plan: &Scenario) -> Searched {
    let mut known = Known::new(merges);
    let mut open = vec![Vec::new()];
    let mut searched = Searched::default();
    while let Some(picks) = open.pop() {
        let planned = picks.len();
        let plan = Scenario { picks, ..plan.clone() };
        let Explored { made, is_cut, trace } =
            explore(simulation(&SYSTEM, threads), &options(until, None), &plan, &mut known).expect("a run");
        searched.runs += 1;
        let path: Vec<u8> = made.iter().map(|(choice, _)| choice.pick).collect();
        for (place, (choice, _)) in made.iter().enumerate().skip(planned) {
            open.extend((1..choice.options).map(|pick| [&path[..place], &[pick]].concat()));
        }
        match is_cut {
            true => searched.cut += 1,
            false => _ = searched.ended.insert(trace),
        }
    }
    Searched { states: known.count(), ..searched }
}

/// Times of one task, and of none else; the other is fixed, and drivers take nothing.
fn one_choice_a_period() -> Vec<ThreadCode> {
    let mut all = threads_taking(5, 10).to_vec();
    all[0].worst = beryl_abi::Duration::from_ticks(30);
    all
}

/// `fast` has a job every 100 ticks, which takes 30 or 5. Without comparing, k jobs are a tree of
/// 2 + 4 + ... + 2^k states and 2^k runs. With comparing, nothing of a job is left when the next one begins, so there are
/// two states a job, and every run that takes another way ends where the next job picks its time.
#[test]
fn states_are_counted_as_by_hand() {
    let threads = one_choice_a_period();
    for jobs in 1..=6_u32 {
        let until = u64::from(jobs) * 100 - 1;
        let all = search(&threads, until, false, &Scenario::default());
        let two_to_the = 2_usize.pow(jobs);
        assert_eq!((all.states, all.runs, all.cut), (2 * two_to_the - 2, two_to_the, 0), "{jobs} jobs");
        assert_eq!(all.ended.len(), two_to_the, "each run is another");

        let merged = search(&threads, until, true, &Scenario::default());
        let jobs = usize::try_from(jobs).expect("few");
        assert_eq!((merged.states, merged.ended.len()), (2 * jobs, 2), "{jobs} jobs");
        // The first run; and for each job but the last, the other time, then cut at the next job's first
        // pick, and that job's other time again.
        assert_eq!((merged.runs, merged.cut), (2 * jobs, 2 * jobs - 2), "{jobs} jobs");
    }
}

/// Merging hides nothing: every job's end that some run has, some run of the merged search has.
#[test]
fn every_instant_that_any_run_has_is_found() {
    let ends = |merges| {
        let mut known = Known::new(merges);
        let mut open = vec![Vec::new()];
        let mut ends = BTreeSet::new();
        while let Some(picks) = open.pop() {
            let plan = Scenario { picks: picks.clone(), ..Scenario::default() };
            let run = explore(simulation(&SYSTEM, &threads()), &options(399, None), &plan, &mut known)
                .expect("a run");
            ends.extend(
                controller::records::lines(&run.trace).into_iter().filter(|line| line.contains("omplete")),
            );
            let path: Vec<u8> = run.made.iter().map(|(choice, _)| choice.pick).collect();
            for place in picks.len()..path.len() {
                open.push([&path[..place], &[1]].concat());
            }
        }
        (ends, known.count())
    };
    let ((all, tree), (merged, states)) = (ends(false), ends(true));
    assert_eq!(all, merged);
    assert!(states * 10 < tree, "{states} states of {tree}");
}

/// A plan's run is the same again, whoever makes it.
#[test]
fn a_plan_is_a_run() {
    let threads = threads();
    let plan = Scenario { picks: vec![1, 0, 1, 1], ..Scenario::default() };
    let mut known = Known::new(true);
    let explored =
        explore(simulation(&SYSTEM, &threads), &options(300, None), &plan, &mut known).expect("a run");
    let again = run_planned(
        simulation(&SYSTEM, &threads),
        Box::new(beryl_sim::Nobody),
        &options(300, None),
        &Scenario {
            picks: explored.made.iter().map(|(choice, _)| choice.pick).collect(),
            ..Scenario::default()
        },
    );
    assert_eq!(explored.trace, again.expect("a run").trace);
    assert!(explored.made.len() > 4 && !explored.is_cut);
}

/// The same picks come to the same states; another pick, or another time of somebody who is kept, to others.
#[test]
fn prints_tell_states_apart() {
    let threads = one_choice_a_period();
    let prints = |picks: &[u8], keep: bool| {
        let keep = if keep { vec![beryl_sim::Past::All(controller::FAST)] } else { Vec::new() };
        let plan = Scenario { picks: picks.to_vec(), keep, ..Scenario::default() };
        let run = explore(simulation(&SYSTEM, &threads), &options(399, None), &plan, &mut Known::new(true));
        run.expect("a run").made.into_iter().map(|(_, print)| print).collect::<Vec<_>>()
    };
    let [first, other] = [prints(&[0, 0], false), prints(&[1, 0], false)];
    assert_eq!(first, prints(&[0, 0], false));
    assert!(first[0] != other[0] && first[1..] == other[1..], "{first:x?} {other:x?}");
    let [first, other] = [prints(&[0, 0], true), prints(&[1, 0], true)];
    assert!(first.iter().zip(&other).all(|(one, other)| one != other), "the past is part of the state");
}

/// An interrupt that may come is a choice between two. Nobody has unmasked line 3, so it makes no difference.
#[test]
fn chances_come_or_not() {
    let threads = threads_taking(5, 10);
    let at = |ticks| (Instant::from_ticks(ticks), Line(3));
    let plan = Scenario { chances: vec![at(50), at(150)], ..Scenario::default() };
    let searched = search(&threads, 300, false, &plan);
    assert_eq!((searched.runs, searched.states, searched.ended.len()), (4, 6, 1));
}
