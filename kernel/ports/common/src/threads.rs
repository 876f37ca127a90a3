//! Which context is whose.

use beryl_abi::ThreadId;
use beryl_abi::crash::PIECE;
use beryl_kernel::{Machine, Sizes};

use crate::layout::Tables;

/// The context of `thread`. Identities come from the kernel's tables, which have as many rows; an
/// index is made to fit like theirs, so that none can panic: by a mask where that is possible.
#[inline(always)]
#[must_use]
pub fn context<T: Tables<THREADS>, const THREADS: usize>(thread: ThreadId) -> *mut T::Context {
    const { assert!(THREADS > 0, "there is an idle thread") };
    let index = thread.index();
    let fitting = match THREADS.is_power_of_two() {
        true => index & (THREADS - 1),
        false if index < THREADS => index,
        false => 0,
    };
    T::contexts()[fitting].get()
}

/// The position of the thread whose context that is.
#[inline]
#[must_use]
pub fn position<T: Tables<THREADS>, const THREADS: usize>(context: *mut T::Context) -> usize {
    context.addr().wrapping_sub(T::contexts().as_ptr().addr()) / size_of::<T::Context>()
}

/// Writes down a piece of memory from `place` on, as far as it is in front of `end`, and zeros behind; answers how many words
/// are there.
#[inline(always)]
pub fn write_down<S: Sizes>(
    machine: &mut impl Machine<S>,
    mut place: u32,
    end: u32,
    words: &mut [u32; PIECE],
) -> u8 {
    let mut written = 0;
    // bound: 8, `PIECE`
    for word in words {
        *word = 0;
        if place < end {
            *word = machine.load(place);
            written += 1;
        }
        place = place.wrapping_add(4);
    }
    written
}
