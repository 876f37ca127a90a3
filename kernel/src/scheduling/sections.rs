//! Sections of ceiling locks: who raised itself keeps others out for no longer than its `hold`.
//!
//! A thread raises and lowers itself without the kernel, so nobody knows when it did. What others may rely on is
//! how long they are kept out. So a section is policed from the decision that keeps a more urgent place out:
//!
//! ```text
//!   thread   ---raises itself--------------------------------- lowers itself, and asks for a decision (4)
//!   kernel               a more urgent place waits: its clock     |  or: the alarm finds it still raised (3):
//!                        plus `hold` is the section's end (1),    v  a fault
//!                        and the alarm is set to it (2)
//! ```
//! (1) `keeps_out`, (2) `until_section_ends`, (3) `sees_overdue` and `deal_with_section`, (4) `lets_in`.
//!
//! Taking a lock and giving it back cost what they did. A section ends where its thread loses the processor without
//! being raised, or asks without being so; whoever is policed is made to ask by what is published to it. A thread
//! that lowers and raises itself without asking goes on, and so does one that keeps nobody out any more.

use beryl_abi::{Fault, FaultKind, Moment, ThreadId};

use crate::event::Machine;
use crate::kernel::Kernel;
use crate::scheduling::processor::Place;
use crate::scheduling::section::Section;
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
            self.pay_in(Any::UNDER_WAY, running, Place::Lent(self.state.payer()));
        }
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
        let may_go_on = self.state.threads.at(thread.index()).is_ready();
        if !may_go_on || self.raised_level(thread) == 0 {
            self.keeps_nobody_out(thread);
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
            *section = Section::NONE;
        }
    }

    /// The alarm is about to be set while `running` runs; its section may end before.
    #[inline(always)]
    pub(crate) fn until_section_ends(&self, running: ThreadId, moment: Moment) -> Moment {
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
        self.keeps_nobody_out(running);
        if self.raised_level(running) > 0 {
            self.fault_of(running, Fault { kind: FaultKind::Hold, address: 0, instruction: 0 });
        }
    }
}
