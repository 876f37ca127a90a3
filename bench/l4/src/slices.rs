//! Ticks, rounding, donation (EURASIP 2008, sections 4.1 and 4.5).
//!
//! On each tick its length is taken from what is left of the slice in use, as in the paper's Algorithm 1: at nothing or
//! less the slice is over. So a slice lasts whole ticks, rounded up. The paper's prose says *less than zero*, by which 2000
//! microseconds would last two ticks of 2000, against its own list of examples; the algorithm is right.
//!
//! Whose slice is in use? [As implemented](crate::Donating::AsImplemented) that of the running thread. By the book that of
//! the donor, and of its donor: a donation hands on the slice in use, whatever it is.

use beryl_abi::ThreadId;
use beryl_kernel::Table;

use crate::counted::Count;
use crate::rules::Rules;
use crate::scheduler::{Hint, L4};

/// How long a thread runs before its equals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slice(u32);

impl Slice {
    /// It never ends: L4 keeps it as a length of nothing.
    pub const FOREVER: Slice = Slice(0);

    /// So many microseconds, at least one and less than 2^31.
    #[must_use]
    pub const fn microseconds(length: u32) -> Slice {
        Slice(match length & (u32::MAX >> 1) {
            0 => 1,
            length => length,
        })
    }

    /// How long it lasts with ticks of so many microseconds; nothing if it never ends.
    #[must_use]
    pub const fn lasts(self, tick: u32) -> Option<u32> {
        match self.0 {
            0 => None,
            length => Some(length.div_ceil(tick) * tick),
        }
    }

    /// What is left of it when it begins.
    pub(crate) const fn whole(self) -> i32 {
        self.0.cast_signed()
    }
}

impl<R: Rules, C: Count> L4<R, C> {
    /// A tick of so many microseconds is over (`handle_timer_interrupt`). Returns whether a slice ended.
    pub fn tick(&mut self, length: u32) -> bool {
        let owner = self.slice_of();
        let state = self.threads.at_mut(owner.index());
        if state.slice == Slice::FOREVER {
            return false;
        }
        state.left = state.left.saturating_sub_unsigned(length);
        if state.left > 0 {
            return false;
        }
        state.left = state.slice.whole();
        self.go_behind(owner);
        self.schedule(Hint::Highest, ThreadId::NONE);
        self.settle();
        true
    }

    /// Whose slice ended stands behind its equals, if it is ready.
    fn go_behind(&mut self, thread: ThreadId) {
        let state = self.threads.at(thread.index());
        if !state.is_ready() {
            return;
        }
        let is_running = thread == self.running();
        if state.is_queued {
            self.take_out(thread);
        }
        self.stand_last(thread, is_running);
    }

    /// Gives the rest of the slice to another thread, if that is ready (`ThreadSwitch`); with nobody named the scheduler
    /// runs.
    pub fn thread_switch(&mut self, to: Option<ThreadId>) {
        self.begin_step();
        match to.filter(|to| self.threads.at(to.index()).is_ready()) {
            Some(to) => self.donate(to),
            None => {
                self.go_behind(self.running());
                self.schedule(Hint::Highest, ThreadId::NONE);
            }
        }
        self.settle();
    }
}
