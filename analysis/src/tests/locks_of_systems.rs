//! Locks and sporadic tasks in whole systems: by hand, and compared with the tests for lists.

use beryl_testing::{Draw, SplitMix64 as Random};

use super::jobs;
use super::*;
use crate::demand::Load;
use crate::fixed_priority::blocking::{Section, ceiling};
use crate::fixed_priority::response_times;

fn urgency(system: &System, band: usize, task: usize) -> Urgency {
    let row = &system.bands[band].tasks[task];
    Urgency { band, priority: row.priority, shortest: row.deadline, longest: row.deadline }
}

/// A lock and its users, each given by band and position, with the time that it holds the lock.
fn lock(system: &System, protocol: Protocol, users: &[((usize, usize), u64)]) -> Lock {
    let user = |&((band, task), hold): &((usize, usize), u64)| User {
        thread: 10 * band + task,
        urgency: Some(urgency(system, band, task)),
        hold: ticks(hold),
    };
    Lock { name: "lock".into(), protocol, users: users.iter().map(user).collect() }
}

fn blocking(system: &System) -> Vec<Vec<u64>> {
    let bands = Load::of(system).unwrap().blocking;
    bands.iter().map(|band| band.of_tasks.iter().map(|time| time.get()).collect()).collect()
}

/// A dynamic band above a fixed one.
fn combined() -> System {
    let mut system = dynamic(vec![task("a", 20, 2), task("b", 50, 5)]);
    let low = vec![task("c", 100, 6), task("d", 200, 7), task("e", 400, 8)];
    system.bands.push(band(Policy::Fixed, by_order(low)));
    system
}

/// A ceiling lock of `a` and `d` blocks all tasks between them; of two locks, the longer one counts.
#[test]
fn ceilings_reach_over_bands() {
    let mut system = combined();
    system.locks = vec![lock(&system, Protocol::Ceiling, &[((0, 0), 1), ((1, 1), 4)])];
    assert_eq!(blocking(&system), [vec![4, 4], vec![4, 0, 0]]);
    system.locks.push(lock(&system, Protocol::Ceiling, &[((1, 0), 1), ((1, 2), 5)]));
    assert_eq!(blocking(&system), [vec![4, 4], vec![5, 5, 0]]);
    let proof = prove(&system).unwrap();
    let told: Vec<u64> =
        proof.bands.iter().flat_map(|band| &band.tasks).map(|task| task.blocking.get()).collect();
    assert_eq!(told, [4, 4, 5, 5, 0]);
    // 2 + 4; 5 + 2 + 4; 6 + 5 + 7; 7 + 6 + 5 + 2 * 2 + 5; 8 + 7 + 6 + 5 + 2 * 2.
    assert_eq!(responses(&proof), [6, 11, 18, 27, 30]);
}

/// Under inheritance every less urgent thread counts once; of sections under ceilings, one counts; a thread
/// of unknown urgency counts for all.
#[test]
fn inheritance_counts_each_thread() {
    let mut system = combined();
    let users = [((0, 0), 1), ((1, 0), 2), ((1, 2), 3)];
    system.locks = vec![lock(&system, Protocol::Inheritance, &users)];
    assert_eq!(blocking(&system), [vec![5, 5], vec![3, 3, 0]]);
    system.locks.push(lock(&system, Protocol::Ceiling, &[((0, 1), 1), ((1, 2), 5)]));
    // In a window of 20, `b` isn't due: no task as urgent uses the second lock.
    assert_eq!(blocking(&system), [vec![5, 2 + 5], vec![5, 5, 0]]);
    system.locks[0].users.push(User { thread: 99, urgency: None, hold: ticks(4) });
    // Another job of `a` may delay the unknown one.
    assert_eq!(blocking(&system), [vec![5 + 4 + 1, 2 + 5 + 4 + 1], vec![9, 9, 4]]);
}

/// A thread that may hold one lock while waiting for another makes those waiting for it wait for that one,
/// too.
#[test]
fn inheritance_goes_along_chains() {
    let mut system = combined();
    system.locks = vec![
        lock(&system, Protocol::Inheritance, &[((0, 0), 1), ((1, 0), 2)]),
        lock(&system, Protocol::Inheritance, &[((1, 0), 1), ((1, 1), 3)]),
    ];
    assert_eq!(blocking(&system), [vec![5, 5], vec![3, 0, 0]]);
}

/// A schedule doesn't model locks: if only the schedule would prove a band, blocking leaves it unproved.
#[test]
fn a_schedule_decides_nothing_where_there_is_blocking() {
    let early = Task { deadline: ticks(5), ..task("early", 10, 4) };
    let late = Task { offset: ticks(5), ..early.clone() };
    let mut system = dynamic(vec![early, late]);
    assert_eq!(prove(&system).unwrap().bands[0].method, Method::Schedule);
    system.locks = vec![lock(&system, Protocol::Inheritance, &[((0, 0), 1), ((0, 1), 1)])];
    assert!(matches!(prove(&system), Err(Failure::NotProved { .. })));
    // A task that comes at any time isn't at its offset.
    let mut system = System { locks: Vec::new(), ..system };
    system.bands[0].tasks[1].is_sporadic = true;
    assert!(matches!(prove(&system), Err(Failure::NotProved { .. })));
}

/// A sporadic task causes no entry into system code, only releases.
#[test]
fn sporadic_tasks_enter_no_system_code() {
    let mut system = fixed(vec![task("a", 20, 2), task("b", 30, 3)]);
    system.costs = KernelCosts { instant: ticks(2), release: ticks(1), ..KernelCosts::default() };
    // Two entries, two releases.
    assert_eq!(responses(&prove(&system).unwrap()), [8, 11]);
    system.bands[0].tasks[1].is_sporadic = true;
    assert_eq!(responses(&prove(&system).unwrap()), [6, 9]);
    system.bands[0].tasks[1].jitter = ticks(20);
    assert_eq!(responses(&prove(&system).unwrap()), [6, 20 + 9]);
    // `b` may come at 26 late and at 30: twice in less than 6.
    system.bands[0].tasks[1].jitter = ticks(26);
    let load = Load::of(&system).unwrap();
    let analysis = crate::proof::analyse(&load, 0, Policy::Fixed).unwrap();
    assert_eq!(analysis.responses, [7, 26 + 10].map(ticks));
}

/// The same verdict as the test for lists, and response times within the deadlines if and only if it holds.
#[test]
fn one_dynamic_band_is_what_the_stack_resource_policy_is() {
    let (mut held, mut refused) = (0, 0);
    for seed in 0..3000 {
        let mut random = Random(seed);
        let tasks = lists(&mut random);
        let sections = sections(&tasks, &mut random);
        let mut system = dynamic(tasks.iter().map(as_task).collect());
        system.locks = locks(&system, &sections);
        let load = Load::of(&system).unwrap();
        let analysis = crate::proof::analyse(&load, 0, Policy::Dynamic).unwrap();
        let holds = edf::blocking::holds(&tasks, &sections).unwrap();
        assert_eq!(analysis.holds, holds, "seed {seed}: {tasks:?} {sections:?}");
        let in_time =
            analysis.responses.iter().zip(&tasks).all(|(response, task)| *response <= task.deadline);
        assert_eq!(in_time, holds, "seed {seed}: {tasks:?} {sections:?} {:?}", analysis.responses);
        held += u32::from(holds);
        refused += u32::from(!holds && edf::holds(&tasks).unwrap());
    }
    assert!(held > 300 && refused > 100, "{held} {refused}");
}

/// The same response times as the test for lists.
#[test]
fn one_fixed_band_is_what_response_times_with_ceilings_are() {
    for seed in 0..3000 {
        let mut random = Random(seed);
        let tasks = lists(&mut random);
        let sections = sections(&tasks, &mut random);
        let mut system = fixed(tasks.iter().map(as_task).collect());
        system.locks = locks(&system, &sections);
        let blocking = ceiling(tasks.len(), &sections);
        let Ok(theirs) = response_times(&tasks, &blocking) else { continue };
        let load = Load::of(&system).unwrap();
        let ours = crate::proof::analyse(&load, 0, Policy::Fixed).unwrap().responses;
        for ((ours, theirs), task) in ours.iter().zip(theirs).zip(&tasks) {
            // Beyond the deadline the first job needn't be the worst.
            let same = *ours == theirs || *ours > task.deadline && theirs > task.deadline;
            assert!(same, "seed {seed}: {ours} {theirs}: {tasks:?} {sections:?}");
        }
    }
}

/// Tasks with deadlines up to their periods.
fn lists(random: &mut Random) -> Vec<Sporadic> {
    let on_time = |task: &Sporadic| task.due(task.deadline.min(task.period)).released_within(Ticks::ZERO);
    jobs::tasks(random).iter().map(on_time).collect()
}

fn as_task(of: &Sporadic) -> Task {
    Task { deadline: of.deadline, ..task("t", of.period.get(), of.worst.get()) }
}

fn sections(tasks: &[Sporadic], random: &mut Random) -> Vec<Section> {
    let mut sections = Vec::new();
    for (task, of) in tasks.iter().enumerate() {
        for lock in 0..2 {
            if random.within(0, 2) > 0 {
                sections.push(Section { task, lock, length: ticks(random.within(1, of.worst.get())) });
            }
        }
    }
    sections
}

fn locks(system: &System, sections: &[Section]) -> Vec<Lock> {
    let of = |index: usize| {
        let users = sections.iter().filter(|section| section.lock == index);
        let users: Vec<_> = users.map(|section| ((0, section.task), section.length.get())).collect();
        lock(system, Protocol::Ceiling, &users)
    };
    vec![of(0), of(1)]
}
