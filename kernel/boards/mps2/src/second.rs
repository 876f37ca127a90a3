//! The second processor of the AN521: how the first lets it begin, and how both call each other.
//!
//! The message handling unit has three registers for each processor: what is up, what brings it up, and what takes it down.
//! Its line is up as long as a bit is.

use core::arch::asm;

use beryl_emulated::board::Emulated;
use beryl_emulated::register::Register;
use beryl_emulated::together::{Together, Words};

use crate::an521::{CORES, FLASH, LINES, MESSAGES, PANEL, SECOND_BEGINS, WAITING, half, trace};
use crate::devices::Mps2;

/// The board of which a kernel has one processor and half of each memory.
pub type Shared<const CORE: u32, const TRACED: u32, const END: u32> =
    Emulated<Mps2<Together<Messages, CORE, TRACED, END>>>;
/// The first.
pub type Shared0 = Shared<0, { trace(0).address }, { trace(0).address + trace(0).length }>;
/// The second.
pub type Shared1 = Shared<1, { trace(1).address }, { trace(1).address + trace(1).length }>;

/// How they call each other.
pub struct Messages;

/// What is up for a processor, what brings it up, and what takes it down.
const fn message(processor: u32) -> [Register; 3] {
    let place = MESSAGES.address + 0x10 * processor;
    // SAFETY: these interrupt a processor, and reach no memory.
    unsafe { [Register::at(place), Register::at(place + 4), Register::at(place + 8)] }
}

/// Lets the second processor begin, with the vector table at this address.
pub fn begin(vectors: u32) {
    // SAFETY: registers that say where the second processor begins, and that it does: with the memory that it has to itself.
    let [begins, waiting] = unsafe { [Register::at(SECOND_BEGINS), Register::at(WAITING)] };
    begins.write(vectors);
    waiting.write(0);
}

impl Words for Messages {
    const COUNT: u32 = CORES as u32;
    const FIRST_BELL: u16 = LINES as u16;

    #[inline(always)]
    fn call(processor: u32) {
        message(processor)[1].write(1);
    }

    #[inline(always)]
    fn withdraw(processor: u32) {
        message(processor)[2].write(1);
    }

    #[inline(always)]
    fn is_called(processor: u32) -> bool {
        message(processor)[0].read() != 0
    }

    /// The first word of its vector table is where its stack begins; without an image it is zero.
    fn is_there(processor: u32) -> bool {
        // SAFETY: a word of that processor's image, which nobody changes.
        unsafe { Register::at(half(FLASH, processor).address) }.read() != 0
    }

    /// The second waits from reset on.
    fn wake(processor: u32) {
        begin(half(FLASH, processor).address);
    }

    fn panel(processor: u32, word: u32) -> Register {
        // SAFETY: a word that has no other use.
        unsafe { Register::at(PANEL.address + processor * PANEL.length + 4 * word) }
    }

    /// The unit is a device, so what is written to it is ordered, too.
    #[inline(always)]
    fn order() {
        // SAFETY: it orders, and changes nothing.
        unsafe { asm!("dmb sy", options(nostack, preserves_flags)) };
    }
}
