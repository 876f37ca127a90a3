//! `SCHED_SPORADIC` as POSIX prints it, beside the rule of `servers/sporadic.rs`: its three defects, each with a
//! run in which it breaks a bound that the rule keeps.

use std::collections::VecDeque;

use super::*;
use crate::fixed_priority;
use crate::servers::model::background::Place;
use crate::servers::model::{BACKGROUND, Turn, World};

/// The printed rules: all that was used since the activation comes back a period after the activation, when the
/// thread waits or has used its budget up.
#[derive(Clone, Debug)]
pub struct Posix {
    server: Server,
    place: Place,
    budget: Ticks,
    active: Option<Ticks>,
    used: Ticks,
    pending: VecDeque<(Ticks, Ticks)>,
}

impl Posix {
    pub fn new(server: Server, place: Place) -> Posix {
        let (active, used, pending) = (None, Ticks::ZERO, VecDeque::new());
        Posix { server, place, budget: server.budget, active, used, pending }
    }

    fn post(&mut self) {
        if let Some(active) = self.active.take().filter(|_| self.used > Ticks::ZERO) {
            self.pending.push_back((active.later(self.server.period), self.used));
        }
        self.used = Ticks::ZERO;
    }
}

impl model::Policy for Posix {
    fn woke(&mut self, world: &World) {
        self.instant(world);
        if self.budget > Ticks::ZERO {
            self.active = Some(world.now);
        }
    }

    fn slept(&mut self, _world: &World) {
        self.post();
    }

    fn instant(&mut self, world: &World) {
        while let Some((_, amount)) = self.pending.front().copied().filter(|(date, _)| *date <= world.now) {
            self.pending.pop_front();
            self.budget = self.budget.later(amount).min(self.server.budget);
            // Only a thread without a budget becomes active by this.
            if world.waits() && self.active.is_none() {
                self.active = Some(world.now);
            }
        }
    }

    fn passed(&mut self, _world: &World, runner: Runner, length: Ticks) {
        if runner == Runner::Served {
            self.used = self.used.later(length);
            // What is used beyond the budget isn't owed.
            self.budget = self.budget.less(length);
            if self.budget == Ticks::ZERO {
                self.post();
            }
        }
    }

    fn place(&self, _world: &World) -> Option<Turn> {
        self.place.of(self.budget > Ticks::ZERO)
    }

    fn until(&self, world: &World, runner: Runner) -> Option<Ticks> {
        let used_up = Some(world.now.later(self.budget)).filter(|_| runner == Runner::Served);
        self.pending.front().map(|(date, _)| *date).into_iter().chain(used_up).min()
    }
}

const OF: Server = Server::new(Ticks::new(10), Ticks::new(100));
const TOP: Place = Place { above: 0, background: false };
const BENEATH: Place = Place { above: 1, background: false };

fn rule(place: Place) -> model::sporadic::Sporadic {
    model::sporadic::Sporadic::new(OF, place, usize::MAX)
}

/// Nine ticks of ten are used at 0, and come back at 100. At 60 there is work without end, but a more urgent task
/// is in the way until 100: the thread has been active since 60, and by POSIX all ten come back at 160.
fn kept_from_running(below: Option<u64>) -> Workload {
    let mut tasks = vec![task(1000, 40)];
    let mut jobs = dense(&tasks, &[60], 1000);
    if let Some(worst) = below.map(ticks) {
        tasks.push(Sporadic::implicit(ticks(1000), worst));
        jobs.insert(0, Job { task: 1, release: ticks(0), worst, takes: worst });
    }
    workload(tasks, jobs, soft(&[(0, 9), (60, 100)]))
}

#[test]
fn posix_gives_back_too_early_what_came_back_while_active() {
    let given = kept_from_running(None);
    let printed = model::run(&given, &mut Posix::new(OF, BENEATH));
    let ours = model::run(&given, &mut rule(BENEATH));
    let pieces = |run: &Run| {
        let upto = run.pieces.iter().filter(|piece| is_served(piece) && piece.start < ticks(265));
        upto.map(|piece| (piece.start.get(), piece.end.get())).collect::<Vec<_>>()
    };
    assert_eq!(pieces(&printed), [(0, 9), (100, 110), (160, 170), (260, 270)]);
    assert_eq!(pieces(&ours), [(0, 9), (100, 110), (160, 161), (200, 209), (260, 261)]);
    let bound = Policy::Sporadic { pending: 9 }.interference(&OF, ticks(170)).unwrap();
    let in_170 = |run| Sums::of(run, 300, is_served).between(0, 170);
    assert_eq!((bound, in_170(&printed), in_170(&ours)), (ticks(20), 29, 20));
}

/// So a task below takes longer than beneath the periodic task that the server is counted as.
#[test]
fn posix_delays_a_task_below_by_more_than_its_bound() {
    let given = kept_from_running(Some(105));
    let all = [given.tasks[0], Policy::Sporadic { pending: 9 }.as_task(&OF), given.tasks[1]];
    let bound = fixed_priority::response_times(&all, &[]).unwrap()[2];
    let printed = model::run(&given, &mut Posix::new(OF, BENEATH));
    let ours = model::run(&given, &mut rule(BENEATH));
    assert_eq!((bound, printed.ends[0], ours.ends[0]), (ticks(165), ticks(174), ticks(165)));
}

/// The end of the budget is seen late, as where time is looked at now and then, or in a section that can't be left.
struct SeenLate<P>(P, u64);

impl<P: model::Policy> model::Policy for SeenLate<P> {
    fn woke(&mut self, world: &World) {
        self.0.woke(world);
    }

    fn slept(&mut self, world: &World) {
        self.0.slept(world);
    }

    fn instant(&mut self, world: &World) {
        self.0.instant(world);
    }

    fn passed(&mut self, world: &World, runner: Runner, length: Ticks) {
        self.0.passed(world, runner, length);
    }

    fn place(&self, world: &World) -> Option<Turn> {
        self.0.place(world)
    }

    fn until(&self, world: &World, runner: Runner) -> Option<Ticks> {
        let until = self.0.until(world, runner)?;
        Some(ticks(until.get().div_ceil(self.1) * self.1))
    }
}

#[test]
fn posix_does_not_owe_what_is_used_beyond_the_budget() {
    let given = workload(Vec::new(), Vec::new(), soft(&[(0, 200)]));
    let in_periods = |run: &Run| {
        let sums = Sums::of(run, 500, is_served);
        [0, 1, 2, 3, 4].map(|period| sums.between(100 * period, 100 * period + 100))
    };
    let printed = model::run(&given, &mut SeenLate(Posix::new(OF, TOP), 16));
    assert_eq!(in_periods(&printed), [16, 16, 16, 16, 16]);
    // Ours owes it: over and above its budgets it never has more than what can be seen late once.
    let ours = in_periods(&model::run(&given, &mut SeenLate(rule(TOP), 16)));
    let mut sum = 0;
    for (periods, had) in ours.into_iter().enumerate() {
        sum += had;
        assert!(sum <= 10 * (periods as u64 + 1) + 15, "{ours:?}");
    }
}

/// A thread without a budget goes on below, where a task's bound doesn't count it; ours waits.
#[test]
fn posix_runs_on_at_a_low_priority_where_nobody_counts_it() {
    /// Its low priority is above the lowest task's.
    struct Low(Posix);
    impl model::Policy for Low {
        fn woke(&mut self, world: &World) {
            self.0.woke(world);
        }
        fn slept(&mut self, world: &World) {
            self.0.slept(world);
        }
        fn instant(&mut self, world: &World) {
            self.0.instant(world);
        }
        fn passed(&mut self, world: &World, runner: Runner, length: Ticks) {
            if self.0.budget > Ticks::ZERO {
                self.0.passed(world, runner, length);
            }
        }
        fn place(&self, world: &World) -> Option<Turn> {
            self.0.place(world).or(Some((1, 1, 0)))
        }
        fn until(&self, world: &World, runner: Runner) -> Option<Ticks> {
            self.0.until(world, runner)
        }
    }
    let tasks = vec![task(100, 20), task(200, 30)];
    let all = [Policy::Sporadic { pending: 9 }.as_task(&OF), tasks[0], tasks[1]];
    let bound = fixed_priority::response_times(&all, &[]).unwrap()[2];
    let given = workload(tasks.clone(), dense(&tasks, &[0, 0], 200), soft(&[(0, 150)]));
    let end = |run: Run| run.ends[given.jobs.iter().position(|job| job.task == 1).unwrap()];
    assert_eq!((bound, end(model::run(&given, &mut rule(TOP)))), (ticks(60), ticks(60)));
    assert_eq!(end(model::run(&given, &mut Low(Posix::new(OF, TOP)))), ticks(220));
    // Behind everybody it costs nobody anything, and isn't charged.
    let behind = Place { background: true, ..TOP };
    let run = model::run(&given, &mut model::sporadic::Sporadic::new(OF, behind, usize::MAX));
    assert_eq!(end(run.clone()), ticks(60));
    assert!(run.pieces.iter().any(|piece| piece.runner == Runner::Behind) && BACKGROUND > (1, u64::MAX, 1));
}
