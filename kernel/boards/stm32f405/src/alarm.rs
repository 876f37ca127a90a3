//! The one-shot alarm: a second timer that counts up to what is left, and stops there.
//!
//! It counts from its state after reset each time, and undivided: the emulator's timer takes what is left from when it is told, and is
//! off by when its count or its divider was written last, so neither ever is. It doesn't stop there either: who
//! acknowledges does that.

use beryl_abi::Moment;
use beryl_emulated::register::Register;

use crate::clock::Clock;
use crate::clocks::{MOST_CYCLES, reset};
use crate::map::{TIMER2, TIMER2_LINE};
use crate::time::countdown;

// SAFETY: the registers of a timer (RM0090, 18.4), which count and interrupt but reach no memory.
const CONTROL: Register = unsafe { Register::at(TIMER2.address) };
// SAFETY: as above.
const INTERRUPTS: Register = unsafe { Register::at(TIMER2.address + 0x0C) };
// SAFETY: as above.
const STATE: Register = unsafe { Register::at(TIMER2.address + 0x10) };
// SAFETY: as above.
const LAST: Register = unsafe { Register::at(TIMER2.address + 0x2C) };
// SAFETY: what forgets that lines were raised, of the processor's controller; it reaches no memory.
const FORGET: Register = unsafe { Register::at(0xE000_E280) };

/// Of [`RESET`](crate::clocks), for this timer.
const TIMER: u32 = 1;
/// It counts, once.
const ONCE: u32 = 1 << 3 | 1;

/// How far ahead it can be, in ticks, whoever makes its cycles.
const REACH: u32 = u32::MAX / MOST_CYCLES;

/// The alarm.
pub struct Alarm(());

impl Alarm {
    /// An alarm that doesn't go off.
    pub fn start() -> Alarm {
        reset(TIMER);
        Alarm(())
    }

    /// Sets the alarm to the instant `moment`; a passed one goes off after a tick. What is too far off goes off early, which
    /// does no harm.
    #[inline(always)]
    pub fn set(&mut self, moment: Moment, clock: &Clock) {
        let ticks = countdown(moment, clock.moment()).min(REACH);
        reset(TIMER);
        LAST.write(ticks.wrapping_mul(clock.cycles()));
        INTERRUPTS.write(1);
        CONTROL.write(ONCE);
    }

    /// It went off: its line is quiet from now on.
    #[inline(always)]
    pub fn acknowledge(&mut self) {
        CONTROL.write(0);
        STATE.write(0);
        FORGET.write(1 << TIMER2_LINE.0);
    }
}
