//! Rights: what threads ask for without one is counted, and told.

use beryl_abi::call::Operand;
use beryl_abi::{CallError, CallNumber, Incident};
use beryl_kernel::{Sizes, Table};

use super::{Index, Model};

/// How often a thread asked for what it has no right to, and what it was last: the call's number and the object's.
pub type Lacks = (u16, Option<(u32, u8)>);

impl<S: Sizes> Model<'_, S> {
    /// A call was refused with this error.
    pub fn count_lack(&mut self, me: Index, error: CallError, number: u32, operand: u32) {
        let serves = [CallNumber::EndpointReceive as u32, CallNumber::EndpointReply as u32].contains(&number);
        let lacks_right = match error {
            CallError::NoSuchObject => true,
            CallError::WrongCaller => serves,
            _ => false,
        };
        if S::COUNTED && lacks_right {
            let (times, last) = &mut self.lacks[me];
            *times = times.saturating_add(1);
            *last = Some((number, Operand(operand).number()));
            self.inform(S::Threads::LENGTH + S::GATES + me, Incident::Refusal);
        }
    }
}
