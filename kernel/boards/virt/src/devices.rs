//! The devices that the kernel has: the machine timer, and the interrupt controller (RISC-V platform-level interrupt
//! controller specification, 1.0) for machine mode of the one processor.
//!
//! The timer is both clock and alarm: its interrupt is up while the count of 64 bits, which all may read, isn't below what a
//! register holds. A line that is claimed is quiet until it is completed, and comes anew then if it is up. So one that the
//! kernel takes is completed when it is unmasked.

use beryl_abi::{Line, Range};
use beryl_emulated::board::{Devices, Emulated};
use beryl_emulated::recorder::Collected;
use beryl_emulated::register::Register;
use beryl_riscv::Controller;

use crate::map::{ENVIRONMENT, INTERRUPTS, LINES, MTIME, MTIMECMP, TRACE};

/// The emulated board.
pub type Board = Emulated<Virt>;

/// What tells it from others.
pub struct Virt;

const fn at(range: Range, offset: u32) -> Register {
    // SAFETY: a word of the timer or of the controller, which reach no memory.
    unsafe { Register::at(range.address + offset) }
}
const COUNT: [Register; 2] = [at(MTIME, 0), at(MTIME, 4)];
const COMPARED: [Register; 2] = [at(MTIMECMP, 0), at(MTIMECMP, 4)];
/// A bit for each line that is let through. Those of [`LINES`] are in one word.
const ENABLED: Register = at(INTERRUPTS, 0x2000);
/// The urgency above which lines are let through.
const THRESHOLD: Register = at(INTERRUPTS, 0x20_0000);
/// Which line is the most urgent; written, that it was served.
const CLAIM: Register = at(INTERRUPTS, 0x20_0004);

impl Devices for Virt {
    const ENVIRONMENT: Range = ENVIRONMENT;
    type Recorder = Collected<{ TRACE.address }, { TRACE.address + TRACE.length }>;
    type Lines = Virt;

    /// All lines are equally urgent, and none is let through.
    fn start() -> Virt {
        ENABLED.write(0);
        THRESHOLD.write(0);
        for line in 1..LINES {
            at(INTERRUPTS, 4 * line as u32).write(1);
        }
        Virt
    }

    fn start_timers() {
        Self::acknowledge();
        COUNT[0].write(0);
        COUNT[1].write(0);
        COUNT[0].write(0);
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
        COMPARED[0].write(low);
        COMPARED[1].write(high.wrapping_add(carries.into()));
    }

    #[inline(always)]
    fn acknowledge() {
        COMPARED[1].write(u32::MAX);
    }
}

impl Controller for Virt {
    #[inline(always)]
    fn claim(&mut self) -> Option<Line> {
        match CLAIM.read() {
            0 => None,
            line => Some(Line(line as u16)),
        }
    }

    fn mask(&mut self, line: Line) {
        ENABLED.write(ENABLED.read() & !bit(line));
    }

    /// Only of a line that is let through does the controller hear that it was served.
    fn unmask(&mut self, line: Line) {
        ENABLED.write(ENABLED.read() | bit(line));
        CLAIM.write(line.0.into());
    }
}

/// The line's bit; none for the alarm's, and for one that isn't there.
fn bit(line: Line) -> u32 {
    1_u32.checked_shl(line.0.into()).unwrap_or(0) & !1
}
