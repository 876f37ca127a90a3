//! The timer queue: when each thread is released next, or its time limit ends.
//!
//! A winner tree with a slot for each thread, ordered by the low words of instants, which cost half of whole
//! ones. That is sound as long as all keys lie within 2^31 ticks of each other: nothing is set further ahead
//! than [`HORIZON`], and timers that have come due are taken before anything else happens. So a slot without
//! a timer can't keep an old key. It gets a reminder instead, as far ahead as possible, which is set again
//! when it comes due: one step for each thread in 43 s at 25 MHz.
//!
//! Timers that are due at one instant are taken one after the other, in an order that is the same in every
//! run but isn't promised: it shows only between threads of one priority.

use beryl_abi::{Instant, Moment, ThreadId};

use crate::scheduling::tree::Tree;
use crate::sizes::Sizes;
use crate::table::{Blank, Table};

/// How far ahead a timer may be set, in ticks.
pub(crate) const HORIZON: u32 = beryl_abi::call::LONGEST_WAIT;

/// The timers of all threads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Timers<S: Sizes> {
    keys: S::Moments,
    nodes: S::MomentNodes,
}

impl<S: Sizes> Timers<S> {
    const TREE: Tree = Tree { base: 0, leaves: S::Moments::LENGTH };

    /// Before the start.
    pub const BLANK: Timers<S> = Timers { keys: S::Moments::BLANK, nodes: S::MomentNodes::BLANK };

    /// Every slot has its first reminder.
    pub fn begin(&mut self) {
        // bound: SLOTS
        for slot in 0..S::Moments::LENGTH {
            *self.keys.at_mut(slot) = Instant::START.moment().after(HORIZON);
        }
        Self::TREE.clear(&mut self.nodes);
    }

    /// Sets a thread's timer, at most [`HORIZON`] ahead.
    #[inline(never)]
    pub fn set(&mut self, thread: ThreadId, moment: Moment) {
        Self::TREE.set_flat(&mut self.keys, &mut self.nodes, thread.index(), moment);
    }

    /// The earliest timer, and whose it is.
    #[inline(always)]
    pub fn first(&self) -> (ThreadId, Moment) {
        let slot = Self::TREE.first(&self.nodes);
        (ThreadId(slot as u8), *self.keys.at(slot))
    }
}
