//! The one-shot alarm: a second timer that counts down to the next instant.

use beryl_abi::Instant;

use crate::map::TIMER1;
use crate::register::Register;
use crate::time::countdown;

// SAFETY: the registers of a CMSDK timer, which count and interrupt but reach no memory.
const CONTROL: Register = unsafe { Register::at(TIMER1.address) };
// SAFETY: as above.
const VALUE: Register = unsafe { Register::at(TIMER1.address + 4) };
// SAFETY: as above.
const RELOAD: Register = unsafe { Register::at(TIMER1.address + 8) };
// SAFETY: as above.
const INTERRUPT: Register = unsafe { Register::at(TIMER1.address + 12) };

const RUN_AND_INTERRUPT: u32 = 0b1001;

/// The alarm.
pub struct Alarm {
    instant: Instant,
}

impl Alarm {
    /// An alarm that is set for [`Instant::NEVER`].
    pub fn start() -> Alarm {
        // Nothing to begin anew from: the timer stops at zero.
        RELOAD.write(0);
        let mut alarm = Alarm { instant: Instant::NEVER };
        alarm.set(Instant::NEVER, Instant::START);
        alarm
    }

    /// Sets the alarm to `instant`; a passed one goes off after a tick.
    pub fn set(&mut self, instant: Instant, now: Instant) {
        self.instant = instant;
        self.silence();
        VALUE.write(countdown(instant, now));
        CONTROL.write(RUN_AND_INTERRUPT);
    }

    /// It went off: goes on counting if its instant is still to come.
    pub fn acknowledge(&mut self, now: Instant) {
        if self.instant.is_due(now) {
            self.silence();
        } else {
            self.set(self.instant, now);
        }
    }

    fn silence(&mut self) {
        CONTROL.write(0);
        INTERRUPT.write(1);
    }
}
