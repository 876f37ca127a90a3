//! Slack stealing from the table of all jobs, as it runs.

use super::{BACKGROUND, Policy, Runner, Turn, World};
use crate::servers::slack::Slack;
use crate::ticks::Ticks;

/// Steals the slack of a table, ahead of all tasks.
#[derive(Clone, Debug)]
pub struct Stealing {
    slack: Slack,
    gain: bool,
    /// By level: what has been free of it, from instant 0 on.
    free: Vec<Ticks>,
    /// By level: what was given back.
    gained: Vec<Ticks>,
    /// By task: how many jobs are done.
    done: Vec<u64>,
}

impl Stealing {
    /// For the tasks of the table, with gain time or without.
    pub fn new(slack: Slack, tasks: usize, gain: bool) -> Stealing {
        let none = vec![Ticks::ZERO; tasks];
        Stealing { slack, gain, free: none.clone(), gained: none, done: vec![0; tasks] }
    }

    /// How long other work may go before all tasks from now on.
    pub fn slack(&self) -> Ticks {
        let level = |task: usize| {
            let most = self.slack.until(task, self.done[task]).unwrap_or_default();
            most.later(self.gained[task]).less(self.free[task])
        };
        (0..self.done.len()).map(level).min().unwrap_or(Ticks::new(u64::MAX))
    }
}

impl Policy for Stealing {
    fn completed(&mut self, world: &World, job: usize, unused: Ticks) {
        let task = world.jobs[job].task;
        self.done[task] = self.done[task].saturating_add(1);
        if self.gain {
            for gained in self.gained.iter_mut().skip(task) {
                *gained = gained.later(unused);
            }
        }
    }

    fn passed(&mut self, world: &World, runner: Runner, length: Ticks) {
        let levels = match runner {
            Runner::Hard(job) => world.jobs[job].task,
            _ => self.free.len(),
        };
        for free in self.free.iter_mut().take(levels) {
            *free = free.later(length);
        }
    }

    fn place(&self, _world: &World) -> Option<Turn> {
        Some(if self.slack() > Ticks::ZERO { (0, 0, 0) } else { BACKGROUND })
    }

    fn until(&self, world: &World, runner: Runner) -> Option<Ticks> {
        Some(world.now.later(self.slack())).filter(|_| runner == Runner::Served)
    }
}
