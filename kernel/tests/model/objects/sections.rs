//! Sections of ceiling locks that are policed: how much longer whoever keeps others out may do so.

use beryl_kernel::Sizes;

use super::{Index, Model, Ticks};

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

    /// The alarm: whether the running thread has kept somebody out for too long.
    pub fn look_at_running_section(&mut self) {
        if self.sections.get(&self.running).is_some_and(|left| *left < 0) {
            self.sections.remove(&self.running);
            if self.is_raised(self.running) {
                self.overdue += 1;
                self.stop_what_faults(self.running);
            }
        }
    }

    /// Whoever isn't raised any more, or can't go on, keeps nobody out.
    pub fn end_section(&mut self, thread: Index) {
        if !(self.is_ready(thread) && self.is_raised(thread)) {
            self.sections.remove(&thread);
        }
    }

    /// The least that is published to a thread: one that is policed has to ask.
    pub fn least_for_section(&self, thread: Index) -> u32 {
        self.sections.contains_key(&thread).into()
    }
}
