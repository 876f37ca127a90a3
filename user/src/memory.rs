//! Port memory by its address on the target.

use core::mem::size_of;
use core::ptr::NonNull;
use core::sync::atomic::{Ordering, compiler_fence};

use crate::platform;

/// The place of a port at `address`: the address itself on the target, a place in the simulated
/// memory on the host. Reading and writing through it is the caller's responsibility: the builder
/// gives every port a range that is aligned for its type and initialised.
#[inline(always)]
#[must_use]
pub fn at<T>(address: u32) -> *mut T {
    platform::memory(address).cast()
}

/// The place of a value that threads share; of a value without bytes, which has no address, any place.
#[inline(always)]
pub(crate) fn shared<T>(address: u32) -> *mut T {
    if size_of::<T>() == 0 { NonNull::dangling().as_ptr() } else { at(address) }
}

/// The identity of the image that is running, from where the builder has put it.
pub(crate) fn identity(words: &'static [u32; 8]) -> [u8; 32] {
    let mut identity = [0; 32];
    for (bytes, word) in identity.chunks_exact_mut(4).zip(words) {
        // SAFETY: a reference. The compiler takes the words for zeros, which the builder replaces.
        let word = unsafe { core::ptr::from_ref(word).read_volatile() };
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    identity
}

/// Keeps the compiler from moving accesses to memory across this place. The processor needs no help:
/// the threads that share memory run on the same one.
#[inline(always)]
pub(crate) fn fence() {
    compiler_fence(Ordering::SeqCst);
}
