//! Event groups: bits that threads set and clear, and other threads wait for, any or all of them.
//!
//! ```text
//!    set: no thread waits, or one   the bits are set, and the waiter gets its bits at once
//!    set: several wait (1)          Again -> the most urgent waiter with its bits set wakes (2) -> ... (2)
//!                                            none left: the bits they take are cleared -> a decision
//! ```
//! (1) `event_group_set`, (2) `wake_next_met`. No user code runs between these steps, so no thread sets,
//! clears or begins to wait. Timers that go off meanwhile come after all deferred work, so no thread whose
//! bits are set times out.

use beryl_abi::call::Operand;
use beryl_abi::{CallError, EventGroupId, Note, Passed, Wanted};

use crate::event::Machine;
use crate::kernel::{Kernel, Next, Outcome};
use crate::objects::event_group::Set;
use crate::rows::gates::Gated;
use crate::rows::objects::EventGroup;
use crate::scheduling::broadcast::Broadcast;
use crate::scheduling::thread::{Offer, Wait};
use crate::sizes::Sizes;
use crate::table::Table;
use crate::ways::{Any, Way};

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Sets bits of an event group and wakes the threads that wait for them.
    #[inline(always)]
    pub(crate) fn event_group_set<W: Way>(&mut self, way: W, operand: Operand, bits: u32) -> Outcome {
        let group = self.event_group(way, operand, |row| row.sources)?;
        let state = self.state.event_groups.at_mut(group.index());
        way.only_if(!state.has_several(&self.state.threads))?;
        if let Err(gate) = self.pass_gate(Gated::EventGroup(group)) {
            return self.keep_bits(way, gate, bits);
        }
        self.note_on(way, Note::message(self.state.running(), Passed::Set, group.0));
        Ok(self.set_in_group(way, group, bits))
    }

    /// Bits of an event group are set.
    #[inline(always)]
    pub(crate) fn set_in_group<W: Way>(&mut self, way: W, group: EventGroupId, bits: u32) -> Next {
        match self.state.event_groups.at_mut(group.index()).set(bits, &self.state.threads) {
            Set::Kept => Next::Stay,
            Set::To(thread, bits) => {
                self.deliver(way, thread, [bits, 0]);
                Next::Wake(thread)
            }
            Set::Several => {
                self.state.broadcast = Broadcast::EventGroup(group);
                self.state.has_deferred_work = true;
                Next::Again
            }
        }
    }

    /// Clears bits of an event group and returns all of them as they were.
    #[inline(never)]
    pub(crate) fn event_group_clear(&mut self, operand: Operand, bits: u32) -> Outcome {
        let group = self.event_group(Any::UNDER_WAY, operand, |row| row.sources)?;
        let before = self.state.event_groups.at_mut(group.index()).clear(bits);
        self.take_back_bits(Gated::EventGroup(group), bits);
        self.note(Note::message(self.state.running(), Passed::Cleared, group.0));
        self.answer([before, 0]);
        Ok(Next::Stay)
    }

    /// Waits for bits of an event group.
    #[inline(always)]
    pub(crate) fn event_group_wait<W: Way>(
        &mut self,
        way: W,
        operand: Operand,
        wanted: Wanted,
        timeout: u32,
    ) -> Outcome {
        let group = self.event_group(way, operand, |row| row.waiters)?;
        self.must_be_a_wait(way, operand, timeout)?;
        if wanted.bits == 0 {
            return Err(CallError::NoBits);
        }
        let running = self.state.running();
        let state = self.state.event_groups.at_mut(group.index());
        if let Some(bits) = state.ask(wanted) {
            self.answer([bits, 0]);
            return Ok(self.keep_promise(way, operand, Next::Stay));
        }
        self.must_want_to_wait(way, timeout)?;
        way.only_if(self.state.event_groups.at(group.index()).queue.is_empty())?;
        self.state.threads.at_mut(running.index()).offer = Offer::wanted(wanted);
        let queue = &mut self.state.event_groups.at_mut(group.index()).queue;
        queue.join(way, &self.machine.system().threads, &mut self.state.threads, running);
        Ok(self.sleep(way, Wait::EventGroup, operand, timeout))
    }

    /// Wakes the most urgent waiter of an event group whose bits are set; if there is none, all are awake.
    pub(crate) fn wake_next_met(&mut self, group: EventGroupId) {
        let state = self.state.event_groups.at_mut(group.index());
        let Some((thread, bits)) = state.next(&mut self.state.threads) else {
            self.state.broadcast = Broadcast::Nobody;
            return;
        };
        self.machine.result(thread, [bits, 0]);
        self.wake_later(thread);
    }

    /// An event group, if the caller may use it in this way.
    #[inline(always)]
    fn event_group<W: Way>(
        &self,
        way: W,
        operand: Operand,
        allowed: impl Fn(&EventGroup) -> u32,
    ) -> Result<EventGroupId, CallError> {
        let group = EventGroupId(Self::number(way, operand, S::EventGroups::LENGTH)?);
        self.must_be_allowed(way, allowed(self.machine.system().event_groups.at(group.index())))?;
        Ok(group)
    }
}
