//! Where everything of a system is: the table that the builder writes beside the kernel's own.

use core::cell::UnsafeCell;

use beryl_kernel::{Sizes, System};

#[cfg(feature = "armv8m")]
pub use crate::limited::{Fixed, Switched};
#[cfg(not(feature = "armv8m"))]
pub use crate::mpu::{Fixed, Switched};

/// The tables of the one system of an image, by their type, so that their addresses are constants of
/// the kernel's code.
pub trait Tables: 'static {
    /// How large the kernel's tables are.
    type Sizes: Sizes;
    /// The kernel's tables.
    fn system() -> &'static System<Self::Sizes>;
    /// Where everything is.
    fn layout() -> &'static Layout;
    /// The rows of threads in a system in which some use floating point; nothing in any other.
    #[inline(always)]
    fn floating() -> &'static [Floating] {
        &[]
    }
}

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
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Regions for all threads, set once.
    pub fixed: Fixed,
    /// The threads, in the order of the kernel's table.
    pub threads: &'static [ThreadLayout],
    /// The memory of all processes that has to be filled before they start.
    pub images: &'static [Image],
}

/// Where a thread is.
#[derive(Clone, Copy, Debug)]
pub struct ThreadLayout {
    /// Its entry point; bit 0, which marks Thumb code, may be set or not.
    pub entry: u32,
    /// The lowest address of its stack.
    pub stack_bottom: u32,
    /// The address behind its stack, a multiple of eight: where it begins to grow downwards.
    pub stack_top: u32,
    /// The regions that come with it.
    pub regions: Switched,
}

/// Memory of a process and what it holds at the start: `length` bytes from `load`, then zeros.
/// All addresses and lengths are multiples of four.
#[derive(Clone, Copy, Debug)]
pub struct Image {
    /// Where the initial bytes are in flash.
    pub load: u32,
    /// Where they belong.
    pub address: u32,
    /// How many of them there are.
    pub length: u32,
    /// How many bytes behind them start as zero.
    pub zeros: u32,
}
