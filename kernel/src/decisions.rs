//! Decisions: who runs after a step.
//!
//! Almost always the thread of the most urgent place is ready and nobody has raised its urgency. Then a
//! decision is a few instructions at the end of the step. Where a place is lent, or ceilings have to be
//! asked for, it is a step of its own, so that the step that needs it doesn't become longer.

use beryl_abi::ThreadId;

use crate::event::{Machine, Switch};
use crate::handle::{Kernel, Next};
use crate::reactions::Activity;
use crate::sizes::{Sizes, Table};
use crate::state::{Phase, Wait};

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// The host's answer after a system call or an interrupt.
    #[inline(never)]
    pub(crate) fn conclude(&mut self, next: Next) -> Switch {
        match next {
            Next::Stay => Switch::Stay,
            Next::Again => Switch::Again,
            Next::Decide => self.decide(),
            Next::Leave => self.leave(),
            Next::Wake(thread) => {
                self.wake_later(thread);
                Switch::Again
            }
            Next::Lend(thread) => self.lend_place_to(thread),
        }
    }

    /// Decides who runs.
    #[inline(never)]
    pub(crate) fn decide(&mut self) -> Switch {
        if self.state.chores {
            return Switch::Again;
        }
        if let Activity::Await { thread, .. } = self.state.reactions.activity {
            return self.let_drivers_run(thread);
        }
        let place = self.state.bands.first();
        if self.state.threads.at(place.index()).phase != Phase::Ready || self.is_under_ceilings() {
            return self.decide_later();
        }
        self.state.place = place;
        self.let_run(place)
    }

    /// Decides who runs when the running thread has gone to wait.
    #[inline(never)]
    fn leave(&mut self) -> Switch {
        let place = self.state.bands.first();
        let is_lent = self.state.threads.at(place.index()).phase != Phase::Ready;
        if self.state.chores || is_lent || self.state.raised.is_some() {
            return self.decide_later();
        }
        self.state.place = place;
        self.hand_over(place)
    }

    /// The place in which the running thread ran is lent to `thread`, so nothing else changes.
    #[inline(never)]
    pub(crate) fn lend_place_to(&mut self, thread: ThreadId) -> Switch {
        let runs = self.state.threads.at(thread.index()).phase == Phase::Ready;
        let is_in_place = self.state.place == self.state.running && !self.is_under_ceilings();
        if self.state.chores || !runs || !is_in_place {
            return self.decide_later();
        }
        self.state.place = ThreadId::NONE;
        self.hand_over(thread)
    }

    /// Decides who runs after a call of which nothing had to be asked.
    #[inline(always)]
    pub(crate) fn decide_at_once(&mut self, running: ThreadId) -> Switch {
        let place = self.state.bands.first();
        if self.state.threads.at(place.index()).phase != Phase::Ready {
            self.state.undecided = true;
            return self.go_on_at_length();
        }
        if place == running {
            self.state.place = place;
            return Switch::Stay;
        }
        self.hand_over_at_once(running, place)
    }

    /// The running thread, of which nothing had to be asked and that ran in its own place, waits for a lock
    /// whose owner is ready: that one runs in its place.
    #[inline(always)]
    pub(crate) fn lend_place_at_once(&mut self, running: ThreadId, owner: ThreadId) -> Switch {
        let switch = self.hand_over_at_once(running, owner);
        self.state.place = ThreadId::NONE;
        switch
    }

    /// Wakes a thread while user code runs of whose caller nothing has to be asked. In a fixed band the
    /// decision is a comparison: nobody who is ready is as urgent, or nothing changes.
    #[inline(never)]
    pub(crate) fn wake_at_once(&mut self, thread: ThreadId) -> Switch {
        let state = self.state.threads.at(thread.index());
        let rank = self.machine.system().threads.at(thread.index()).rank.as_fixed();
        match rank {
            Some(rank) if state.is_plain() && state.then == 0 => {
                let is_first = self.stand_in_at_once(thread, rank);
                let running = self.state.running;
                if is_first { self.hand_over_at_once(running, thread) } else { Switch::Stay }
            }
            _ => self.wake_with_care(thread),
        }
    }

    /// A plain thread of a fixed band wakes. Answers whether it is more urgent than all that are ready.
    #[inline(always)]
    pub(crate) fn stand_in_at_once(&mut self, thread: ThreadId, rank: u8) -> bool {
        let state = self.state.threads.at_mut(thread.index());
        (state.phase, state.wait, state.timed) = (Phase::Ready, Wait::Nothing, false);
        self.state.bands.stand_in(&mut self.state.threads, thread, rank)
    }

    /// The same for threads of dynamic bands, and for those to which a semaphore was promised: if it has an
    /// owner, the thread's place is lent to it at once, and nobody is switched to in vain. Threads at which
    /// places are parked wake in a step of their own.
    #[inline(never)]
    fn wake_with_care(&mut self, thread: ThreadId) -> Switch {
        let state = self.state.threads.at_mut(thread.index());
        if !state.is_plain() {
            self.wake_later(thread);
            return self.go_on_at_length();
        }
        (state.phase, state.wait, state.timed) = (Phase::Ready, Wait::Nothing, false);
        let then = state.then;
        let is_first = match self.machine.system().threads.at(thread.index()).rank.as_fixed() {
            Some(rank) => self.state.bands.stand_in(&mut self.state.threads, thread, rank),
            None => {
                self.return_to_band(thread);
                self.state.bands.first() == thread
            }
        };
        if S::SHARED && then != 0 {
            self.take_promised(thread);
        }
        if !is_first {
            return Switch::Stay;
        }
        let running = self.state.running;
        if self.state.threads.at(thread.index()).phase == Phase::Ready {
            return self.hand_over_at_once(running, thread);
        }
        match self.state.lender_to(self.machine.system(), thread) {
            Some(owner) if owner == running => {
                self.state.place = ThreadId::NONE;
                Switch::Stay
            }
            Some(owner) if self.state.threads.at(owner.index()).phase == Phase::Ready => {
                self.lend_place_at_once(running, owner)
            }
            _ => {
                self.state.undecided = true;
                self.go_on_at_length()
            }
        }
    }

    /// The decision is a step of its own, whatever comes in between.
    #[inline(always)]
    pub(crate) fn decide_later(&mut self) -> Switch {
        self.state.undecided = true;
        Switch::Again
    }

    /// Decides who runs where a place may be lent and urgencies be raised.
    #[inline(never)]
    pub(crate) fn decide_at_length(&mut self) -> Switch {
        self.state.undecided = false;
        let place = self.state.bands.first();
        let Some(next) = self.borrower(place) else { return self.park_later(place) };
        if next != self.state.running && self.is_under_ceilings() {
            return self.decide_under_ceilings(place, next);
        }
        self.state.place = if next == place { place } else { ThreadId::NONE };
        self.let_run(next)
    }

    /// A driver thread runs before everybody else.
    #[cold]
    #[inline(never)]
    fn let_drivers_run(&mut self, thread: ThreadId) -> Switch {
        self.state.place = ThreadId::NONE;
        if self.is_under_ceilings() {
            self.set_aside();
        }
        self.let_run(thread)
    }

    /// `next` runs, whether or not it does so already.
    #[inline(always)]
    fn let_run(&mut self, next: ThreadId) -> Switch {
        if next == self.state.running && !self.state.displaced {
            return Switch::Stay;
        }
        self.state.displaced = false;
        self.hand_over(next)
    }
}
