//! Decoding the arguments of calls.

use beryl_abi::call::{LONGEST_WAIT, Operand};

/// The semaphore to own on return, as a thread's row stores it.
#[inline(always)]
pub(crate) const fn promised(operand: Operand) -> u8 {
    (operand.0 >> 8) as u8
}

/// Whether a timeout is at most [`LONGEST_WAIT`], or [`beryl_abi::call::FOREVER`], which is 0 minus 1.
#[inline(always)]
pub(crate) const fn is_short(timeout: u32) -> bool {
    timeout.wrapping_add(1) <= LONGEST_WAIT + 1
}

/// The low and the high word.
pub(crate) const fn words(value: u64) -> [u32; 2] {
    [value as u32, (value >> 32) as u32]
}
