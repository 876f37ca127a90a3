//! Decisions: who runs after a step.
//!
//! Almost always the thread of the most urgent place is ready and no thread has raised its urgency. Then a
//! decision is a few instructions at the end of the step. If a place is lent, or ceilings have to be checked,
//! the decision is a step of its own, so that the step before it doesn't become longer.

use beryl_abi::{Note, SemaphoreId, ThreadId};

use crate::event::{Machine, Switch};
use crate::exits::Exit;
use crate::kernel::{Kernel, Next};
use crate::machine::activity::Activity;
use crate::scheduling::processor::Place;
use crate::sizes::Sizes;
use crate::table::Table;
use crate::ways::Any;

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// The host's answer after a system call or an interrupt.
    #[inline(always)]
    pub(crate) fn conclude<W: Exit<S, M>>(&mut self, way: W, next: Next) -> W::Answer {
        match next {
            Next::Stay => way.stay(),
            Next::Again => self.ask_for_more(way),
            Next::Decide => self.decide(way),
            Next::Leave => self.leave(way),
            Next::Sleep => self.leave_place::<W, false>(way),
            Next::Rest => self.leave_place::<W, true>(way),
            Next::Pass(thread) => self.pass(way, thread),
            Next::Run(thread) => self.let_go_on(way, thread, Place::Own),
            Next::Wake(thread) if W::IS_ORDINARY => self.wake_at_once(way, thread),
            Next::Wake(thread) if way.is_calm() => self.wake_apart(way, thread),
            Next::Wake(thread) => {
                self.wake_later(thread);
                way.again(self)
            }
            Next::Lend(thread) => self.lend_place_to(way, thread),
        }
    }

    /// Decides who runs.
    #[inline(always)]
    pub(crate) fn decide<W: Exit<S, M>>(&mut self, way: W) -> W::Answer {
        if !W::IS_ORDINARY {
            if self.state.has_deferred_work {
                return way.again(self);
            }
            if let Activity::Await { thread, .. } = self.state.e_machine.activity {
                return self.let_drivers_run(way, thread);
            }
            if self.is_under_ceilings() {
                return self.decide_later(way);
            }
        }
        let place = self.state.bands.first();
        if !self.state.threads.at(place.index()).is_ready() {
            return self.decide_later(way);
        }
        self.let_run(way, place, Place::Own)
    }

    /// Decides who runs when the running thread isn't ready any more and its place isn't in its band, or
    /// leaves it later.
    #[inline(always)]
    fn leave<W: Exit<S, M>>(&mut self, way: W) -> W::Answer {
        let place = self.state.bands.first();
        let is_held_up = !W::IS_ORDINARY && (self.state.has_deferred_work || self.has_raised());
        if is_held_up || !self.state.threads.at(place.index()).is_ready() {
            return self.decide_later(way);
        }
        self.hand_over(way, place, Place::Own)
    }

    /// The running thread, of which nothing has to be asked, isn't ready any more and leaves its own place.
    #[inline(never)]
    fn leave_place<W: Exit<S, M>, const IS_CHARGED: bool>(&mut self, way: W) -> W::Answer {
        let thread = self.state.running();
        match self.state.threads.at(thread.index()).rank().as_fixed() {
            Some(rank) => self.state.bands.step_out(&mut self.state.threads, thread, rank),
            None => self.state.bands.remove(self.machine.system(), &mut self.state.threads, thread),
        }
        let place = self.state.bands.first();
        if !self.state.threads.at(place.index()).is_ready() {
            return self.decide_later(way);
        }
        match IS_CHARGED {
            true => self.let_go_on(way, place, Place::Own),
            false => self.hand_over_own_place(way, place),
        }
    }

    /// The processor goes to a thread whose place is the first.
    #[inline(always)]
    fn pass<W: Exit<S, M>>(&mut self, way: W, thread: ThreadId) -> W::Answer {
        if thread == self.state.running() {
            return way.stay();
        }
        self.hand_over_own_place(way, thread)
    }

    /// The place in which the running thread ran is lent to `thread`, so nothing else changes.
    #[inline(always)]
    pub(crate) fn lend_place_to<W: Exit<S, M>>(&mut self, way: W, thread: ThreadId) -> W::Answer {
        if !W::IS_ORDINARY {
            let runs = self.state.threads.at(thread.index()).is_ready();
            let is_in_place = self.state.processor.is_in_own_place() && !self.is_under_ceilings();
            if self.state.has_deferred_work || !runs || !is_in_place {
                return self.decide_later(way);
            }
        }
        let place = if W::IS_ORDINARY { Place::Handed } else { Place::Lent(self.state.payer()) };
        self.hand_over(way, thread, place)
    }

    /// Wakes a thread while user code runs and nothing has to be asked of the caller. In a fixed band the
    /// decision is a comparison: if some ready thread is as urgent, nothing changes.
    #[inline(never)]
    pub(crate) fn wake_at_once<W: Exit<S, M>>(&mut self, way: W, thread: ThreadId) -> W::Answer {
        self.want_from_now_on(thread);
        match self.state.threads.at(thread.index()).wakes_plainly() {
            Some(rank) => {
                self.note_on(way, Note::wake(thread));
                let is_first = self.stand_in_at_once(thread, rank);
                if !is_first {
                    return way.stay();
                }
                self.hand_over(way, thread, Place::Own)
            }
            None => self.wake_with_care(way, thread),
        }
    }

    /// As above, but separate: no step that judges a job by the other way wakes a thread, so bounds can leave
    /// this one out.
    #[inline(never)]
    fn wake_apart<W: Exit<S, M>>(&mut self, way: W, thread: ThreadId) -> W::Answer {
        self.wake_at_once(way, thread)
    }

    /// A plain thread of a fixed band wakes. Returns whether it is more urgent than all ready threads.
    #[inline(always)]
    pub(crate) fn stand_in_at_once(&mut self, thread: ThreadId, rank: u8) -> bool {
        self.end_wait(thread);
        self.state.bands.stand_in(&mut self.state.threads, thread, rank)
    }

    /// The event that a thread waits for has happened, or never will.
    #[inline(always)]
    pub(crate) fn end_wait(&mut self, thread: ThreadId) {
        let state = self.state.threads.at_mut(thread.index());
        state.go_on();
    }

    /// As above, for threads of dynamic bands and threads with a promised semaphore. If that semaphore has an
    /// owner, the thread's place is lent to it at once, which saves a useless switch. Threads at which places
    /// are parked wake in a step of their own, and so do those for which a queue or a chain of owners would
    /// have to be followed.
    #[inline(never)]
    fn wake_with_care<W: Exit<S, M>>(&mut self, way: W, thread: ThreadId) -> W::Answer {
        let state = self.state.threads.at_mut(thread.index());
        if !state.is_plain() {
            self.wake_later(thread);
            return self.ask_for_more(way);
        }
        let (then, rank) = (state.then, state.rank());
        let promised = then.checked_sub(1).filter(|_| S::SHARED).map(SemaphoreId);
        let owner = match promised {
            Some(semaphore) => self.short_promise(semaphore),
            None => Some(ThreadId::NONE),
        };
        let Some(owner) = owner else {
            self.wake_later(thread);
            return self.ask_for_more(way);
        };
        self.end_wait(thread);
        self.note_on(way, Note::wake(thread));
        let is_first = match rank.as_fixed() {
            Some(rank) => self.state.bands.stand_in(&mut self.state.threads, thread, rank),
            None => {
                self.return_to_band(thread);
                self.state.bands.first() == thread
            }
        };
        if let Some(semaphore) = promised {
            self.keep_short_promise(way, thread, semaphore, owner);
        }
        if self.state.bands.is_sorting() {
            return self.ask_for_more(way);
        }
        if !is_first {
            return way.stay();
        }
        if self.state.threads.at(thread.index()).is_ready() {
            return self.hand_over(way, thread, Place::Own);
        }
        let running = self.state.running();
        match self.state.lender_to(self.machine.system(), thread) {
            Some(owner) if owner == running => {
                self.keep_running(way, running, Place::Lent(thread));
                way.stay()
            }
            Some(owner) if self.state.threads.at(owner.index()).is_ready() => {
                self.hand_over(way, owner, Place::Lent(thread))
            }
            _ => self.decide_later(way),
        }
    }

    /// The decision is a step of its own, whatever comes in between.
    #[inline(always)]
    pub(crate) fn decide_later<W: Exit<S, M>>(&mut self, way: W) -> W::Answer {
        self.state.undecided = true;
        self.ask_for_more(way)
    }

    /// Decides who runs where a place may be lent and urgencies raised.
    #[inline(never)]
    pub(crate) fn decide_at_length(&mut self) -> Switch {
        self.state.undecided = false;
        let place = self.state.bands.first();
        let Some(next) = self.borrower(place) else { return self.park_later(place) };
        if next != self.state.running() && self.is_under_ceilings() {
            return self.decide_under_ceilings(place, next);
        }
        self.let_run(Any::UNDER_WAY, next, if next == place { Place::Own } else { Place::Lent(place) })
    }

    /// A driver thread runs before all others.
    #[cold]
    #[inline(never)]
    fn let_drivers_run<W: Exit<S, M>>(&mut self, way: W, thread: ThreadId) -> W::Answer {
        if self.is_under_ceilings() {
            self.set_aside();
        }
        self.let_run(way, thread, Place::Lent(thread))
    }

    /// `next` runs in this place, whether or not it runs already.
    #[inline(always)]
    fn let_run<W: Exit<S, M>>(&mut self, way: W, next: ThreadId, place: Place) -> W::Answer {
        if next == self.state.running() && (W::IS_ORDINARY || !self.state.processor.is_displaced()) {
            self.keep_running(way, next, place);
            return way.stay();
        }
        self.hand_over(way, next, place)
    }

    /// The running thread goes on, in this place from now on.
    #[inline(always)]
    fn keep_running<W: Exit<S, M>>(&mut self, way: W, running: ThreadId, place: Place) {
        self.state.processor.keep(place);
        self.pay_on(way, running, place);
    }
}
