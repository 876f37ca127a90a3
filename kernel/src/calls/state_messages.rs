//! State messages read by a call, for readers that are too slow for the message's depth.
//!
//! All other readers read them without the kernel; see `user::state`. The kernel copies the newest value
//! while no writer runs: a short one in the call's own step, a long one in pieces, a step each, as deferred
//! work. Interrupts are taken between the pieces, and no thread runs until all are copied. So the proof
//! counts a reading as a call with deferred pieces.
//!
//! EMERALDS, section 7.4, has slow readers copy with interrupts off; pieces keep the masked stretch as short
//! as any other step.

use beryl_abi::call::Operand;

use crate::event::Machine;
use crate::kernel::{Kernel, Next, Outcome};
use crate::objects::reading::Reading;
use crate::rows::objects::StateMessage;
use crate::sizes::Sizes;
use crate::state::State;
use crate::table::Table;
use crate::ways::Way;

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Copies the newest value to the caller's memory.
    #[inline(always)]
    pub(crate) fn read_state_message<W: Way>(&mut self, way: W, operand: Operand, to: u32) -> Outcome {
        let number = Self::number(way, operand, S::StateMessages::LENGTH)?;
        let row = self.machine.system().state_messages.at(number.into());
        self.must_be_allowed(way, row.readers)?;
        let length = u32::from(row.length);
        way.only_if(length <= State::<S>::CHUNK)?;
        self.must_be_callers(way, to, length)?;
        let from = self.newest(row);
        if length <= State::<S>::CHUNK {
            self.machine.copy(from, to, length);
            return Ok(Next::Stay);
        }
        self.state.reading = Reading::of(from, to, row.length);
        self.state.has_deferred_work = true;
        Ok(Next::Again)
    }

    /// The address of the newest value.
    #[inline(always)]
    pub(crate) fn newest(&mut self, row: &StateMessage) -> u32 {
        let written = if row.index == 0 { 0 } else { self.machine.load(row.index) };
        let buffer = written & u32::from(row.depth).wrapping_sub(1);
        row.base.wrapping_add(buffer.wrapping_mul(row.length.into()))
    }

    /// Copies the next piece of the value that is being read.
    pub(crate) fn read_on(&mut self) {
        let (from, to, length) = self.state.reading.next(State::<S>::CHUNK);
        self.machine.copy(from, to, length);
    }
}
