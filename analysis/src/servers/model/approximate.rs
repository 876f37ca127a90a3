//! Approximate slack stealing, as it runs: slack is worked out anew whenever something ends.
//!
//! For each task, what all as urgent may run until its next deadline, each as often as it can be released by
//! then, is taken from the time until then. What is left is slack at least. (Davis, *Approximate slack stealing
//! algorithms for fixed priority pre-emptive systems*, York 1993, the dynamic form.)

use super::{BACKGROUND, Policy, Runner, Turn, World};
use crate::ticks::Ticks;

/// Steals what slack there is at least, ahead of all tasks.
#[derive(Clone, Debug)]
pub struct Approximate {
    gain: bool,
    /// By task.
    slack: Vec<Ticks>,
    /// By task: what a job that is done may still be thought to take.
    phantom: Vec<Ticks>,
    /// How often slack was worked out.
    pub looks: u64,
}

impl Approximate {
    /// For so many tasks, with gain time or without.
    pub fn new(tasks: usize, gain: bool) -> Approximate {
        let none = vec![Ticks::ZERO; tasks];
        Approximate { gain, slack: none.clone(), phantom: none, looks: 0 }
    }

    /// The slack of a task, at least.
    fn least(&self, world: &World, task: usize) -> Ticks {
        let deadline = match world.current(task) {
            Some(job) => world.deadline(job),
            None => world.next_release(task).later(world.tasks[task].deadline),
        };
        let window = deadline.less(world.now);
        (0..=task).fold(window, |left, other| left.less(self.most(world, other, window)))
    }

    /// The most that a task runs in a window from now on.
    fn most(&self, world: &World, task: usize, window: Ticks) -> Ticks {
        let pending = match world.current(task) {
            Some(job) => world.jobs[job].worst.less(world.done(job)),
            None => self.phantom[task],
        };
        let after = window.less(world.next_release(task).less(world.now));
        let worst = world.tasks[task].worst;
        let whole = after.whole(world.tasks[task].period);
        let begun = after.less(world.tasks[task].period.times(whole).unwrap_or(after));
        pending.later(worst.times(whole).unwrap_or(window)).later(begun.min(worst))
    }

    fn look(&mut self, world: &World) {
        self.looks = self.looks.saturating_add(1);
        for task in 0..self.slack.len() {
            self.slack[task] = self.least(world, task);
        }
    }

    /// How long other work may go before all tasks from now on, at least.
    pub fn slack(&self) -> Ticks {
        self.slack.iter().copied().min().unwrap_or(Ticks::new(u64::MAX))
    }
}

impl Policy for Approximate {
    fn released(&mut self, world: &World, job: usize) {
        self.phantom[world.jobs[job].task] = Ticks::ZERO;
        // The first look is where all begin.
        if self.looks == 0 {
            self.look(world);
        }
    }

    fn completed(&mut self, world: &World, job: usize, unused: Ticks) {
        if !self.gain {
            self.phantom[world.jobs[job].task] = unused;
        }
        self.look(world);
    }

    fn served(&mut self, world: &World) {
        self.look(world);
    }

    fn passed(&mut self, world: &World, runner: Runner, length: Ticks) {
        let levels = match runner {
            Runner::Hard(job) => world.jobs[job].task,
            _ => self.slack.len(),
        };
        for slack in self.slack.iter_mut().take(levels) {
            *slack = slack.less(length);
        }
    }

    fn place(&self, _world: &World) -> Option<Turn> {
        Some(if self.slack() > Ticks::ZERO { (0, 0, 0) } else { BACKGROUND })
    }

    fn until(&self, world: &World, runner: Runner) -> Option<Ticks> {
        Some(world.now.later(self.slack())).filter(|_| runner == Runner::Served)
    }
}
