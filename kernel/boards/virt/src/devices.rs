//! The devices that the kernel has: the machine timer, and the interrupt controller (RISC-V platform-level interrupt
//! controller specification, 1.0) for machine mode of its processor.
//!
//! The timer is both clock and alarm: its interrupt is up while the count of 64 bits, which all may read, isn't below what a
//! register holds. A line that is claimed is quiet until it is completed, and comes anew then if it is up. So one that the
//! kernel takes is completed when it is unmasked.

use core::arch::asm;
use core::marker::PhantomData;

use beryl_abi::{Line, Range};
use beryl_emulated::board::{Devices, Emulated};
use beryl_emulated::doorbells::Bells;
use beryl_emulated::register::Register;
use beryl_emulated::together::{Alone, Own, Together, Words};
use beryl_riscv::Controller;

use crate::map::{ENVIRONMENT, HARTS, INTERRUPTS, LINES, MSIP, MTIME, MTIMECMP, PANEL, PART, TRACE, of_hart};

/// The emulated board, of which a kernel has all.
pub type Board = Emulated<Virt<Alone<{ TRACE.address }, { TRACE.address + TRACE.length }>>>;

/// The same of which it has one processor and a part of the memory, as others do.
pub type Shared<const HART: u32, const TRACED: u32, const END: u32> =
    Emulated<Virt<Together<Msip, HART, TRACED, END>>>;
/// The first part.
pub type Shared0 = Shared<0, { TRACE.address }, { TRACE.address + TRACE.length }>;
/// The second part.
pub type Shared1 = Shared<1, { TRACE.address + PART }, { TRACE.address + PART + TRACE.length }>;
/// The third part.
pub type Shared2 = Shared<2, { TRACE.address + 2 * PART }, { TRACE.address + 2 * PART + TRACE.length }>;
/// The fourth part.
pub type Shared3 = Shared<3, { TRACE.address + 3 * PART }, { TRACE.address + 3 * PART + TRACE.length }>;

/// What tells it from others.
pub struct Virt<H>(PhantomData<H>);

/// The words with which harts interrupt each other (CLINT), and those in memory by which they tell each other of doorbells.
pub struct Msip;

impl Words for Msip {
    const COUNT: u32 = HARTS as u32;
    const FIRST_BELL: u16 = LINES as u16;

    #[inline(always)]
    fn call(hart: u32) {
        at(MSIP, 4 * hart).write(1);
    }

    #[inline(always)]
    fn withdraw(hart: u32) {
        at(MSIP, 4 * hart).write(0);
    }

    #[inline(always)]
    fn is_called(hart: u32) -> bool {
        at(MSIP, 4 * hart).read() != 0
    }

    fn panel(hart: u32, word: u32) -> Register {
        at(of_hart(PANEL, hart), 4 * word)
    }

    /// The words of harts are no memory, so what is written to them is ordered, too.
    #[inline(always)]
    fn order() {
        // SAFETY: it orders, and changes nothing.
        unsafe { asm!("fence iorw, iorw", options(nostack, preserves_flags)) };
    }
}

const fn at(range: Range, offset: u32) -> Register {
    // SAFETY: a word of the timer or of the controller, which reach no memory, or of a panel, which has no other use.
    unsafe { Register::at(range.address + offset) }
}
const COUNT: [Register; 2] = [at(MTIME, 0), at(MTIME, 4)];

impl<H: Own> Virt<H> {
    const COMPARED: [Register; 2] = [at(MTIMECMP, 8 * H::NUMBER), at(MTIMECMP, 8 * H::NUMBER + 4)];
    /// A bit for each line that is let through. Those of [`LINES`] are in one word. Harts without supervisor mode have one place each in
    /// the controller, that of machine mode.
    const ENABLED: Register = at(INTERRUPTS, 0x2000 + 0x80 * H::NUMBER);
    /// The urgency above which lines are let through.
    const THRESHOLD: Register = at(INTERRUPTS, 0x20_0000 + 0x1000 * H::NUMBER);
    /// Which line is the most urgent; written, that it was served.
    const CLAIM: Register = at(INTERRUPTS, 0x20_0004 + 0x1000 * H::NUMBER);
}

impl<H: Own> Devices for Virt<H> {
    const ENVIRONMENT: Range = of_hart(ENVIRONMENT, H::NUMBER);
    type Recorder = H::Recorder;
    type Lines = Virt<H>;

    /// All lines are equally urgent, and none is let through.
    fn start() -> Virt<H> {
        Self::ENABLED.write(0);
        Self::THRESHOLD.write(0);
        for line in 1..LINES {
            at(INTERRUPTS, 4 * line as u32).write(1);
        }
        Virt(PhantomData)
    }

    fn start_timers() {
        Self::acknowledge();
        H::begin(|| {
            COUNT[0].write(0);
            COUNT[1].write(0);
            COUNT[0].write(0);
        });
    }

    #[inline(always)]
    fn count() -> u32 {
        COUNT[0].read()
    }

    /// If the upper half of the count changes meanwhile, the lower one has just begun anew. Nothing is interrupted while the
    /// alarm is half set.
    #[inline(always)]
    fn set(ticks: u32) {
        let (before, low, high) = (COUNT[1].read(), COUNT[0].read(), COUNT[1].read());
        let low = if before == high { low } else { 0 };
        let (low, carries) = low.overflowing_add(ticks);
        Self::COMPARED[0].write(low);
        Self::COMPARED[1].write(high.wrapping_add(carries.into()));
    }

    #[inline(always)]
    fn acknowledge() {
        Self::COMPARED[1].write(u32::MAX);
    }
}

impl<H: Own> Controller for Virt<H> {
    #[inline(always)]
    fn claim(&mut self) -> Option<Line> {
        match Self::CLAIM.read() {
            0 => H::Bells::take(),
            line => Some(Line(line as u16)),
        }
    }

    fn mask(&mut self, line: Line) {
        if !H::Bells::mask(line) {
            Self::ENABLED.write(Self::ENABLED.read() & !bit(line));
        }
    }

    /// Only of a line that is let through does the controller hear that it was served.
    fn unmask(&mut self, line: Line) {
        if !H::Bells::unmask(line) {
            Self::ENABLED.write(Self::ENABLED.read() | bit(line));
            Self::CLAIM.write(line.0.into());
        }
    }

    fn ring(&mut self, bell: u32) {
        H::Bells::ring(bell);
    }
}

/// The line's bit; none for the alarm's, and for one that isn't there.
fn bit(line: Line) -> u32 {
    1_u32.checked_shl(line.0.into()).unwrap_or(0) & !1
}
