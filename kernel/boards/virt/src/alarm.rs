//! The one-shot alarm: the machine timer's interrupt is up while the count isn't below what this register holds.

use beryl_abi::Instant;
use beryl_emulated::register::Register;

use crate::map::MTIMECMP;

// SAFETY: the halves of what the timer compares with; it interrupts but reaches no memory.
const LOW: Register = unsafe { Register::at(MTIMECMP.address) };
// SAFETY: as above.
const HIGH: Register = unsafe { Register::at(MTIMECMP.address + 4) };

/// The alarm.
pub struct Alarm(());

impl Alarm {
    /// An alarm that doesn't go off.
    pub fn start() -> Alarm {
        HIGH.write(u32::MAX);
        Alarm(())
    }

    /// Sets the alarm. Nothing is interrupted while it is half set.
    #[inline(always)]
    pub fn set(&mut self, instant: Instant) {
        LOW.write(instant.ticks() as u32);
        HIGH.write((instant.ticks() >> 32) as u32);
    }

    /// It went off: it is quiet from now on.
    #[inline(always)]
    pub fn acknowledge(&mut self) {
        HIGH.write(u32::MAX);
    }
}
