//! Notifications: bits that wait for a thread, or a thread for them.

use beryl_kernel::{Sizes, Table};

use super::semaphores::Patience;
use super::{Answer, Index, Model, Outcome, Reason};

impl<S: Sizes> Model<'_, S> {
    /// Sets bits of a thread's word.
    pub fn set_bits(&mut self, thread: Index, bits: u32) {
        self.threads[thread].bits |= bits;
        let Some(Reason::Bits(mask)) = self.threads[thread].waiting().map(|wait| wait.reason.clone()) else {
            return;
        };
        if let Some(bits) = self.take_bits(thread, mask) {
            self.wake(thread, Answer::values(vec![bits]));
        }
    }

    fn take_bits(&mut self, thread: Index, mask: u32) -> Option<u32> {
        let bits = self.threads[thread].bits & mask;
        self.threads[thread].bits &= !mask;
        (bits != 0).then_some(bits)
    }

    /// Only who really waits lets its interrupt come.
    pub fn notification_wait(
        &mut self,
        me: Index,
        acknowledged: Option<u16>,
        mask: u32,
        patience: Patience,
        then: Option<Index>,
    ) -> Outcome {
        let mask = if mask == 0 { u32::MAX } else { mask };
        match self.take_bits(me, mask) {
            Some(bits) => self.go_on(me, Answer::values(vec![bits]), then),
            None if patience == Patience::Poll => Err(beryl_abi::CallError::WouldBlock),
            None => {
                self.unmasked.extend(acknowledged);
                self.begin_to_wait(me, Reason::Bits(mask), patience, then)
            }
        }
    }

    /// An interrupt came.
    pub fn interrupt(&mut self, line: u16) {
        self.unmasked.remove(&line);
        for index in 0..S::Interrupts::LENGTH {
            let row = *self.system.interrupts.at(index);
            if row.line.0 == line && row.thread.is_some() {
                if self.payer != Some(row.thread.index()) {
                    let thread = row.thread.index();
                    if self.threads[thread].waiting().is_some() && self.lender_to(thread).is_none() {
                        self.date(thread);
                    }
                    self.charge_for_waking(thread);
                }
                self.set_bits(row.thread.index(), row.bits);
            }
        }
        self.decide();
    }
}
