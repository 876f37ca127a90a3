//! The clock: a timer that counts up for ever.

use beryl_abi::{Instant, Moment};
use beryl_emulated::register::Register;

use crate::map::TIMER5;
use crate::time::Extended;

// SAFETY: the registers of a timer (RM0090, 18.4), which count and interrupt but reach no memory.
const CONTROL: Register = unsafe { Register::at(TIMER5.address) };
/// Written, what was set counts from now on.
// SAFETY: as above.
const EVENT: Register = unsafe { Register::at(TIMER5.address + 0x14) };
// SAFETY: as above.
const COUNT: Register = unsafe { Register::at(TIMER5.address + 0x24) };
/// Cycles for each tick, less one.
// SAFETY: as above.
const PRESCALER: Register = unsafe { Register::at(TIMER5.address + 0x28) };
// SAFETY: as above.
const LAST: Register = unsafe { Register::at(TIMER5.address + 0x2C) };

/// The clock.
pub struct Clock(Extended);

impl Clock {
    /// Starts the clock at [`Instant::START`].
    pub fn start(cycles: u32) -> Clock {
        PRESCALER.write(cycles.saturating_sub(1));
        LAST.write(u32::MAX);
        CONTROL.write(1);
        EVENT.write(1);
        Clock(Extended::default())
    }

    /// How many cycles of the timers a tick has.
    #[inline(always)]
    pub fn cycles(&self) -> u32 {
        PRESCALER.read().wrapping_add(1)
    }

    /// The time.
    #[inline(always)]
    pub fn now(&mut self) -> Instant {
        self.0.extend(COUNT.read())
    }

    /// The time at `moment`, as somebody says who may be wrong: between when the clock was last read, which
    /// this counts as, and now.
    pub fn late(&mut self, moment: Moment) -> Instant {
        let last = Moment::from_ticks(self.0.last);
        self.0.extend(moment.within(last, self.moment()).ticks())
    }

    /// The low word of the time: what the timer has counted.
    #[inline(always)]
    pub fn moment(&self) -> Moment {
        Moment::from_ticks(COUNT.read())
    }
}
