//! The writer's side of a link: what a task has computed, on its way to the kernels of other cores and nodes.
//!
//! What a link looks like in memory, and who reads it, is in [`beryl_abi::link`].
//!
//! # Cost on a Cortex-M3
//!
//! Two loads and four stores for each link, and a load and a store for each word of its value.

use beryl_abi::link::{self, Words};

use crate::{memory, platform};

/// All that a job computes has been computed.
#[inline(always)]
pub fn computed() {
    platform::rest();
}

/// Publishes the value of `length` bytes at `from` in the link at `base`. It counts from the instant at `stamp` on,
/// which is later than those of all values before.
///
/// # Safety
///
/// For the builder's glue: the calling thread may read these places, may write the link, and is its only writer. All
/// are aligned to words and filled up to whole ones.
#[inline(always)]
pub unsafe fn publish(base: u32, stamp: u32, from: u32, length: u32) {
    let mut own = Own;
    let counts = [own.load(stamp), own.load(stamp.wrapping_add(4))];
    link::publish(&mut own, (base, length), counts, |own, offset| own.load(from.wrapping_add(offset)));
}

/// The memory of the calling thread's process: made by [`publish`] alone.
struct Own;

impl Words for Own {
    #[inline(always)]
    fn load(&mut self, address: u32) -> u32 {
        // SAFETY: a word that this thread may read (`publish`).
        unsafe { memory::at::<u32>(address).read_volatile() }
    }

    #[inline(always)]
    fn store(&mut self, address: u32, word: u32) {
        // SAFETY: a word that only this thread writes (`publish`).
        unsafe { memory::at::<u32>(address).write_volatile(word) }
    }
}
