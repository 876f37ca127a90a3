//! What a policy sees: the instant, the tasks, and what of their jobs is done.

use std::collections::VecDeque;

use super::{Order, Runner, Turn, Workload};
use crate::sporadic::Sporadic;
use crate::ticks::Ticks;

/// A job of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// Its task, by position.
    pub task: usize,
    /// When it is released.
    pub release: Ticks,
    /// What it may take.
    pub worst: Ticks,
    /// What it takes; positive, at most that.
    pub takes: Ticks,
}

/// Some work to serve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Soft {
    /// When it comes.
    pub arrival: Ticks,
    /// What it takes; positive.
    pub takes: Ticks,
}

/// The state of a run.
#[derive(Clone, Debug)]
pub struct World<'a> {
    /// The instant.
    pub now: Ticks,
    /// The tasks, in the order of priorities.
    pub tasks: &'a [Sporadic],
    /// All their jobs.
    pub jobs: &'a [Job],
    order: Order,
    soft: &'a [Soft],
    done: Vec<Ticks>,
    ready: Vec<usize>,
    released: usize,
    came: usize,
    /// The work that waits, by position, with what is left of it.
    queue: VecDeque<(usize, Ticks)>,
    /// By task, when its last job was released.
    last: Vec<Option<Ticks>>,
    pub(super) did_wait: bool,
}

impl<'a> World<'a> {
    pub(super) fn new(workload: &'a Workload) -> World<'a> {
        World {
            now: Ticks::ZERO,
            tasks: &workload.tasks,
            jobs: &workload.jobs,
            order: workload.order,
            soft: &workload.soft,
            done: vec![Ticks::ZERO; workload.jobs.len()],
            ready: Vec::new(),
            released: 0,
            came: 0,
            queue: VecDeque::new(),
            last: vec![None; workload.tasks.len()],
            did_wait: false,
        }
    }

    /// Whether work waits to be served.
    pub fn waits(&self) -> bool {
        !self.queue.is_empty()
    }

    /// The jobs of tasks that are released and not done, by position, in the order of releases.
    pub fn ready(&self) -> &[usize] {
        &self.ready
    }

    /// The job of a task that is released and not done, if there is one; the first of several.
    pub fn current(&self, task: usize) -> Option<usize> {
        self.ready.iter().copied().find(|job| self.jobs[*job].task == task)
    }

    /// How long a job has run.
    pub fn done(&self, job: usize) -> Ticks {
        self.done[job]
    }

    /// By when a job has to be done.
    pub fn deadline(&self, job: usize) -> Ticks {
        self.jobs[job].release.later(self.tasks[self.jobs[job].task].deadline)
    }

    /// When the next job of a task may be released, at the soonest; a task that had none begins at instant 0.
    pub fn next_release(&self, task: usize) -> Ticks {
        self.last[task].map_or(Ticks::ZERO, |last| last.later(self.tasks[task].period)).max(self.now)
    }

    /// A job's turn among tasks alone. Whatever is served goes before its equals.
    pub fn turn(&self, job: usize) -> Turn {
        match self.order {
            Order::Fixed => (1, u64::try_from(self.jobs[job].task).unwrap_or(u64::MAX), 1),
            Order::Deadlines => (1, self.deadline(job).get(), 1),
        }
    }

    pub(super) fn arrive(&mut self) {
        while let Some(soft) = self.soft.get(self.came).filter(|soft| soft.arrival <= self.now) {
            self.queue.push_back((self.came, soft.takes));
            self.came += 1;
        }
    }

    pub(super) fn release(&mut self) -> Option<usize> {
        let job = self.released;
        let Job { task, release, .. } = *self.jobs.get(job).filter(|job| job.release <= self.now)?;
        self.ready.push(job);
        self.last[task] = Some(release);
        self.released += 1;
        Some(job)
    }

    /// What this one has to run until it is done.
    pub(super) fn left(&self, runner: Runner) -> Option<Ticks> {
        match runner {
            Runner::Hard(job) => Some(self.jobs[job].takes.less(self.done[job])),
            Runner::Served | Runner::Behind => self.queue.front().map(|(_, left)| *left),
            Runner::Nobody => None,
        }
    }

    pub(super) fn charge(&mut self, cost: Ticks) {
        if let Some((_, left)) = self.queue.front_mut() {
            *left = left.later(cost);
        }
    }

    pub(super) fn pass(&mut self, runner: Runner, length: Ticks) {
        match runner {
            Runner::Hard(job) => self.done[job] = self.done[job].later(length),
            Runner::Served | Runner::Behind => {
                if let Some((_, left)) = self.queue.front_mut() {
                    *left = left.less(length);
                }
            }
            Runner::Nobody => {}
        }
        self.now = self.now.later(length);
    }

    pub(super) fn complete(&mut self, job: usize) {
        self.ready.retain(|other| *other != job);
    }

    /// Takes the first work away, which is done.
    pub(super) fn serve(&mut self) -> usize {
        self.queue.pop_front().map_or(0, |(work, _)| work)
    }

    pub(super) fn next_arrival(&self) -> Option<Ticks> {
        let soft = self.soft.get(self.came).map(|soft| soft.arrival);
        let job = self.jobs.get(self.released).map(|job| job.release);
        soft.into_iter().chain(job).min()
    }

    pub(super) fn is_over(&self) -> bool {
        self.queue.is_empty() && self.ready.is_empty() && self.next_arrival().is_none()
    }
}
