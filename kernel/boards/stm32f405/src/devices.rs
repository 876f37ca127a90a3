//! The devices that the kernel has: two timers (RM0090, 18.4), and the console's transmitter.
//!
//! The clock counts up for ever. The alarm counts up to what is left, from its state after reset each time, and undivided: the
//! emulator's timer takes what is left from when it is told, and is off by when its count or its divider was written last,
//! so neither ever is. It doesn't stop there either: who acknowledges does that.

use beryl_abi::{Line, Range};
use beryl_cortex_m::Lines;
use beryl_emulated::board::{Devices, Emulated};
use beryl_emulated::register::{Register, carry_out};
use beryl_emulated::stream::Stream;

use crate::clocks;
use crate::map::{
    CLOCKS, ENVIRONMENT, LINES, TICK_NANOSECONDS, TIMER2, TIMER2_LINE, TIMER3, TIMER3_LINE, TIMER4,
    TIMER4_LINE, TIMER5, TRACE,
};

/// The board, or the emulated one.
pub type Board = Emulated<Stm32>;

/// What tells it from others.
pub struct Stm32;

const fn at(range: Range, offset: u32) -> Register {
    // SAFETY: a register of a timer, of what resets it, or of the interrupt controller: they reach no memory.
    unsafe { Register::at(range.address + offset) }
}
const RESET: Register = at(CLOCKS, 0x20);
/// Written, the controller forgets that lines were raised.
const FORGET: Register = at(Range::new(0xE000_E280, 4), 0);
const CONTROL: u32 = 0x00;
const INTERRUPTS: u32 = 0x0C;
const STATE: u32 = 0x10;
/// Of both: an update, the four channels, a trigger.
const REASONS: u32 = 0b101_1111;
/// Written, what was set counts from now on.
const EVENT: u32 = 0x14;
const COUNT: u32 = 0x24;
/// Cycles for each tick, less one.
const DIVIDER: Register = at(TIMER5, 0x28);
const LAST: u32 = 0x2C;
/// It counts, once.
const ONCE: u32 = 1 << 3 | 1;

/// Cycles of the timers in a tick: on the chip. The emulator's count nanoseconds.
const CYCLES: u32 = 4;

impl Lines for Stm32 {
    const LINES: u32 = LINES as u32;
    const ALARM: Line = TIMER2_LINE;
    type Hatch = beryl_cortex_m::Joined;

    /// On a chip a timer holds its line up as long as its state says why. The emulator's raises it for a moment only, and keeps
    /// the state, which says the same on both.
    #[inline(always)]
    fn is_held(line: Line) -> bool {
        let timer = match line {
            TIMER3_LINE => TIMER3,
            TIMER4_LINE => TIMER4,
            _ => return false,
        };
        at(timer, STATE).read() & at(timer, INTERRUPTS).read() & REASONS != 0
    }
}

impl Devices for Stm32 {
    const ENVIRONMENT: Range = ENVIRONMENT;
    /// Whoever makes its cycles.
    const FARTHEST: u32 = u32::MAX / TICK_NANOSECONDS;
    type Recorder = Stream<{ TRACE.address }, { TRACE.address + TRACE.length }>;
    type Lines = Stm32;

    fn start() -> Stm32 {
        let is_chip = at(CLOCKS, 0).read() & clocks::IS_STEADY != 0;
        // SAFETY: registers that say which clocks run, how long flash is waited for, what pins are for, and those of a serial
        // line: they reach no memory.
        unsafe {
            carry_out(if is_chip { &clocks::UP } else { &[] });
            carry_out(&clocks::CONSOLE);
        }
        DIVIDER.write(if is_chip { CYCLES } else { TICK_NANOSECONDS } - 1);
        Stm32
    }

    fn start_timers() {
        reset_alarm();
        at(TIMER5, LAST).write(u32::MAX);
        at(TIMER5, CONTROL).write(1);
        at(TIMER5, EVENT).write(1);
    }

    #[inline(always)]
    fn count() -> u32 {
        at(TIMER5, COUNT).read()
    }

    #[inline(always)]
    fn set(ticks: u32) {
        let cycles = ticks.wrapping_mul(DIVIDER.read().wrapping_add(1));
        reset_alarm();
        at(TIMER2, INTERRUPTS).write(1);
        at(TIMER2, LAST).write(cycles);
        at(TIMER2, CONTROL).write(ONCE);
        // What is due before the timer is on never comes in the emulator. On a chip this changes nothing.
        at(TIMER2, LAST).write(cycles);
    }

    #[inline(always)]
    fn acknowledge() {
        at(TIMER2, CONTROL).write(0);
        at(TIMER2, STATE).write(0);
        FORGET.write(1 << TIMER2_LINE.0);
    }
}

/// Gives the alarm's timer its state after reset.
#[inline(always)]
fn reset_alarm() {
    RESET.write(1);
    RESET.write(0);
}
