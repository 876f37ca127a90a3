//! The one-shot alarm: a second timer that counts down to the next instant.

use beryl_abi::Moment;

use crate::here::TIMER1;
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
pub struct Alarm(());

impl Alarm {
    /// An alarm that is as far off as possible.
    pub fn start() -> Alarm {
        // Nothing to begin anew from: the timer stops at zero, and goes on when it is given a value.
        RELOAD.write(0);
        VALUE.write(u32::MAX);
        CONTROL.write(RUN_AND_INTERRUPT);
        Alarm(())
    }

    /// Sets the alarm to the instant `moment`; a passed one goes off after a tick.
    #[inline(always)]
    pub fn set(&mut self, moment: Moment, now: Moment) {
        VALUE.write(countdown(moment, now));
    }

    /// It went off: its line is quiet from now on.
    #[inline(always)]
    pub fn acknowledge(&mut self) {
        INTERRUPT.write(1);
    }
}
