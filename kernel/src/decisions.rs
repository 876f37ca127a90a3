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
use crate::state::Phase;
use crate::system::Place;

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// The host's answer after a system call or an interrupt.
    #[inline(never)]
    pub(crate) fn conclude(&mut self, next: Next) -> Switch {
        match next {
            Next::Stay => Switch::Stay,
            Next::Again => Switch::Again,
            Next::Decide => self.decide(),
            Next::Leave => self.leave(),
            Next::Wake(thread) => self.wake_and_decide(thread),
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

    /// Wakes a thread and decides who runs. Most threads stand in a fixed band and nobody's place is parked
    /// at them; then the decision is between this thread and who runs now. If the thread was promised a
    /// semaphore that the running thread owns, its place is lent at once, and nobody is switched to.
    #[inline(never)]
    pub(crate) fn wake_and_decide(&mut self, thread: ThreadId) -> Switch {
        let row = self.machine.system().threads.at(thread.index());
        let state = self.state.threads.at(thread.index());
        let (then, is_plain) = (state.then, state.is_plain());
        let is_quiet = self.state.reactions.activity == Activity::Idle && !self.state.displaced;
        if !is_plain || !is_quiet || self.is_under_ceilings() || !matches!(row.place, Place::Fixed { .. }) {
            self.wake_later(thread);
            return Switch::Again;
        }
        self.wake_plainly(thread, row.rank);
        if then != 0 {
            self.take_promised(thread);
        }
        if self.state.bands.first() != thread {
            return Switch::Stay;
        }
        if self.state.threads.at(thread.index()).phase == Phase::Ready {
            self.state.place = thread;
            return self.hand_over(thread);
        }
        match self.state.lender_to(self.machine.system(), thread) {
            Some(owner) if owner == self.state.running => {
                self.state.place = ThreadId::NONE;
                Switch::Stay
            }
            _ => self.decide_later(),
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
