//! What a thread had no right to and asked for all the same: how often, and what it was last.
//!
//! ```text
//!            a call is refused (1)           at the step's end (2)
//!   Closed ----------------------> Open ----------------------------> Closed
//! ```
//! (1) `open`: what is refused knows the thread; (2) `close`: the step knows the call.

use beryl_abi::CallNumber;
use beryl_abi::call::Operand;

use crate::table::Blank;

/// What a thread asked for without a right to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lacked {
    /// How often: at most 65,535.
    times: u16,
    /// The number of the last such call, or [`OPEN`].
    call: u8,
    /// What it was about: the number of the object.
    object: u8,
}

/// A call was refused, and which is yet to be written down. No call has this number.
const OPEN: u8 = u8::MAX;

impl Lacked {
    /// (1) The running thread's call is refused.
    #[inline(always)]
    pub(crate) fn open(&mut self) {
        self.call = OPEN;
    }

    /// Whether a call was refused in this step.
    #[inline(always)]
    pub(crate) fn is_open(self) -> bool {
        self.call == OPEN
    }

    /// (2) The call had this number, and was about this.
    pub(crate) fn close(&mut self, number: u32, about: Operand) {
        self.times = self.times.saturating_add(1);
        self.call = number as u8;
        self.object = about.number();
    }

    /// How often: at most 65,535.
    #[must_use]
    pub fn times(self) -> u16 {
        self.times
    }

    /// The last call, and the number of what it was about.
    #[must_use]
    pub fn last(self) -> Option<(CallNumber, u8)> {
        let call = CallNumber::decode(self.call.into()).filter(|_| self.times > 0)?;
        Some((call, self.object))
    }
}

impl Blank for Lacked {
    const BLANK: Lacked = Lacked { times: 0, call: 0, object: 0 };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_call_has_the_number_that_stands_for_one_that_is_yet_to_be_written_down() {
        assert!(CallNumber::ALL.iter().all(|call| (*call as u32) < OPEN.into()));
    }

    #[test]
    fn a_count_that_is_full_stays_full() {
        let mut lacked = Lacked { times: u16::MAX - 1, ..Lacked::BLANK };
        for mailbox in [3, 4] {
            lacked.open();
            lacked.close(CallNumber::MailboxSend as u32, Operand::object(mailbox));
        }
        assert_eq!((lacked.times(), lacked.last()), (u16::MAX, Some((CallNumber::MailboxSend, 4))));
        assert_eq!(Lacked::BLANK.last(), None);
    }
}
