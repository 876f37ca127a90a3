//! Ports that are longer than a number: what they hold is kept where a wait for a change begins, and compared at each look.
//!
//! ```text
//!   word of memory   |  0  |  1  |  2  |      The port is what is between its address and its end. Words are read whole;
//!   the port           --##  ####  #---       of the first and of the last one a mask takes what is the port's.
//! ```
//!
//! Each wait has room of its own, so any number of waits may be for one port, and each sees what changed since it began.
//! All words are looked at, whether or not one has been found that differs: a look takes the same time always.

use crate::event::Machine;
use crate::kernel::Kernel;
use crate::rows::programs::{Held, Port};
use crate::sizes::Sizes;
use crate::table::{Optional, Table};

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Keeps what a port of so many bytes holds, for the wait in a place. It takes a few instructions for each word.
    #[inline(never)]
    pub(crate) fn keep(&mut self, place: usize, address: u32, length: u8) {
        let Some(kept) = self.state.e_machine.kept.get_mut(place) else { return };
        let mut from = address & !3;
        // bound: KEPT
        for word in kept.rows_mut().iter_mut().take(words(address, length)) {
            *word = self.machine.load(from);
            from = from.wrapping_add(4);
        }
    }

    /// Whether a port of so many bytes holds something else than was kept for the wait in a place.
    #[inline(never)]
    pub(crate) fn differs_from_kept(&mut self, place: usize, address: u32, length: u8) -> bool {
        let Some(kept) = self.state.e_machine.kept.get(place) else { return false };
        let mut from = address & !3;
        let mut mask = u32::MAX << (8 * (address & 3));
        let (mut last, mut differences) = (0, 0);
        // bound: KEPT
        for word in kept.rows().iter().take(words(address, length)) {
            differences |= last;
            last = (self.machine.load(from) ^ word) & mask;
            mask = u32::MAX;
            from = from.wrapping_add(4);
        }
        let behind = address.wrapping_add(length.into()).wrapping_neg() & 3;
        differences | last & u32::MAX >> (8 * behind) != 0
    }
}

/// The words in which a port lies.
#[inline(always)]
const fn words(address: u32, length: u8) -> usize {
    Port { address, holds: Held::Bytes(length) }.words()
}
