//! Who runs until the next instant (the end of Algorithm 6, and Algorithm 3).

use std::cmp::Reverse;

use crate::machine::Machine;
use crate::trace::Event;
use crate::world::Policy;

impl Machine {
    /// Chooses the running task.
    pub(crate) fn choose(&mut self) {
        let is_taken = self.world.taken.iter().any(|(from, to)| (*from..*to).contains(&self.now));
        let next = if is_taken { None } else { self.most_urgent() };
        if next == self.running {
            return;
        }
        if let Some(before) = self.running
            && self.jobs.contains_key(&before)
        {
            self.note(Event::Preempt(before));
        }
        self.running = next;
        if let Some(task) = next {
            self.run_job(task);
        }
    }

    /// The lowest rank goes first; in a rank, what a thread holds.
    fn most_urgent(&self) -> Option<usize> {
        let rank = |task: &usize| self.world.rank(*task);
        let held = self.threads.iter().filter_map(|thread| thread.task).min_by_key(rank);
        let is_offered = self.threads.is_empty() || !self.world.idle_is_held;
        let other = if is_offered { self.by_policy() } else { None };
        held.into_iter().chain(other).min_by_key(rank)
    }

    fn run_job(&mut self, task: usize) {
        let reads = self.world.tasks.get(task).map(|row| row.reads.clone()).unwrap_or_default();
        let inputs: Vec<i32> = reads.into_iter().map(|port| self.port(port)).collect();
        let Some(job) = self.jobs.get_mut(&task) else { return };
        if job.has_started {
            return self.note(Event::Resume(task));
        }
        job.has_started = true;
        job.inputs = inputs;
        self.note(Event::Start(task));
    }

    /// The task scheduler: released tasks that no program dispatches.
    fn by_policy(&self) -> Option<usize> {
        let free = || self.jobs.iter().filter(|(task, _)| !self.dispatched.contains(task));
        let rank = free().map(|(task, _)| self.world.rank(*task)).min()?;
        let mut tasks = free().filter(|(task, _)| self.world.rank(**task) == rank);
        match self.world.policy {
            Policy::None => None,
            Policy::FixedPriority => tasks.next().map(|(task, _)| *task),
            Policy::EarliestDeadline => tasks
                .min_by_key(|(task, job)| (job.deadline, Reverse(job.released), **task))
                .map(|(task, _)| *task),
            Policy::EarliestDeadlineToCompletion => tasks
                .min_by_key(|(task, job)| (!job.has_started, job.deadline, Reverse(job.released), **task))
                .map(|(task, _)| *task),
        }
    }
}
