//! Port memory by its address on the target.

use core::mem::size_of;
use core::ptr::NonNull;
use core::sync::atomic::{Ordering, compiler_fence};

use crate::platform;

/// The port at `address`: that address itself on the target, a place in the simulated memory on the host. The
/// caller is responsible for reading and writing through it: the builder gives every port a range that is
/// aligned for its type and initialised.
#[inline(always)]
#[must_use]
pub fn at<T>(address: u32) -> *mut T {
    platform::memory(address).cast()
}

/// The address of a value that threads share; for a value without bytes, which has none, any address.
#[inline(always)]
pub(crate) fn shared<T>(address: u32) -> *mut T {
    if size_of::<T>() == 0 { NonNull::dangling().as_ptr() } else { at(address) }
}

/// The identity of the running image, which the builder has put there.
pub(crate) fn identity(words: &'static [u32; 8]) -> [u8; 32] {
    let mut identity = [0; 32];
    for (bytes, word) in identity.chunks_exact_mut(4).zip(words) {
        // SAFETY: a reference. The compiler thinks the words are zeros, but the builder replaces them.
        let word = unsafe { core::ptr::from_ref(word).read_volatile() };
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    identity
}

/// Keeps the compiler from moving memory accesses across this point. The processor needs no help: the threads
/// that share memory run on the same one.
#[inline(always)]
pub(crate) fn fence() {
    compiler_fence(Ordering::SeqCst);
}
