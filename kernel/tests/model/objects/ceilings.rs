//! Ceiling locks: a thread's urgency raised by a word that it writes itself.

use beryl_kernel::Sizes;

use super::{Index, Model};

impl<S: Sizes> Model<'_, S> {
    /// The level to which a thread has raised itself, as far as it is believed.
    pub fn raised_level(&self, thread: Index) -> u32 {
        let row = self.row(thread);
        self.word(row.words).min(row.highest_ceiling.into())
    }

    pub fn is_raised(&self, thread: Index) -> bool {
        self.raised_level(thread) > 0
    }

    /// Tells a thread which level waits for it to lower its word. Only those with ceilings look.
    pub fn publish(&mut self, thread: Index, level: u32) {
        if self.row(thread).highest_ceiling > 0 {
            let level = level.max(self.least_published(thread)).max(self.least_for_section(thread));
            self.memory.insert(self.row(thread).words + 4, level);
        }
    }

    /// Of the raised threads that were preempted, and whose places count, the one with the highest level; the last among equals.
    pub fn top(&self) -> Option<Index> {
        let counting = self.raised.iter().copied().filter(|thread| self.counts(*thread));
        counting.max_by_key(|thread| self.raised_level(*thread))
    }

    /// The level below which nobody starts because of the top, unless it is the top's turn.
    pub fn held_off(&self, next: Index) -> u32 {
        self.top().filter(|top| *top != next).map_or(0, |top| self.raised_level(top))
    }

    /// It is `next`'s turn in somebody's place, unless a raised word keeps that out: the running thread's, if its own
    /// place counts and nobody who was preempted is raised above it, or the highest of those.
    pub fn take_turns(&mut self, place: Index, next: Index) -> Index {
        let (running, level) = (self.running, self.level(place));
        let goes_on = self.is_ready(running);
        let own = if goes_on && self.counts(running) { self.raised_level(running) } else { 0 };
        let held = self.held_off(next);
        if own > 0 && own >= held && level <= own {
            self.publish(running, level);
            self.keep_out(running);
            return running;
        }
        if goes_on && self.is_raised(running) {
            self.raised.push(running);
        }
        let is_held_off = held > 0 && level <= held;
        let (who, waits) = if is_held_off { (self.top().unwrap(), level) } else { (next, 0) };
        self.come_back(who, waits);
        if is_held_off {
            self.keep_out(who);
        }
        who
    }

    /// A raised thread that was preempted runs again.
    pub fn come_back(&mut self, thread: Index, waits: u32) {
        if self.raised.contains(&thread) {
            self.raised.retain(|other| *other != thread);
            self.publish(thread, waits);
        }
    }

    /// The running thread has lowered its word.
    pub fn lowered(&mut self) {
        self.end_section(self.running);
        self.publish(self.running, 0);
    }

    /// A thread begins anew, or has ended.
    pub fn forget_words(&mut self, thread: Index) {
        let words = self.row(thread).words;
        self.memory.insert(words, 0);
        self.memory.insert(words + 4, 0);
    }
}
