//! The registers of a thread: what the hardware puts on its stack, and what the port keeps.

use beryl_abi::hatch::WORDS;
use beryl_port::Blank;

use crate::layout::Switched;

/// What an exception puts on the stack of the thread that it interrupts.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Frame {
    /// Arguments and results.
    pub r0_to_r3: [u32; 4],
    /// Scratch.
    pub r12: u32,
    /// Where the thread's current function returns to.
    pub lr: u32,
    /// Where the thread goes on.
    pub pc: u32,
    /// Flags.
    pub xpsr: u32,
}

/// What the port keeps of a thread that doesn't run, in memory that user mode can't touch.
/// [`super::entry`] knows the order of the fields.
#[repr(C)]
pub struct Context {
    /// The stack pointer; the thread's frame lies there.
    pub psp: *mut Frame,
    /// The registers that the frame doesn't hold.
    pub r4_to_r11: [u32; 8],
    /// The regions of its process and its stack.
    pub regions: *const Switched,
}

impl Context {
    /// In a stack pointer, which is a multiple of four: the thread owes a fault, whose cause and words are where registers were.
    const OWES: usize = 1;

    /// Where the thread's frame is.
    #[inline(always)]
    pub fn frame(&self) -> *mut Frame {
        self.psp.map_addr(|address| address & !Self::OWES)
    }

    /// The thread had a fault that nobody takes now: it is taken when the thread would go on, which doesn't need its registers.
    pub fn owe(&mut self, cause: u32, [first, second, third, fourth, _]: [u32; WORDS]) {
        self.psp = self.psp.map_addr(|address| address | Self::OWES);
        self.r4_to_r11 = [cause, first, second, third, fourth, 0, 0, 0];
    }

    /// That fault, once.
    pub fn take_fault(&mut self) -> Option<(u32, [u32; WORDS])> {
        if self.psp.addr() & Self::OWES == 0 {
            return None;
        }
        self.psp = self.frame();
        let [cause, first, second, third, fourth, ..] = self.r4_to_r11;
        Some((cause, [first, second, third, fourth, 0]))
    }
}

impl Blank for Context {
    const BLANK: Context =
        Context { psp: core::ptr::null_mut(), r4_to_r11: [0; 8], regions: core::ptr::null() };
}

impl Frame {
    /// Writes the frame with which a thread begins at `entry`. It has nowhere to return to: the
    /// value of its `lr` is no address that can be executed. Word by word, since the compiler's
    /// general routine would take longer than the rest of the step.
    ///
    /// # Safety
    ///
    /// `place` is aligned memory that the kernel may write, and nobody else uses now.
    pub unsafe fn begin(place: *mut Frame, entry: u32) {
        const THUMB: u32 = 1 << 24;
        let word = |index: usize, value: u32| {
            // SAFETY: the caller vouches for the eight words of the frame.
            unsafe { place.cast::<u32>().add(index).write_volatile(value) }
        };
        word(0, 0);
        word(1, 0);
        word(2, 0);
        word(3, 0);
        word(4, 0);
        word(5, u32::MAX);
        word(6, entry & !1);
        word(7, THUMB);
    }
}
