//! Sections of locks that are policed: how much longer whoever keeps others out may do so.

use std::collections::BTreeSet;

use beryl_kernel::Sizes;

use super::{Index, Model, Reason, Ticks};

impl<S: Sizes> Model<'_, S> {
    /// A raised thread keeps somebody out, from now on or since before.
    pub fn keep_out(&mut self, thread: Index) {
        if let Some(hold) = S::HOLDS.get(thread).filter(|hold| **hold > 0) {
            self.sections.entry(thread).or_insert((*hold).into());
        }
    }

    /// The running thread has had the processor for so long.
    pub fn use_section(&mut self, ticks: Ticks) {
        if let Some(left) = self.sections.get_mut(&self.running) {
            *left -= i64::try_from(ticks).unwrap();
        }
    }

    /// When somebody has to look.
    pub fn end_of_section(&self) -> Option<Ticks> {
        let left = self.sections.get(&self.running)?;
        Some(self.charged + u64::try_from(left + 1).unwrap_or(0))
    }

    /// Whether somebody waits for a semaphore of a thread's.
    pub fn is_wanted(&self, thread: Index) -> bool {
        let wanted = |waiter: Index| match self.threads[waiter].waiting().map(|waiting| &waiting.reason) {
            Some(Reason::Semaphore(semaphore)) if self.is_binary(*semaphore) => {
                self.owner(*semaphore) == Some(thread)
            }
            _ => false,
        };
        self.indices().any(wanted)
    }

    /// Somebody waits for a semaphore, or does no more, or it has another owner.
    pub fn look_who_is_wanted(&mut self) {
        let wanted: BTreeSet<Index> = self.indices().filter(|thread| self.is_wanted(*thread)).collect();
        let before = std::mem::replace(&mut self.wanted, wanted.clone());
        if !S::HOLDS.is_empty() && before != wanted {
            self.charge();
        }
        for thread in before.difference(&wanted) {
            self.end_section(*thread);
            let published = self.row(*thread).words + 4;
            if self.sections.contains_key(thread)
                && self.row(*thread).highest_ceiling > 0
                && self.word(published) == 0
            {
                self.memory.insert(published, 1);
            }
        }
        wanted.difference(&before).for_each(|thread| self.keep_out(*thread));
    }

    /// A place waits for who sleeps: whether that one may while others wait for what it owns.
    pub fn look_at_sleeper(&mut self, thread: Index) {
        if self.is_wanted(thread) && S::HOLDS.get(thread).is_some_and(|hold| *hold > 0) {
            self.sections.remove(&thread);
            self.slept += 1;
            return self.stop_what_faults(thread);
        }
        self.look_at_sleeping_server(thread);
    }

    /// The alarm: whether the running thread has kept somebody out for too long.
    pub fn look_at_running_section(&mut self) {
        self.charge();
        if self.look_at_running_answer() {
            return;
        }
        if self.sections.get(&self.running).is_some_and(|left| *left < 0) {
            self.sections.remove(&self.running);
            if self.is_raised(self.running) || self.is_wanted(self.running) {
                self.overdue += 1;
                self.stop_what_faults(self.running);
            }
        }
    }

    /// Whoever isn't raised any more, or can't go on, keeps nobody out.
    pub fn end_section(&mut self, thread: Index) {
        if !(self.is_ready(thread) && self.is_raised(thread) || self.is_wanted(thread)) {
            self.sections.remove(&thread);
        }
    }

    /// The least that is published to a thread: one that is policed has to ask.
    pub fn least_for_section(&self, thread: Index) -> u32 {
        self.sections.contains_key(&thread).into()
    }
}
