//! The AN521 with one kernel on its second processor, and all threads on the first: where the hatch between them is, and how they call.

use core::arch::asm;

use beryl_abi::hatch::{Hatch, Order, Side, Word};
use beryl_emulated::board::Emulated;
use beryl_emulated::register::Register;
use beryl_emulated::together::{Alone, Words};

use crate::an521::{HATCH, STACK, TRACE};
use crate::devices::Mps2;
use crate::second::{Messages, begin};

/// The board of which a kernel has the second processor and its threads the first.
pub type Apart = Emulated<Mps2<Alone<{ TRACE.address }, { TRACE.address + TRACE.length }>, Between>>;

/// The hatch between both processors.
pub struct Between;

/// Where a word of it is.
const fn place(word: Word) -> u32 {
    HATCH.address + 4 * word as u32
}

/// Which processor that is.
const fn processor(side: Side) -> u32 {
    match side {
        Side::Threads => 0,
        Side::Kernel => 1,
    }
}

/// A word of it, in memory of the subsystem's own that no process reaches.
const fn word(word: Word) -> Register {
    // SAFETY: a word that has no other use.
    unsafe { Register::at(place(word)) }
}

impl Hatch for Between {
    #[inline(always)]
    fn load(&mut self, of: Word) -> u32 {
        word(of).read()
    }

    #[inline(always)]
    fn store(&mut self, of: Word, value: u32) {
        word(of).write(value);
    }

    /// The unit for messages is a device, so what is written to it is ordered, too. Contexts and frames are memory that Rust knows of.
    #[inline(always)]
    fn order(&mut self, _order: Order) {
        // SAFETY: it orders, and changes nothing.
        unsafe { asm!("dmb sy", options(nostack, preserves_flags)) };
    }

    #[inline(always)]
    fn call(&mut self, side: Side) {
        Messages::call(processor(side));
    }

    #[inline(always)]
    fn withdraw(&mut self, side: Side) {
        Messages::withdraw(processor(side));
    }
}

impl beryl_cortex_m::Apart for Between {
    const IS_THERE: bool = true;
    const NEXT: u32 = place(Word::Next);
    const STACK: [u32; 2] = [STACK.address + STACK.length, STACK.address];

    fn here() -> Between {
        Between
    }

    fn begin(vectors: u32) {
        begin(vectors);
    }
}
