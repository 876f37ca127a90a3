//! Inheritance by lending places: a thread that waits for a lock makes the lock's owner as urgent as itself.
//!
//! A thread that waits for a lock stays in its band, and its place is lent to the lock's owner: when that
//! place comes first, the owner runs. If the owner waits for a lock too, its lock's owner runs, and so on to
//! the end of the chain. Nothing is copied, so whole urgencies are inherited, across bands and through
//! chains, and there is nothing to restore. (The paper swaps places in the queue of fixed priorities instead,
//! EMERALDS section 6.2; here the waiting thread's own place is the place-holder.)
//!
//! If the end of the chain can't run, because it sleeps while it owns the lock, the place is *parked*: it
//! leaves its band until that thread wakes or the chain changes. Then all places parked at the thread return,
//! one each step. Any that still lead to a thread that can't run are parked again when they come first.
//!
//! ```text
//!            comes first, the chain's end can't run (park)
//!     In ----------------------------------------------------> Parked
//!      ^                                                         |
//!      +---------------------------------------------------------+
//!        the end wakes, or a wait along the chain ends (return_place)
//! ```

use beryl_abi::ThreadId;

use crate::event::{Machine, Switch};
use crate::kernel::Kernel;
use crate::scheduling::thread::{Phase, Standing, Wait};
use crate::sizes::Sizes;
use crate::state::State;
use crate::system::System;
use crate::table::Table;

impl<S: Sizes> State<S> {
    /// The owner of the lock that a thread waits for, if it waits for one.
    #[inline(always)]
    pub(crate) fn lender_to(&self, system: &System<S>, thread: ThreadId) -> Option<ThreadId> {
        let state = self.threads.at(thread.index());
        if !S::SHARED || state.phase() != Phase::Lent {
            return None;
        }
        match state.wait() {
            Wait::Semaphore => Some(self.semaphores.at(state.object().into()).owner.thread()),
            Wait::Call | Wait::Reply => Some(system.endpoints.at(state.object().into()).server),
            _ => None,
        }
    }

    /// The end of the chain that begins at a thread. It has at most a link for each lock, since waits that
    /// would close a circle are refused.
    #[inline(never)]
    pub(crate) fn end_of_chain(&self, system: &System<S>, thread: ThreadId) -> ThreadId {
        let mut end = thread;
        // bound: LOCKS
        for _ in 0..S::Semaphores::LENGTH + S::Endpoints::LENGTH {
            match self.lender_to(system, end) {
                Some(next) => end = next,
                None => break,
            }
        }
        end
    }
}

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// The thread that runs in a place; none if the place leads to a thread that can't run.
    #[inline(always)]
    pub(crate) fn borrower(&self, place: ThreadId) -> Option<ThreadId> {
        if !S::SHARED || self.state.threads.at(place.index()).is_ready() {
            return Some(place);
        }
        self.borrower_along_chain(place)
    }

    #[inline(never)]
    fn borrower_along_chain(&self, place: ThreadId) -> Option<ThreadId> {
        let end = self.state.end_of_chain(self.machine.system(), place);
        (self.state.threads.at(end.index()).is_ready()).then_some(end)
    }

    /// Whether `thread` would wait for itself if it waited for something that `owner` owns.
    #[inline(always)]
    pub(crate) fn closes_ring(&self, thread: ThreadId, owner: ThreadId) -> bool {
        if self.state.threads.at(owner.index()).is_ready() {
            return owner == thread;
        }
        self.state.end_of_chain(self.machine.system(), owner) == thread
    }

    /// The first place leads to a thread that can't run: it is parked in a step of its own.
    #[cold]
    pub(crate) fn park_later(&mut self, place: ThreadId) -> Switch {
        self.state.stuck = place;
        self.state.has_deferred_work = true;
        Switch::Again
    }

    /// Takes a place out of its band because it leads to a thread that can't run. If an interrupt has changed
    /// that meanwhile, the place returns at once.
    pub(crate) fn park(&mut self, place: ThreadId) {
        if self.state.threads.at(place.index()).standing() != Standing::In {
            return;
        }
        let end = self.state.end_of_chain(self.machine.system(), place);
        self.state.bands.remove(self.machine.system(), &mut self.state.threads, place);
        self.state.threads.at_mut(place.index()).stand(Standing::Parked);
        let parked = self.state.threads.at(end.index()).parked();
        self.state.threads.at_mut(place.index()).next = place;
        let last = self.join_rings(parked, place);
        self.state.threads.at_mut(end.index()).keep_parked(last);
        if self.state.threads.at(end.index()).is_ready() {
            self.bring_back(end);
        } else {
            self.sleeps_inside(end);
        }
    }

    /// All places that are parked at a thread return to their bands.
    #[inline(always)]
    pub(crate) fn bring_back(&mut self, end: ThreadId) {
        if S::SHARED && self.state.threads.at(end.index()).parked().is_some() {
            self.bring_back_all(end);
        }
    }

    #[cold]
    #[inline(never)]
    fn bring_back_all(&mut self, end: ThreadId) {
        let parked = self.state.threads.at(end.index()).parked();
        self.state.threads.at_mut(end.index()).keep_parked(ThreadId::NONE);
        self.state.returning = self.join_rings(self.state.returning, parked);
        self.state.has_deferred_work = true;
    }

    /// A place outside its band returns to it later, if its thread is ready or lends it by then.
    pub(crate) fn return_later(&mut self, place: ThreadId) {
        self.state.threads.at_mut(place.index()).next = place;
        self.state.returning = self.join_rings(self.state.returning, place);
        self.state.has_deferred_work = true;
    }

    /// Joins two rings, each named by its last member or empty. Exchanging the successors of two members of
    /// different rings makes one ring of them.
    fn join_rings(&mut self, one: ThreadId, other: ThreadId) -> ThreadId {
        if !one.is_some() {
            return other;
        }
        let after_one = self.state.threads.at(one.index()).next;
        let after_other = self.state.threads.at(other.index()).next;
        self.state.threads.at_mut(one.index()).next = after_other;
        self.state.threads.at_mut(other.index()).next = after_one;
        other
    }

    /// Returns the next place to its band. It may have been given up meanwhile.
    pub(crate) fn return_place(&mut self) {
        let last = self.state.returning;
        let place = self.state.threads.at(last.index()).next;
        if place == last {
            self.state.returning = ThreadId::NONE;
        } else {
            self.state.threads.at_mut(last.index()).next = self.state.threads.at(place.index()).next;
        }
        let state = self.state.threads.at(place.index());
        match (state.standing(), state.phase()) {
            (Standing::Parked, Phase::Ready | Phase::Lent) => {
                self.date_anew(place);
                self.arrive_anew(place);
                self.stand_in_band(place);
            }
            (Standing::Parked, _) => self.state.threads.at_mut(place.index()).stand(Standing::Out),
            _ => {}
        }
    }

    /// A thread's place is given up, wherever it is.
    pub(crate) fn give_up_place(&mut self, thread: ThreadId) {
        if self.state.threads.at(thread.index()).standing() == Standing::In {
            self.state.bands.remove(self.machine.system(), &mut self.state.threads, thread);
        }
    }
}
