//! The interrupt controller (RISC-V platform-level interrupt controller specification, 1.0), for machine mode of the one
//! processor.
//!
//! A line that is claimed is quiet until it is completed, and comes anew then if it is up. So a line that the kernel takes
//! is completed when it is unmasked.

use beryl_abi::Line;
use beryl_emulated::register::Register;

use crate::map::{INTERRUPTS, LINES};

/// A bit for each line that is let through. Those of [`LINES`] are in one word.
// SAFETY: registers of the controller, which reach no memory.
const ENABLED: Register = unsafe { Register::at(INTERRUPTS.address + 0x2000) };
/// The urgency above which lines are let through.
// SAFETY: as above.
const THRESHOLD: Register = unsafe { Register::at(INTERRUPTS.address + 0x20_0000) };
/// Which line is the most urgent; written, that it was served.
// SAFETY: as above.
const CLAIM: Register = unsafe { Register::at(INTERRUPTS.address + 0x20_0004) };

/// The controller.
pub struct Interrupts(());

impl Interrupts {
    /// All lines are equally urgent, and none is let through.
    pub fn start() -> Interrupts {
        ENABLED.write(0);
        THRESHOLD.write(0);
        for line in 1..LINES {
            // SAFETY: as above: a word for each line tells how urgent it is.
            unsafe { Register::at(INTERRUPTS.address + 4 * line as u32) }.write(1);
        }
        Interrupts(())
    }

    /// Takes a line.
    pub fn claim(&mut self) -> Option<Line> {
        match CLAIM.read() {
            0 => None,
            line => Some(Line(line as u16)),
        }
    }

    /// Keeps a line out.
    pub fn mask(&mut self, line: Line) {
        ENABLED.write(ENABLED.read() & !bit(line));
    }

    /// Lets a line through that was claimed or masked. Only of one that is let through does the controller hear that it was
    /// served.
    pub fn unmask(&mut self, line: Line) {
        ENABLED.write(ENABLED.read() | bit(line));
        CLAIM.write(line.0.into());
    }
}

/// The line's bit; none for the alarm's, and for one that isn't there.
fn bit(line: Line) -> u32 {
    1_u32.checked_shl(line.0.into()).unwrap_or(0) & !1
}
