//! Dual priorities, as they run.

use super::{Policy, Runner, Turn, World};
use crate::ticks::Ticks;

/// What makes promotions later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gain {
    /// Nothing.
    None,
    /// What a job has run before.
    Own,
    /// What more urgent promoted jobs leave of their worst cases.
    Propagated,
    /// Both.
    Both,
}

/// A job on its way up.
#[derive(Clone, Copy, Debug)]
struct Promotion {
    job: usize,
    /// From when on others have to be reckoned with.
    window: Ticks,
    /// Until when it is held back.
    held: Ticks,
}

/// Three bands: jobs in the lower one, other work, and jobs that were promoted.
#[derive(Clone, Debug)]
pub struct Dual {
    /// By task, from its release.
    times: Vec<Ticks>,
    gain: Gain,
    waiting: Vec<Promotion>,
}

impl Dual {
    /// With the times of [`crate::servers::promotion::times`].
    pub fn new(times: Vec<Ticks>, gain: Gain) -> Dual {
        Dual { times, gain, waiting: Vec::new() }
    }

    /// When a job that isn't done is promoted, as far as is known.
    pub fn promoted_at(&self, job: usize) -> Ticks {
        let found = self.waiting.iter().find(|promotion| promotion.job == job);
        found.map_or(Ticks::ZERO, |promotion| promotion.window.max(promotion.held))
    }

    /// So much of a promoted job's worst case is left over.
    fn propagate(&mut self, world: &World, task: usize, unused: Ticks) {
        let lower = |promotion: &&mut Promotion| world.jobs[promotion.job].task > task;
        for promotion in self.waiting.iter_mut().filter(lower) {
            let from = if promotion.window <= world.now { promotion.held.max(world.now) } else { world.now };
            promotion.held = promotion.held.max(from.later(unused));
        }
    }
}

impl Policy for Dual {
    fn released(&mut self, world: &World, job: usize) {
        let window = world.jobs[job].release.later(self.times[world.jobs[job].task]);
        self.waiting.push(Promotion { job, window, held: Ticks::ZERO });
    }

    fn completed(&mut self, world: &World, job: usize, unused: Ticks) {
        let is_promoted = self.promoted_at(job) <= world.now;
        self.waiting.retain(|promotion| promotion.job != job);
        if is_promoted && matches!(self.gain, Gain::Propagated | Gain::Both) {
            self.propagate(world, world.jobs[job].task, unused);
        }
    }

    fn passed(&mut self, world: &World, runner: Runner, length: Ticks) {
        let Runner::Hard(job) = runner else { return };
        if self.promoted_at(job) > world.now && matches!(self.gain, Gain::Own | Gain::Both) {
            for promotion in self.waiting.iter_mut().filter(|promotion| promotion.job == job) {
                promotion.window = promotion.window.later(length);
            }
        }
    }

    fn place(&self, _world: &World) -> Option<Turn> {
        Some((1, 0, 0))
    }

    fn turn(&self, world: &World, job: usize) -> Turn {
        let band = if self.promoted_at(job) <= world.now { 0 } else { 2 };
        (band, world.turn(job).1, 1)
    }

    /// Whoever delays its own promotion by running looks again where that would have been.
    fn until(&self, world: &World, _runner: Runner) -> Option<Ticks> {
        let instants = self.waiting.iter().map(|promotion| self.promoted_at(promotion.job));
        instants.filter(|instant| *instant > world.now).min()
    }
}
