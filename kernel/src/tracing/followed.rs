//! State messages that are followed: what threads write there without the kernel is told when it is entered.
//!
//! ```text
//!     thread   --write--write------------------->        the count goes on by one each time
//!     kernel                 enters: looks: tells the newest value, and how many were written
//! ```
//! As with journals, only one thread runs between two entries, and a state message has one writer. So whatever
//! is new in those of the running thread was written since it got the processor, and it is told before
//! anything else happens. Of several writes the last one is told, with their number: others aren't there any
//! longer. A value of one word has no count: it is told if it differs from the one told last, at first from 0.
//!
//! A process may write anything into its messages. The count only chooses among the message's own buffers.

use beryl_abi::{Kind, Range, Record};

use crate::event::{Event, Machine};
use crate::kernel::Kernel;
use crate::parts::Parts;
use crate::rows::followed::Followed;
use crate::sizes::Sizes;
use crate::table::{Optional, Table};

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Tells what the running thread has written since it last left the kernel.
    #[cold]
    #[inline(never)]
    pub(super) fn tell_followed(&mut self, event: &Event) {
        if matches!(event, Event::Start | Event::Continue) {
            return;
        }
        let writer = self.state.running();
        let mut number = 0;
        // bound: FOLLOWED
        while S::FOLLOWED.get(number).is_some_and(|row| row.writer != writer) {
            number += 1;
        }
        // bound: WRITTEN
        while let Some(row) = S::FOLLOWED.get(number).filter(|row| row.writer == writer) {
            self.tell_if_written(number, row);
            number += 1;
        }
    }

    /// Tells the newest value, unless it is the one that was told last.
    fn tell_if_written(&mut self, number: usize, followed: &Followed) {
        let row = self.machine.system().state_messages.at(followed.message.index());
        let (is_counted, length) = (row.index != 0, row.length);
        let now = self.machine.load(if is_counted { row.index } else { row.base });
        let value = Range::new(self.newest(row), length.into());
        let Some(told) = self.state.followed.get_mut(number) else { return };
        let before = core::mem::replace(told, now);
        if now == before {
            return;
        }
        let writes = if is_counted { now.wrapping_sub(before) } else { 1 };
        self.trace(Record::State { message: followed.message, writes, value });
        if S::HAS_BUFFER {
            self.store_value(Kind::Part, value);
        }
    }
}
