//! Port memory by its address on the target.

use crate::platform;

/// The place of a port at `address`: the address itself on the target, a place in the simulated
/// memory on the host. Reading and writing through it is the caller's responsibility: the builder
/// gives every port a range that is aligned for its type and initialised.
#[inline(always)]
#[must_use]
pub fn at<T>(address: u32) -> *mut T {
    platform::memory(address).cast()
}
