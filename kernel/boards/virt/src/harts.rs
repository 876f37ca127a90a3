//! Which of the machine's processors (harts) a kernel has, and who else is there.
//!
//! Alone, a kernel has the first. Together, each has one, its own part of the memory, and one clock with all: so none may
//! begin before all are ready, and none may end the emulation before all are done. They say so by a word for each hart, that
//! with which harts interrupt each other (CLINT, `msip`), which nobody here listens to. The first hart leads:
//!
//! ```text
//!           the leader                     every other hart, by its own word
//!   0       says 1: come ---------------->  1   waits for it, with its memory filled
//!   1  <----------------- waits for all 0   0   is ready
//!   0       starts the clock at zero
//!           says 1: go ------------------>  1   begins
//!   1  <----------------- waits for all 0   0   is done
//!           ends the emulation
//! ```
//! The word of a hart that the machine doesn't have is always zero, so nobody has to know how many there are.

use core::ffi::CStr;
use core::sync::atomic::{Ordering, fence};

use beryl_abi::{Instant, Range, Record};
use beryl_emulated::board::Recorder;
use beryl_emulated::recorder::{Collected, Written};
use beryl_emulated::register::Register;
use beryl_emulated::semihosting;

use crate::map::{HARTS, MSIP, TRACE, of_hart};

/// A hart, as a kernel begins and ends on it.
pub trait Hart: 'static {
    /// Its number.
    const NUMBER: u32;
    /// Where its trace records go.
    type Recorder: Recorder;

    /// Starts the clock at zero by `restart`, when all are ready.
    fn begin(restart: impl FnOnce());
}

/// The first hart, with nobody else.
pub struct Alone;

impl Hart for Alone {
    const NUMBER: u32 = 0;
    type Recorder = Collected<{ TRACE.address }, { TRACE.address + TRACE.length }>;

    #[inline(always)]
    fn begin(restart: impl FnOnce()) {
        restart();
    }
}

/// One of several harts. Its trace records are collected from `BEGIN` up to, and without, `END`.
pub struct Together<const NUMBER: u32, const BEGIN: u32, const END: u32>;

/// Its recorder.
pub struct Kept<const NUMBER: u32, const BEGIN: u32, const END: u32>(Collected<BEGIN, END>);

impl<const NUMBER: u32, const BEGIN: u32, const END: u32> Hart for Together<NUMBER, BEGIN, END> {
    const NUMBER: u32 = NUMBER;
    type Recorder = Kept<NUMBER, BEGIN, END>;

    fn begin(restart: impl FnOnce()) {
        // What this hart has written is there when it says that it is ready.
        fence(Ordering::SeqCst);
        match NUMBER {
            0 => {
                say_to_all(1);
                wait_for_all();
                restart();
                say_to_all(1);
            }
            own => {
                wait_for(own, 1);
                word(own).write(0);
                wait_for(own, 1);
            }
        }
        fence(Ordering::SeqCst);
    }
}

impl<const NUMBER: u32, const BEGIN: u32, const END: u32> Recorder for Kept<NUMBER, BEGIN, END> {
    const EMPTY: Self = Kept(Collected::EMPTY);

    fn add(&mut self, record: &Record, time: Instant) {
        self.0.add(record, time);
    }

    fn finish(&mut self) -> ! {
        match self.0.write(FILES[NUMBER as usize]) {
            Written::Whole => {}
            Written::Early => {
                semihosting::print(c"a core's trace memory is full: its trace ends early\n");
                semihosting::exit(2)
            }
            Written::Not => {
                semihosting::print(c"a core's trace can't be written\n");
                semihosting::exit(4)
            }
        }
        match NUMBER {
            0 => {
                wait_for_all();
                semihosting::exit(0)
            }
            own => {
                word(own).write(0);
                // bound: the leader ends the emulation
                loop {
                    core::hint::spin_loop();
                }
            }
        }
    }
}

/// The files with what each has recorded.
const FILES: [&CStr; HARTS] = [c"trace.bin", c"trace-1.bin", c"trace-2.bin", c"trace-3.bin"];

/// The word of a hart.
fn word(hart: u32) -> Register {
    // SAFETY: a word of the device with which harts interrupt each other, which reaches no memory.
    unsafe { Register::at(MSIP.address + 4 * hart) }
}

fn wait_for(hart: u32, value: u32) {
    // bound: until that hart, or the leader, has come as far
    while word(hart).read() != value {
        core::hint::spin_loop();
    }
}

fn others() -> core::ops::Range<u32> {
    1..HARTS as u32
}

fn say_to_all(value: u32) {
    others().for_each(|hart| word(hart).write(value));
}

fn wait_for_all() {
    others().for_each(|hart| wait_for(hart, 0));
}

/// Where a hart has what the first has in this range.
pub const fn own<H: Hart>(first: Range) -> Range {
    of_hart(first, H::NUMBER)
}
