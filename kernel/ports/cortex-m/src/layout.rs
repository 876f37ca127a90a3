//! Where everything of a system is: the table that the builder writes beside the kernel's own.

use core::cell::UnsafeCell;

pub use beryl_port::{Image, Tables};

#[cfg(feature = "armv8m")]
pub use crate::limited::{Fixed, Switched};
#[cfg(not(feature = "armv8m"))]
pub use crate::mpu::{Fixed, Switched};

/// What a switch loads of a thread in a system in which some use floating point: a row for each thread.
#[repr(C)]
#[derive(Debug)]
pub struct Floating {
    /// The regions that come with the thread.
    pub regions: Switched,
    /// Where its floating-point registers are kept while it doesn't run, if it uses them.
    pub registers: Option<&'static FloatingRegisters>,
}

/// The floating-point registers of a thread that doesn't run: s0 to s31, then FPSCR. Only the port touches them. All zero is what
/// they begin with.
#[derive(Debug)]
pub struct FloatingRegisters(UnsafeCell<[u32; Self::WORDS]>);

// SAFETY: there is one processor, and only exception handlers touch the words, which never nest, and boot before them.
unsafe impl Sync for FloatingRegisters {}

impl FloatingRegisters {
    /// How many words they are.
    const WORDS: usize = crate::facts::FLOATING_REGISTERS as usize / 4;

    /// Those of a thread that hasn't begun.
    #[must_use]
    pub const fn new() -> Self {
        FloatingRegisters(UnsafeCell::new([0; Self::WORDS]))
    }

    /// Where they are.
    #[must_use]
    pub const fn words(&self) -> *mut u32 {
        self.0.get().cast()
    }

    /// Makes them what they begin with.
    pub fn clear(&self) {
        // bound: 33, `WORDS`
        for word in 0..Self::WORDS {
            // SAFETY: one of the words, of which nobody has a reference.
            unsafe { self.words().add(word).write_volatile(0) };
        }
    }
}

impl Default for FloatingRegisters {
    fn default() -> Self {
        Self::new()
    }
}

/// Where everything of a system is.
pub type Layout = beryl_port::Layout<Fixed, Switched>;
/// Where a thread is. Bit 0 of its entry, which marks Thumb code, may be set or not.
pub type ThreadLayout = beryl_port::ThreadLayout<Switched>;
