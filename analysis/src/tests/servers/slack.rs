//! Slack: nobody is late who gives it away, a tick more makes somebody late, and approximations are less.

use beryl_testing::cases;

use super::*;
use crate::servers::model::approximate::Approximate;
use crate::servers::model::slack::Stealing;
use crate::servers::model::{Turn, World};
use crate::servers::slack;

/// Tasks with a small hyperperiod and deadlines up to their periods, which hold alone.
fn tasks(random: &mut Random) -> Vec<Sporadic> {
    that_hold(random, |random| *random.one_of(&[4, 6, 8, 12, 24]))
}

/// Three hyperperiods of all jobs; some take less.
fn all_jobs(tasks: &[Sporadic], less: bool, random: &mut Random) -> Vec<Job> {
    let mut jobs = dense(tasks, &[0; 4][..tasks.len()], 72);
    for job in jobs.iter_mut().filter(|_| less) {
        job.takes = ticks(random.within(1, job.worst.get()));
    }
    jobs
}

fn some_work(random: &mut Random) -> Vec<Soft> {
    let mut arrivals: Vec<_> = (0..random.within(1, 8)).map(|_| random.within(0, 70)).collect();
    arrivals.sort_unstable();
    soft(&arrivals.iter().map(|arrival| (*arrival, random.within(1, 12))).collect::<Vec<_>>())
}

#[test]
fn nobody_is_late_whose_slack_is_stolen() {
    for seed in 0..cases(600, 10_000) {
        let mut random = Random(seed);
        let tasks = tasks(&mut random);
        let table = slack::table(&tasks).unwrap();
        let jobs = all_jobs(&tasks, seed % 2 == 0, &mut random);
        let given = workload(tasks.clone(), jobs, some_work(&mut random));
        for gain in [false, true] {
            let exact = model::run(&given, &mut Stealing::new(table.clone(), tasks.len(), gain));
            assert!(late(&given, &exact).is_none(), "seed {seed}, exact, gain {gain}: {given:?}");
            let approximate = model::run(&given, &mut Approximate::new(tasks.len(), gain));
            assert!(late(&given, &approximate).is_none(), "seed {seed}, approximate, gain {gain}: {given:?}");
        }
    }
}

/// Takes so much ahead of all tasks, from an instant on, whatever slack there is; the slack before.
struct Takes {
    inner: Stealing,
    from: Ticks,
    more: u64,
    left: Option<Ticks>,
}

impl model::Policy for Takes {
    fn completed(&mut self, world: &World, job: usize, unused: Ticks) {
        self.inner.completed(world, job, unused);
    }

    fn instant(&mut self, world: &World) {
        if world.waits() && world.now >= self.from && self.left.is_none() {
            self.left = Some(ticks(self.inner.slack().get() + self.more));
        }
    }

    fn passed(&mut self, world: &World, runner: Runner, length: Ticks) {
        self.inner.passed(world, runner, length);
        if runner == Runner::Served {
            self.left = self.left.map(|left| left.less(length));
        }
    }

    fn place(&self, world: &World) -> Option<Turn> {
        match self.left {
            Some(left) => (left > Ticks::ZERO).then_some((0, 0, 0)),
            None => self.inner.place(world),
        }
    }

    fn until(&self, world: &World, runner: Runner) -> Option<Ticks> {
        match self.left {
            Some(left) => Some(world.now.later(left)).filter(|_| runner == Runner::Served),
            None => self.inner.until(world, runner),
        }
    }
}

/// From any instant on, whatever was stolen before.
#[test]
fn a_tick_more_than_the_slack_makes_a_job_late() {
    let mut tried = 0;
    for seed in 0..cases(600, 10_000) {
        let mut random = Random(seed);
        let tasks = tasks(&mut random);
        let table = slack::table(&tasks).unwrap();
        let mut work = some_work(&mut random);
        let from = ticks(random.within(0, 40));
        work.retain(|soft| soft.arrival < from);
        work.push(Soft { arrival: from, takes: ticks(100_000) });
        let mut jobs = dense(&tasks, &[0; 4][..tasks.len()], 400);
        jobs.sort_by_key(|job| job.release);
        let given = workload(tasks.clone(), jobs, work);
        for more in [0, 1] {
            let inner = Stealing::new(table.clone(), tasks.len(), false);
            let run = model::run(&given, &mut Takes { inner, from, more, left: None });
            assert_eq!(
                late(&given, &run).is_some(),
                more == 1,
                "seed {seed}, {more} more from {from}: {given:?}"
            );
            tried += 1;
        }
    }
    assert!(tried > 1000);
}

/// Both told the same; the approximate one decides.
struct Beside(Approximate, Stealing);

impl model::Policy for Beside {
    fn released(&mut self, world: &World, job: usize) {
        self.0.released(world, job);
    }

    fn completed(&mut self, world: &World, job: usize, unused: Ticks) {
        self.0.completed(world, job, unused);
        self.1.completed(world, job, unused);
    }

    fn served(&mut self, world: &World) {
        self.0.served(world);
    }

    fn instant(&mut self, world: &World) {
        // Behind the last job only one of them knows that none comes.
        let is_less = self.0.slack() <= self.1.slack();
        assert!(is_less || world.now >= ticks(72), "{:?} isn't less than {:?}", self.0, self.1);
    }

    fn passed(&mut self, world: &World, runner: Runner, length: Ticks) {
        self.0.passed(world, runner, length);
        self.1.passed(world, runner, length);
    }

    fn place(&self, world: &World) -> Option<Turn> {
        self.0.place(world)
    }

    fn until(&self, world: &World, runner: Runner) -> Option<Ticks> {
        self.0.until(world, runner)
    }
}

#[test]
fn approximate_slack_is_never_more_than_there_is() {
    for seed in 0..cases(400, 6000) {
        let mut random = Random(seed);
        let tasks = tasks(&mut random);
        let jobs = all_jobs(&tasks, seed % 2 == 0, &mut random);
        let given = workload(tasks.clone(), jobs, some_work(&mut random));
        let exact = Stealing::new(slack::table(&tasks).unwrap(), tasks.len(), true);
        model::run(&given, &mut Beside(Approximate::new(tasks.len(), true), exact));
    }
}

/// By hand: of 12 ticks the tasks ask for 3 and 4. The second task's first job must be done by 5; by then it and two
/// jobs of the first take 4.
#[test]
fn a_table_by_hand() {
    let table = slack::table(&[task(4, 1), task(6, 2).due(ticks(5))]).unwrap();
    let jobs = |level| [0, 1, 2, 3, 4].map(|job| table.until(level, job).unwrap().get());
    assert_eq!(jobs(0), [3, 6, 9, 12, 15]);
    assert_eq!(jobs(1), [1, 4, 6, 9, 11]);
}

#[test]
fn what_has_no_table_is_refused() {
    use crate::{Failure, Fault};
    let fault = |tasks: &[Sporadic]| match slack::table(tasks) {
        Err(Failure::Invalid { fault, .. }) => fault,
        other => panic!("{other:?}"),
    };
    assert_eq!(fault(&[task(4, 1).due(ticks(5))]), Fault::DeadlineOutOfRange);
    assert_eq!(fault(&[task(4, 1).released_within(ticks(1))]), Fault::Jitter);
    assert!(matches!(slack::table(&[task(4, 2), task(8, 3).due(ticks(5))]), Err(Failure::NotProved { .. })));
    let primes = [task(9_973, 1), task(9_967, 1), task(9_949, 1)];
    assert_eq!(slack::table(&primes), Err(Failure::TooLong));
}
