//! Which of a machine's processors a kernel has, and who else is there.
//!
//! Alone, a kernel has the first. Together, each has one, its own part of the memory, and one clock with all: so none may
//! begin before all are ready, and none may end the emulation before all are done. They say so by a word for each
//! processor, that with which processors interrupt each other, which nobody here listens to. The first one leads:
//!
//! ```text
//!           the leader                     every other one, by its own word
//!   0       says 1: come ---------------->  1   waits for it, with its memory filled
//!   1  <----------------- waits for all 0   0   is ready
//!   0       starts the clock at zero
//!           says 1: go ------------------>  1   begins
//!   1  <----------------- waits for all 0   0   is done
//!           ends the emulation
//! ```
//! The word of a processor that the machine doesn't have is always zero, so nobody has to know how many there are.

use core::ffi::CStr;
use core::marker::PhantomData;
use core::sync::atomic::{Ordering, fence};

use beryl_abi::{Instant, Record};

use crate::board::Recorder;
use crate::recorder::{Collected, Written};
use crate::register::Register;
use crate::semihosting;

/// A processor, as a kernel begins and ends on it.
pub trait Own: 'static {
    /// Its number.
    const NUMBER: u32;
    /// Where its trace records go.
    type Recorder: Recorder;

    /// Starts the clock at zero by `restart`, when all are ready.
    fn begin(restart: impl FnOnce());
}

/// The words of a machine's processors.
pub trait Words: 'static {
    /// How many processors there can be.
    const COUNT: u32;

    /// The word of one.
    fn of(processor: u32) -> Register;
}

/// The first processor, with nobody else. Trace records are collected from `BEGIN` up to, and without, `END`.
pub struct Alone<const BEGIN: u32, const END: u32>;

impl<const BEGIN: u32, const END: u32> Own for Alone<BEGIN, END> {
    const NUMBER: u32 = 0;
    type Recorder = Collected<BEGIN, END>;

    #[inline(always)]
    fn begin(restart: impl FnOnce()) {
        restart();
    }
}

/// One of several processors. Its trace records are collected from `BEGIN` up to, and without, `END`.
pub struct Together<W, const NUMBER: u32, const BEGIN: u32, const END: u32>(PhantomData<W>);

/// Its recorder.
pub struct Kept<W, const NUMBER: u32, const BEGIN: u32, const END: u32>(
    Collected<BEGIN, END>,
    PhantomData<W>,
);

impl<W: Words, const NUMBER: u32, const BEGIN: u32, const END: u32> Own for Together<W, NUMBER, BEGIN, END> {
    const NUMBER: u32 = NUMBER;
    type Recorder = Kept<W, NUMBER, BEGIN, END>;

    fn begin(restart: impl FnOnce()) {
        // What this processor has written is there when it says that it is ready.
        fence(Ordering::SeqCst);
        match NUMBER {
            0 => {
                say_to_all::<W>(1);
                wait_for_all::<W>();
                restart();
                say_to_all::<W>(1);
            }
            own => {
                wait_for::<W>(own, 1);
                W::of(own).write(0);
                wait_for::<W>(own, 1);
            }
        }
        fence(Ordering::SeqCst);
    }
}

impl<W: Words, const NUMBER: u32, const BEGIN: u32, const END: u32> Recorder for Kept<W, NUMBER, BEGIN, END> {
    const EMPTY: Self = Kept(Collected::EMPTY, PhantomData);

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
                wait_for_all::<W>();
                semihosting::exit(0)
            }
            own => {
                W::of(own).write(0);
                // bound: the leader ends the emulation
                loop {
                    core::hint::spin_loop();
                }
            }
        }
    }
}

/// The files with what each has recorded.
const FILES: [&CStr; 4] = [c"trace.bin", c"trace-1.bin", c"trace-2.bin", c"trace-3.bin"];

fn wait_for<W: Words>(processor: u32, value: u32) {
    // bound: until that one, or the leader, has come as far
    while W::of(processor).read() != value {
        core::hint::spin_loop();
    }
}

fn say_to_all<W: Words>(value: u32) {
    (1..W::COUNT).for_each(|processor| W::of(processor).write(value));
}

fn wait_for_all<W: Words>() {
    (1..W::COUNT).for_each(|processor| wait_for::<W>(processor, 0));
}
