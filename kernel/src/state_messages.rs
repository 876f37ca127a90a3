//! State messages by a call: for readers that are slower than a message's depth is made for.
//!
//! Everybody else reads them without the kernel; see `user::state`. The kernel copies the newest value
//! in one step, in which no writer runs.

use beryl_abi::call::Operand;
use beryl_abi::{CallError, StateMessageId};

use crate::calls::{Outcome, is_allowed, plain_number};
use crate::event::{Machine, Switch};
use crate::handle::{Kernel, Next};
use crate::sizes::{Sizes, Table};
use crate::system::StateMessage;

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Copies the newest value to the caller's stack.
    #[inline(always)]
    pub(crate) fn read_state_message_at_once(&mut self, operand: Operand, to: u32) -> Option<Switch> {
        let process = self.state.caller.process()?;
        let number = plain_number(operand, S::StateMessages::LENGTH)?;
        let row = self.machine.system().state_messages.at(number.into());
        is_allowed(row.readers, process)?;
        if !self.is_on_stack(to, row.length.into()) {
            return None;
        }
        self.copy_newest(row, to);
        Some(Switch::Stay)
    }

    /// Copies the newest value to the caller's memory.
    #[inline(never)]
    pub(crate) fn read_state_message(&mut self, operand: Operand, to: u32) -> Outcome {
        let message = StateMessageId(operand.number());
        if message.index() >= S::StateMessages::LENGTH {
            return Err(CallError::NoSuchObject);
        }
        let row = self.machine.system().state_messages.at(message.index());
        self.must_be_allowed(row.readers)?;
        self.must_be_callers(to, row.length.into())?;
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
