//! Watchdogs: until when supervisors have to come back.

use beryl_kernel::{Optional, Sizes, Watchdog};

use super::{Index, Model, Phase, Reason, Ticks};

impl<S: Sizes> Model<'_, S> {
    fn watchdog(&self, mailbox: Index) -> Option<(Index, Watchdog)> {
        let rows = (0..S::WATCHDOGS).map(|number| (number, *self.system.watchdogs.get(number).unwrap()));
        rows.filter(|(_, row)| row.thread.is_some()).find(|(_, row)| row.mailbox.index() == mailbox)
    }

    /// Somebody came to a mailbox and got a message, or goes on without: what is there now has to be come back for.
    pub fn comes_back(&mut self, mailbox: Index, has_something: bool) {
        let Some((number, row)) = self.watchdog(mailbox) else { return };
        match has_something {
            true => drop(self.watched.insert(number, self.now + Ticks::from(row.within))),
            false => drop(self.watched.remove(&number)),
        }
    }

    /// A message is put into a mailbox at which nobody waits.
    pub fn is_there_to_be_fetched(&mut self, mailbox: Index) {
        if self.watchdog(mailbox).is_some_and(|(number, _)| !self.watched.contains_key(&number)) {
            self.comes_back(mailbox, true);
        }
    }

    /// Waiting for a message ends without one.
    pub fn leaves(&mut self, reason: &Reason) {
        if let Reason::Receive(mailbox, _) = reason {
            self.comes_back(*mailbox, !self.mailboxes[*mailbox].is_empty());
        }
    }

    /// When the next watchdog bites, and which.
    pub fn next_bite(&self) -> Option<(Ticks, Index)> {
        self.watched.iter().map(|(number, due)| (*due, *number)).min()
    }

    pub fn bite(&mut self, number: Index) {
        self.watched.remove(&number);
        let thread = self.system.watchdogs.get(number).unwrap().thread.index();
        if self.threads[thread].phase != Phase::Stopped {
            self.bites += 1;
            self.stop_what_faults(thread);
        }
    }
}
