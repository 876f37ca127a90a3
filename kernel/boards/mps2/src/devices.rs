//! The devices that the kernel has: two CMSDK timers and the console's transmitter. A kernel on a second processor has the same clock,
//! and one of the dual timer's for its alarm.

use core::marker::PhantomData;

use beryl_abi::hatch;
use beryl_abi::{Line, Range};
use beryl_cortex_m::{Apart, Joined, Lines};
use beryl_emulated::board::{Devices, Emulated};
use beryl_emulated::doorbells::Bells;
use beryl_emulated::register::{Register, Step, carry_out};
use beryl_emulated::together::{Alone, Own};

use crate::here::{
    CALLED, DUAL_TIMER, DUAL_TIMER_LINE, LINES, OPENED, TIMER0, TIMER1, TIMER1_LINE, TRACE, UART0,
    environment,
};

/// An emulated board, of which a kernel has all.
pub type Board = Emulated<Mps2<Alone<{ TRACE.address }, { TRACE.address + TRACE.length }>>>;

/// What tells it from others, as a processor has it, and how the core of the threads asks that of the kernel.
pub struct Mps2<H, K = Joined>(PhantomData<(H, K)>);

/// The registers of a CMSDK timer, which counts down: control, what it has, what it begins anew from, its interrupt.
const fn timer(range: Range) -> [Register; 4] {
    let place = range.address;
    // SAFETY: these count and interrupt but reach no memory.
    unsafe {
        [Register::at(place), Register::at(place + 4), Register::at(place + 8), Register::at(place + 12)]
    }
}
const CLOCK: [Register; 4] = timer(TIMER0);
const ALARM: [Register; 4] = timer(TIMER1);
/// The registers of the dual timer's first: what it begins anew from, which is also what it has once that is written; what it
/// has; control; its interrupt.
const SECOND_ALARM: [Register; 4] = timer(DUAL_TIMER);

const RUN: u32 = 0b0001;
const RUN_AND_INTERRUPT: u32 = 0b1001;
/// Of the dual timer's: it runs from what is written down to zero, once, with 32 bits, and interrupts then.
const ONCE: u32 = 0b1110_0011;

impl<H: Own, K> Mps2<H, K> {
    /// The alarm is the dual timer's.
    const IS_SECOND: bool = H::NUMBER == 1;
}

impl<H: Own, K: Apart> Lines for Mps2<H, K> {
    const LINES: u32 = LINES as u32;
    const ALARM: Line = if Self::IS_SECOND { DUAL_TIMER_LINE } else { TIMER1_LINE };
    const CALLED: Option<Line> = if H::HAS_OTHERS || K::IS_THERE { CALLED } else { None };
    type Hatch = K;

    #[inline(always)]
    fn take_bell() -> Option<Line> {
        // Who asks the kernel rings no bell.
        if K::IS_THERE {
            hatch::listen(&mut K::here());
        }
        H::Bells::take()
    }

    #[inline(always)]
    fn mask_bell(line: Line) {
        H::Bells::mask(line);
    }

    #[inline(always)]
    fn unmask_bell(line: Line) {
        H::Bells::unmask(line);
    }

    #[inline(always)]
    fn ring(bell: u32) {
        H::Bells::ring(bell);
    }
}

impl<H: Own, K: Apart> Devices for Mps2<H, K> {
    const ENVIRONMENT: Range = environment(H::NUMBER);
    type Recorder = H::Recorder;
    type Lines = Mps2<H, K>;

    /// Lets user mode reach devices, where something beside the protection unit keeps it from them, and turns the console's
    /// transmitter on, at the highest rate.
    fn start() -> Mps2<H, K> {
        // SAFETY: registers of the map, which say who may reach devices, and of the console; they reach no memory.
        unsafe {
            carry_out(&OPENED.map(|(register, devices)| Step::Write(register, devices)));
            carry_out(&[Step::Write(UART0.address + 16, 16), Step::Write(UART0.address + 8, 1)]);
        }
        Mps2(PhantomData)
    }

    fn start_timers() {
        if Self::IS_SECOND {
            SECOND_ALARM[2].write(ONCE);
            SECOND_ALARM[0].write(u32::MAX);
        } else {
            let [control, value, reload, _] = ALARM;
            // Nothing to begin anew from: the timer stops at zero, and goes on when it is given a value.
            reload.write(0);
            value.write(u32::MAX);
            control.write(RUN_AND_INTERRUPT);
        }
        H::begin(|| {
            let [control, value, reload, _] = CLOCK;
            reload.write(u32::MAX);
            value.write(u32::MAX);
            control.write(RUN);
        });
    }

    #[inline(always)]
    fn count() -> u32 {
        !CLOCK[1].read()
    }

    #[inline(always)]
    fn set(ticks: u32) {
        let value = if Self::IS_SECOND { SECOND_ALARM[0] } else { ALARM[1] };
        value.write(ticks);
    }

    #[inline(always)]
    fn acknowledge() {
        let interrupt = if Self::IS_SECOND { SECOND_ALARM[3] } else { ALARM[3] };
        interrupt.write(1);
    }
}
