//! Dual priorities: nobody is late, the latest promotions are reached, and gain that isn't there makes a job late.

use beryl_testing::cases;

use super::*;
use crate::servers::model::dual::{Dual, Gain};
use crate::servers::model::{Turn, World};
use crate::servers::promotion;

fn tasks(random: &mut Random) -> Vec<Sporadic> {
    that_hold(random, |random| random.within(4, 24))
}

const GAINS: [Gain; 4] = [Gain::None, Gain::Own, Gain::Propagated, Gain::Both];

#[test]
fn nobody_is_late_who_is_promoted_in_time() {
    for seed in 0..cases(1000, 20_000) {
        let mut random = Random(seed);
        let tasks = tasks(&mut random);
        let jobs = arrivals(&tasks, 120, &mut random);
        let mut work: Vec<_> = (0..random.within(1, 12))
            .map(|_| (random.within(0, 100), random.within(1, *random.clone().one_of(&[2, 6, 40]))))
            .collect();
        work.sort_unstable();
        let given = workload(tasks.clone(), jobs, soft(&work));
        for gain in GAINS {
            let times = promotion::times(&tasks, &[]).unwrap();
            let run = model::run(&given, &mut Dual::new(times, gain));
            assert_eq!(late(&given, &run), None, "seed {seed}, {gain:?}: {given:?}");
        }
    }
}

/// All are promoted at the same instant, at which other work has held everybody up: each takes all of its time,
/// and a tick later it is late.
#[test]
fn a_promotion_a_tick_later_makes_a_job_late() {
    for seed in 0..cases(200, 3000) {
        let mut random = Random(seed);
        let tasks = tasks(&mut random);
        let times = promotion::times(&tasks, &[]).unwrap();
        let last = times.iter().map(|time| time.get()).max().unwrap();
        let first: Vec<u64> = times.iter().map(|time| last - time.get()).collect();
        let given = workload(tasks.clone(), dense(&tasks, &first, last + 60), soft(&[(0, 10_000)]));
        let run = model::run(&given, &mut Dual::new(times.clone(), Gain::None));
        let took = |task: usize| {
            let all = given.jobs.iter().zip(&run.ends).filter(|(job, _)| job.task == task);
            all.map(|(job, end)| end.less(job.release)).max().unwrap()
        };
        for (index, task) in tasks.iter().enumerate() {
            assert_eq!(took(index), task.deadline, "seed {seed}: task {index} of {tasks:?}");
            let mut later = times.clone();
            later[index] = later[index].later(ticks(1));
            let first: Vec<u64> = later.iter().map(|time| last + 1 - time.get()).collect();
            let given = workload(tasks.clone(), dense(&tasks, &first, last + 60), soft(&[(0, 10_000)]));
            let run = model::run(&given, &mut Dual::new(later, Gain::None));
            assert!(late(&given, &run).is_some(), "seed {seed}: task {index} of {tasks:?}");
        }
    }
}

/// Gain as it is often told: whatever a more urgent job leaves over delays all promotions behind it.
struct Naive(Dual, Vec<Ticks>);

impl model::Policy for Naive {
    fn released(&mut self, world: &World, job: usize) {
        self.0.released(world, job);
    }

    fn completed(&mut self, world: &World, job: usize, unused: Ticks) {
        let lower = world.ready().iter().filter(|other| world.jobs[**other].task > world.jobs[job].task);
        lower.for_each(|other| self.1[*other] = self.1[*other].later(unused));
        self.0.completed(world, job, unused);
    }

    fn passed(&mut self, _world: &World, _runner: Runner, _length: Ticks) {}

    fn place(&self, world: &World) -> Option<Turn> {
        self.0.place(world)
    }

    fn turn(&self, world: &World, job: usize) -> Turn {
        let promoted = self.0.promoted_at(job).later(self.1[job]);
        (if promoted <= world.now { 0 } else { 2 }, world.turn(job).1, 1)
    }

    fn until(&self, world: &World, _runner: Runner) -> Option<Ticks> {
        let instants = world.ready().iter().map(|job| self.0.promoted_at(*job).later(self.1[*job]));
        instants.filter(|instant| *instant > world.now).min()
    }
}

/// The first job of the more urgent task ends early, before its promotion: the second isn't any shorter for
/// that, and comes where the other task has no time left.
#[test]
fn gain_of_a_job_that_was_not_promoted_is_nobodys() {
    let tasks = vec![task(11, 2).due(ticks(10)), task(33, 3).due(ticks(23))];
    let times = promotion::times(&tasks, &[]).unwrap();
    assert_eq!(times, [ticks(8), ticks(18)]);
    let mut jobs = dense(&tasks, &[0, 0], 33);
    jobs[0].takes = ticks(1);
    let given = workload(tasks, jobs, soft(&[(1, 100)]));
    let naive = model::run(&given, &mut Naive(Dual::new(times.clone(), Gain::None), vec![Ticks::ZERO; 9]));
    assert_eq!(late(&given, &naive).map(|job| given.jobs[job].task), Some(1));
    for gain in GAINS {
        let run = model::run(&given, &mut Dual::new(times.clone(), gain));
        assert_eq!(late(&given, &run), None, "{gain:?}");
    }
}

/// Gain serves: the other work is done sooner.
#[test]
fn gain_time_is_given_to_other_work() {
    let tasks = vec![task(20, 4), task(20, 4).due(ticks(12))];
    let times = promotion::times(&tasks, &[]).unwrap();
    assert_eq!(times, [ticks(16), ticks(4)]);
    let served = |jobs: Vec<Job>, gain| {
        let given = workload(tasks.clone(), jobs, soft(&[(2, 4)]));
        model::run(&given, &mut Dual::new(times.clone(), gain)).served[0].get()
    };
    // The second task has run for its first two ticks alone before the work comes.
    let second = vec![Job { task: 1, release: ticks(0), worst: ticks(4), takes: ticks(4) }];
    assert_eq!([Gain::None, Gain::Own].map(|gain| served(second.clone(), gain)), [8, 6]);
    // Both are promoted together; the first leaves 3 of its 4 ticks over.
    let first = Job { task: 0, release: ticks(0), worst: ticks(4), takes: ticks(1) };
    let tasks = vec![task(20, 4).due(ticks(8)), task(20, 4).due(ticks(12))];
    let times = promotion::times(&tasks, &[]).unwrap();
    assert_eq!(times, [ticks(4), ticks(4)]);
    let given = workload(tasks, vec![first, second[0]], soft(&[(0, 7)]));
    let served = |gain| model::run(&given, &mut Dual::new(times.clone(), gain)).served[0].get();
    assert_eq!([Gain::None, Gain::Propagated].map(served), [12, 8]);
}
