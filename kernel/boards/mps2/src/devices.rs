//! The devices that the kernel has: two CMSDK timers and the console's transmitter.

use beryl_abi::{Line, Range};
use beryl_cortex_m::Lines;
use beryl_emulated::board::{Devices, Emulated};
use beryl_emulated::recorder::Collected;
use beryl_emulated::register::{Register, Step, carry_out};

use crate::here::{ENVIRONMENT, LINES, OPENED, TIMER0, TIMER1, TIMER1_LINE, TRACE, UART0};

/// An emulated board.
pub type Board = Emulated<Mps2>;

/// What tells it from others.
pub struct Mps2;

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

const RUN: u32 = 0b0001;
const RUN_AND_INTERRUPT: u32 = 0b1001;

impl Lines for Mps2 {
    const LINES: u32 = LINES as u32;
    const ALARM: Line = TIMER1_LINE;
}

impl Devices for Mps2 {
    const ENVIRONMENT: Range = ENVIRONMENT;
    type Recorder = Collected<{ TRACE.address }, { TRACE.address + TRACE.length }>;
    type Lines = Mps2;

    /// Lets user mode reach devices, where something beside the protection unit keeps it from them, and turns the console's
    /// transmitter on, at the highest rate.
    fn start() -> Mps2 {
        // SAFETY: registers of the map, which say who may reach devices, and of the console; they reach no memory.
        unsafe {
            carry_out(&OPENED.map(|(register, devices)| Step::Write(register, devices)));
            carry_out(&[Step::Write(UART0.address + 16, 16), Step::Write(UART0.address + 8, 1)]);
        }
        Mps2
    }

    fn start_timers() {
        let [control, value, reload, _] = ALARM;
        // Nothing to begin anew from: the timer stops at zero, and goes on when it is given a value.
        reload.write(0);
        value.write(u32::MAX);
        control.write(RUN_AND_INTERRUPT);
        let [control, value, reload, _] = CLOCK;
        reload.write(u32::MAX);
        value.write(u32::MAX);
        control.write(RUN);
    }

    #[inline(always)]
    fn count() -> u32 {
        !CLOCK[1].read()
    }

    #[inline(always)]
    fn set(ticks: u32) {
        ALARM[1].write(ticks);
    }

    #[inline(always)]
    fn acknowledge() {
        ALARM[3].write(1);
    }
}
