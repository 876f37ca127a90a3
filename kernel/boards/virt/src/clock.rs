//! The clock: the count of the machine timer, which all may read.

use beryl_abi::{Instant, Moment};
use beryl_emulated::register::Register;

use crate::map::MTIME;

// SAFETY: the halves of a counter, which reaches no memory.
const LOW: Register = unsafe { Register::at(MTIME.address) };
// SAFETY: as above.
const HIGH: Register = unsafe { Register::at(MTIME.address + 4) };

/// The clock.
pub struct Clock(());

impl Clock {
    /// Starts the clock at [`Instant::START`].
    pub fn start() -> Clock {
        LOW.write(0);
        HIGH.write(0);
        LOW.write(0);
        Clock(())
    }

    /// The time: if the upper half changes meanwhile, the lower one has just begun anew.
    #[inline(always)]
    pub fn now(&self) -> Instant {
        let (before, low, high) = (HIGH.read(), LOW.read(), HIGH.read());
        let low = if before == high { low } else { 0 };
        Instant::from_ticks(u64::from(high) << 32 | u64::from(low))
    }

    /// The low word of the time.
    #[inline(always)]
    pub fn moment(&self) -> Moment {
        Moment::from_ticks(LOW.read())
    }
}
