//! The registers of a thread, which the port keeps while the kernel works, in memory that user mode can't touch.

use beryl_abi::crash::PIECE;
use beryl_port::Blank;

use crate::facts;
use crate::layout::Switched;

/// What the port keeps of a thread. [`super::entry`] knows the order: register `x`n is word n, and the program counter has
/// the place of `x0`, which is always zero.
#[repr(C)]
pub struct Context {
    /// Where the thread goes on, then `x1` to `x31`. The first of them are written at each trap, those that a function
    /// must leave as they were only when another thread gets the processor.
    pub registers: [u32; 32],
    /// The entries of the protection unit that come with it.
    pub regions: *const Switched,
}

/// The program counter's place.
pub const PC: usize = 0;
/// The return address's place.
pub const RA: usize = 1;
/// The stack pointer's place.
pub const SP: usize = 2;
/// The place of `a0`: a call's number, then its status. Behind it are `a1` to `a4`, its arguments, and `a1` and `a2` are
/// what it answers.
pub const A0: usize = 10;

/// The places of the registers that a crash record has: see [`facts::WRITTEN_DOWN`].
pub const WRITTEN_DOWN: [[u8; PIECE]; 2] =
    [[PC as u8, RA as u8, 10, 11, 12, 13, 14, 15], [16, 17, 8, 9, 18, 19, 20, 21]];

impl Blank for Context {
    const BLANK: Context = Context { registers: [0; 32], regions: core::ptr::null() };
}

const _: () = assert!(size_of::<Context>() == facts::CONTEXT as usize, "the builder counts what is kept");
