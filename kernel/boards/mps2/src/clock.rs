//! The clock: a timer that counts down for ever.

use beryl_abi::{Instant, Moment};

use crate::here::TIMER0;
use crate::register::Register;
use crate::time::Extended;

// SAFETY: the registers of a CMSDK timer, which count and interrupt but reach no memory.
const CONTROL: Register = unsafe { Register::at(TIMER0.address) };
// SAFETY: as above.
const VALUE: Register = unsafe { Register::at(TIMER0.address + 4) };
// SAFETY: as above.
const RELOAD: Register = unsafe { Register::at(TIMER0.address + 8) };

/// The clock.
pub struct Clock(Extended);

impl Clock {
    /// Starts the clock at [`Instant::START`].
    pub fn start() -> Clock {
        RELOAD.write(u32::MAX);
        VALUE.write(u32::MAX);
        CONTROL.write(1);
        Clock(Extended::default())
    }

    /// The time.
    #[inline(always)]
    pub fn now(&mut self) -> Instant {
        self.0.extend(!VALUE.read())
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
        Moment::from_ticks(!VALUE.read())
    }
}
