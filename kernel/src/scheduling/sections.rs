//! Sections of locks: who is inside one keeps others out for no longer than its `hold`.
//!
//! A thread raises and lowers itself without the kernel, and takes semaphores so, so nobody knows when it did. What others
//! may rely on is how long they are kept out. So a section is policed from when a more urgent place is kept out, or
//! somebody waits for a semaphore:
//!
//! ```text
//!   thread   ---raises itself--------------------------------- lowers itself, and asks for a decision (4)
//!   kernel               a more urgent place waits: its clock     |  or: the alarm finds it still raised (3):
//!                        plus `hold` is the section's end (1),    v  a fault
//!                        and the alarm is set to it (2)
//!
//!   thread   ---takes a semaphore----------------------------- gives it back by a call (6)
//!   kernel               the first one waits for it (5):          |  or: the alarm finds that somebody waits still (3),
//!                        the same (1), (2)                        v  or it sleeps while who waits would run (7): a fault
//! ```
//! (1) `keeps_out`, (2) `until_section_ends`, (3) `sees_overdue` and `deal_with_section`, (4) `lets_in`, (5)
//! `begins_to_be_waited_for`, (6) `hands_on`, (7) `sleeps_inside`.
//!
//! Taking a lock and giving it back cost what they did. A section ends where its thread loses the processor without
//! being raised, asks without being so, or gives the last semaphore back for which somebody waits; whoever is policed is
//! made to ask by what is published to it. A thread that lowers and raises itself without asking goes on, and so does one
//! that keeps nobody out any more. One that is inside several locks has the time of the longest, from when the first of
//! them keeps somebody out.

use beryl_abi::{Fault, FaultKind, Moment, SemaphoreId, ThreadId};

use crate::event::Machine;
use crate::kernel::Kernel;
use crate::scheduling::processor::Place;
use crate::sizes::Sizes;
use crate::table::{Optional, Table};
use crate::ways::{Any, Way};

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// How long a thread may keep others out, if that is policed.
    #[inline(always)]
    fn hold_of(&self, thread: ThreadId) -> Option<u32> {
        S::HOLDS.get(thread.index()).copied().filter(|hold| *hold > 0)
    }

    /// A raised thread keeps a more urgent place out, and goes on where it is.
    #[inline(always)]
    pub(crate) fn keeps_out(&mut self, thread: ThreadId) {
        if let Some(hold) = self.hold_of(thread) {
            let clock = self.state.threads.at(thread.index()).clock;
            if let Some(section) = self.state.sections.get_mut(thread.index()) {
                section.begin(clock, hold);
            }
        }
    }

    /// The same of the running thread, whose alarm is set anew.
    #[inline(always)]
    pub(crate) fn keeps_out_from_now_on(&mut self, running: ThreadId) {
        if self.hold_of(running).is_some() {
            let now = self.machine.moment();
            self.charge_until(now);
            self.keeps_out(running);
            let _asked = self.pay_in(Any::UNDER_WAY, running, Place::Lent(self.state.payer()));
        }
    }

    /// Somebody waits for a semaphore, for which nobody did before.
    #[inline(always)]
    pub(crate) fn begins_to_be_waited_for(&mut self, owner: ThreadId) {
        if !S::HOLDS.is_empty() {
            self.want(owner);
        }
    }

    #[inline(never)]
    fn want(&mut self, owner: ThreadId) {
        if let Some(section) = self.state.sections.get_mut(owner.index()) {
            section.want();
            match owner == self.state.running() {
                // Somebody else has woken, who takes what was promised.
                true => self.keeps_out_from_now_on(owner),
                false => self.keeps_out(owner),
            }
        }
    }

    /// The owner of a semaphore for which somebody waits; [`ThreadId::NONE`] where nobody asks.
    #[inline(always)]
    pub(crate) fn policed_owner(&self, semaphore: SemaphoreId) -> ThreadId {
        match S::HOLDS.is_empty() {
            true => ThreadId::NONE,
            false => self.state.semaphores.at(semaphore.index()).owner.thread(),
        }
    }

    /// Somebody waits no more for a semaphore of this thread, and didn't get it.
    #[inline(always)]
    pub(crate) fn gives_up_waiting(&mut self, owner: ThreadId, semaphore: SemaphoreId) {
        if !S::HOLDS.is_empty() && self.state.semaphores.at(semaphore.index()).queue.is_empty() {
            self.want_no_more(owner);
        }
    }

    #[inline(never)]
    fn want_no_more(&mut self, owner: ThreadId) {
        if let Some(section) = self.state.sections.get_mut(owner.index()) {
            section.want_no_more();
            self.let_in(owner);
            if !self.owns_what_is_wanted(owner) && self.must_say_when_it_ends(owner) {
                self.have_it_say_when_it_lowers_itself(owner);
            }
        }
    }

    /// A semaphore for which somebody waited has another owner.
    #[inline(always)]
    pub(crate) fn hands_on(&mut self, last: ThreadId, next: ThreadId, semaphore: SemaphoreId) {
        if !S::HOLDS.is_empty() {
            self.want_no_more(last);
            if !self.state.semaphores.at(semaphore.index()).queue.is_empty() {
                self.want(next);
            }
        }
    }

    /// A place would come first that waits for this thread, and it can't run. No `hold` counts for who sleeps.
    #[inline(always)]
    pub(crate) fn sleeps_inside(&mut self, owner: ThreadId) {
        if !S::HOLDS.is_empty() && self.hold_of(owner).is_some() && self.owns_what_is_wanted(owner) {
            self.keeps_nobody_out(owner);
            return self.held_too_long(owner);
        }
        self.sleeps_over_request(owner);
    }

    /// A thread loses the processor, or says that it has lowered itself: unless it is raised and may go on, nobody is kept
    /// out by it.
    #[inline(always)]
    pub(crate) fn lets_in<W: Way>(&mut self, _way: W, thread: ThreadId) {
        if !W::IS_ORDINARY && !S::HOLDS.is_empty() {
            self.let_in(thread);
        }
    }

    #[inline(never)]
    fn let_in(&mut self, thread: ThreadId) {
        if !self.is_inside_section(thread) {
            self.keeps_nobody_out(thread);
        }
    }

    /// Whether somebody waits for what a thread owns, or it may go on and is raised.
    fn is_inside_section(&mut self, thread: ThreadId) -> bool {
        self.owns_what_is_wanted(thread)
            || self.state.threads.at(thread.index()).is_ready() && self.raised_level(thread) > 0
    }

    fn owns_what_is_wanted(&self, thread: ThreadId) -> bool {
        self.state.sections.get(thread.index()).is_some_and(|section| section.is_wanted())
    }

    /// A thread's clock begins anew, with its next job. What it may go on with doesn't.
    #[inline(always)]
    pub(crate) fn clock_begins_anew(&mut self, thread: ThreadId) {
        if !S::HOLDS.is_empty() || !S::ANSWERS.is_empty() {
            self.carry_over(thread);
        }
    }

    #[inline(never)]
    fn carry_over(&mut self, thread: ThreadId) {
        let clock = self.state.threads.at(thread.index()).clock;
        if let Some(section) = self.state.sections.get_mut(thread.index()) {
            section.carry_over(clock);
        }
        if let Some(answer) = self.state.answers.get_mut(thread.index()) {
            answer.carry_over(clock);
        }
    }

    /// Whether a thread has to call once it has lowered itself, whoever waits for that.
    #[inline(always)]
    pub(crate) fn must_say_when_it_ends(&self, thread: ThreadId) -> bool {
        self.state.sections.get(thread.index()).is_some_and(|section| section.is_policed())
    }

    /// What comes is a new section.
    fn keeps_nobody_out(&mut self, thread: ThreadId) {
        if let Some(section) = self.state.sections.get_mut(thread.index()) {
            section.end();
        }
    }

    /// The alarm is about to be set while `running` runs; its section may end before, or it has to answer.
    #[inline(always)]
    pub(crate) fn until_section_ends(&self, running: ThreadId, moment: Moment) -> Moment {
        let moment = self.until_answer_is_due(running, moment);
        if S::HOLDS.is_empty() {
            return moment;
        }
        let clock = self.state.threads.at(running.index()).clock;
        match self.state.sections.get(running.index()) {
            Some(section) if section.is_policed() => {
                self.state.since.after(section.left(clock)).earlier(moment)
            }
            _ => moment,
        }
    }

    /// Whether the running thread has kept somebody out for too long, as far as time is charged. That is dealt
    /// with in a step of its own.
    #[inline(always)]
    pub(crate) fn sees_overdue(&mut self) -> bool {
        let is_overdue = self.is_overdue();
        self.state.has_deferred_work |= is_overdue;
        is_overdue
    }

    #[inline(always)]
    pub(crate) fn is_overdue(&self) -> bool {
        self.is_late_to_answer() || self.stays_too_long()
    }

    #[inline(always)]
    fn stays_too_long(&self) -> bool {
        if S::HOLDS.is_empty() {
            return false;
        }
        let running = self.state.running();
        let clock = self.state.threads.at(running.index()).clock;
        let section = self.state.sections.get(running.index());
        section.is_some_and(|section| section.is_over(clock))
    }

    /// The running thread has kept somebody out for too long. Who isn't raised any more was about to ask.
    #[cold]
    #[inline(never)]
    pub(crate) fn deal_with_section(&mut self) {
        let running = self.state.running();
        if self.is_late_to_answer() {
            return self.answers_too_late(running);
        }
        self.keeps_nobody_out(running);
        if self.is_inside_section(running) {
            self.held_too_long(running);
        }
    }

    #[cold]
    #[inline(never)]
    fn held_too_long(&mut self, thread: ThreadId) {
        self.fault_of(thread, Fault { kind: FaultKind::Hold, address: 0, instruction: 0 });
    }
}
