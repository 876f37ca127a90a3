//! State messages by a call: for readers that are slower than a message's depth is made for.
//!
//! Everybody else reads them without the kernel; see `user::state`. The kernel copies the newest value
//! in one step, in which no writer runs.

use beryl_abi::call::Operand;

use crate::event::Machine;
use crate::kernel::{Kernel, Next, Outcome};
use crate::rows::objects::StateMessage;
use crate::sizes::Sizes;
use crate::table::Table;
use crate::ways::Way;

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Copies the newest value to the caller's memory.
    #[inline(always)]
    pub(crate) fn read_state_message<W: Way>(&mut self, way: W, operand: Operand, to: u32) -> Outcome {
        let number = Self::number(way, operand, S::StateMessages::LENGTH)?;
        let row = self.machine.system().state_messages.at(number.into());
        self.must_be_allowed(way, row.readers)?;
        self.must_be_callers(way, to, row.length.into())?;
        self.copy_newest(row, to);
        Ok(Next::Stay)
    }

    #[inline(always)]
    fn copy_newest(&mut self, row: &StateMessage, to: u32) {
        let written = if row.index == 0 { 0 } else { self.machine.load(row.index) };
        let buffer = written & u32::from(row.depth).wrapping_sub(1);
        let from = row.base.wrapping_add(buffer * u32::from(row.length));
        self.machine.copy(from, to, row.length.into());
        self.succeed();
    }
}
