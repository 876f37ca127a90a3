//! What holds in every state.

use beryl_kernel::{Sizes, Table, ThreadKind};

use super::{Index, Model, Phase, Reason};

impl<S: Sizes> Model<'_, S> {
    /// Panics unless everything is as it has to be.
    pub fn assert_sound(&self) {
        for thread in self.indices() {
            self.assert_nobody_sleeps_on_what_is_there(thread);
            self.assert_place(thread);
        }
        for semaphore in 0..self.semaphores.len() {
            if let Some(owner) = self.owner(semaphore).filter(|_| self.is_binary(semaphore)) {
                assert_ne!(self.threads[owner].phase, Phase::Stopped, "a stopped thread owns {semaphore}");
            }
        }
        for (index, mailbox) in self.mailboxes.iter().enumerate() {
            assert!(mailbox.len() <= usize::from(self.system.mailboxes.at(index).capacity));
        }
        self.assert_right_one_runs();
    }

    /// No wake-up was lost.
    fn assert_nobody_sleeps_on_what_is_there(&self, thread: Index) {
        let Some(waiting) = self.threads[thread].waiting() else { return };
        let available = match waiting.reason {
            Reason::Semaphore(semaphore) if self.is_binary(semaphore) => self.owner(semaphore).is_none(),
            Reason::Semaphore(semaphore) => self.semaphores[semaphore].units > 0,
            Reason::Group(group, want) => want.is_there(self.event_groups[group]),
            Reason::Bits(mask) => self.threads[thread].bits & mask != 0,
            Reason::Send(mailbox, _) => {
                self.mailboxes[mailbox].len() < usize::from(self.system.mailboxes.at(mailbox).capacity)
            }
            Reason::Receive(mailbox, _) => !self.mailboxes[mailbox].is_empty(),
            Reason::Request(endpoint, _) => {
                self.waiters(|reason| matches!(reason, Reason::Queue(other, ..) if *other == endpoint))
                    .count()
                    > 0
            }
            Reason::Queue(endpoint, ..) | Reason::Reply(endpoint, _) => {
                let server = self.system.endpoints.at(endpoint).server.index();
                self.threads[server].phase == Phase::Stopped
            }
            Reason::Period | Reason::Time | Reason::Condition(..) => false,
        };
        assert!(!available, "{thread} sleeps on something that is there: {waiting:?}");
        assert!(waiting.until.is_none_or(|until| until > self.now), "{thread} sleeps too long: {waiting:?}");
    }

    /// Exactly those who want to run, or lend their place, have one; nobody else's is kept.
    fn assert_place(&self, thread: Index) {
        let state = &self.threads[thread];
        let kind = self.row(thread).kind;
        if matches!(kind, ThreadKind::None | ThreadKind::Drivers) {
            return;
        }
        let wants = self.is_ready(thread) || self.lender_to(thread).is_some();
        let place = state.turn.is_some() || state.parked.is_some();
        assert_eq!(place, wants && !self.is_guest(thread), "the place of {}", self.describe(thread));
        if let Some((at, _)) = state.parked {
            assert_eq!(self.last_of_chain(thread), at, "{thread} is parked at somebody who isn't its last");
            assert!(!self.is_ready(at), "{thread} is parked at {at}, who could run");
        }
    }

    /// By full search over all places: inheritance is exact, and nobody waits but for a raised word.
    fn assert_right_one_runs(&self) {
        let lends = |thread: &Index| {
            let has_place = self.is_ready(*thread) || self.lender_to(*thread).is_some();
            has_place
                && self.counts(*thread)
                && !self.is_guest(*thread)
                && self.is_ready(self.last_of_chain(*thread))
        };
        let best = self.indices().filter(lends).map(|thread| self.urgency(thread)).min().unwrap();
        let through = |thread: &Index| self.last_of_chain(*thread) == self.running;
        let mine = self.indices().filter(lends).filter(through).map(|thread| self.urgency(thread)).min();
        let kept_out = self.is_raised(self.running)
            || !self.raised.is_empty()
            || self.word(self.row(self.running).words + 4) > 0;
        assert!(
            mine == Some(best) || kept_out,
            "{} runs at {mine:?}, but there is somebody at {best:?}",
            self.running
        );
    }
}
