//! Which of a machine's processors a kernel has, and who else is there.
//!
//! Alone, a kernel has the first. Together, each has one, its own part of the memory, and one clock with all: so none may
//! begin before all are ready, and none may end the emulation before all are done. Until they begin they say so by a word for
//! each processor, that with which processors interrupt each other, which nobody listens to yet. While they run, it is what doorbells are rung
//! by. So each has a word in memory that says whether it runs. The first one leads:
//!
//! ```text
//!           the leader                     every other one, by its own words
//!   0       says 1: come ---------------->  1   waits for it, with its memory filled
//!                                               runs, as its word in memory says
//!   1  <----------------- waits for all 0   0   is ready
//!   0       starts the clock at zero
//!           says 1: go ------------------>  1   takes it back, and begins
//!   1  <----------- waits until none runs       runs no more
//!           ends the emulation
//! ```
//! The word of a processor that the machine doesn't have is always zero, and so is the memory of a part that nobody has: nobody has to
//! know how many there are.

use core::ffi::CStr;
use core::marker::PhantomData;
use core::sync::atomic::{Ordering, fence};

use beryl_abi::{Instant, Record};

use crate::board::Recorder;
use crate::doorbells::{Bells, Doorbells, RUNNING};
use crate::recorder::{Collected, Written};
use crate::register::Register;
use crate::semihosting;

/// A processor, as a kernel begins and ends on it.
pub trait Own: 'static {
    /// Its number.
    const NUMBER: u32;
    /// Whether there are others.
    const HAS_OTHERS: bool;
    /// Where its trace records go.
    type Recorder: Recorder;
    /// The doorbells that ring at it, and those that it rings: none if it is alone.
    type Bells: Bells;

    /// Starts the clock at zero by `restart`, when all are ready.
    fn begin(restart: impl FnOnce());
}

/// The words of a machine's processors.
pub trait Words: 'static {
    /// How many processors there can be.
    const COUNT: u32;
    /// The line of the first doorbell: behind those of devices.
    const FIRST_BELL: u16;

    /// Interrupts one, until that is withdrawn: its word is 1.
    fn call(processor: u32);
    /// Withdraws that one was called: its word is 0.
    fn withdraw(processor: u32);
    /// Whether one is called.
    fn is_called(processor: u32) -> bool;

    /// Whether a kernel is there for one, on a machine that has the words of all processors whoever uses them.
    fn is_there(_processor: u32) -> bool {
        true
    }
    /// Lets one begin, where that isn't done at reset.
    fn wake(_processor: u32) {}

    /// One of the four words of its panel: in memory that no process reaches, and zero at first.
    fn panel(processor: u32, word: u32) -> Register;

    /// All that was written before, in memory or to words of processors, is seen before anything behind it is done.
    fn order();
}

/// The first processor, with nobody else. Trace records are collected from `BEGIN` up to, and without, `END`.
pub struct Alone<const BEGIN: u32, const END: u32>;

impl<const BEGIN: u32, const END: u32> Own for Alone<BEGIN, END> {
    const NUMBER: u32 = 0;
    const HAS_OTHERS: bool = false;
    type Recorder = Collected<BEGIN, END>;
    type Bells = ();

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
    const HAS_OTHERS: bool = true;
    type Recorder = Kept<W, NUMBER, BEGIN, END>;
    type Bells = Doorbells<W, Self>;

    fn begin(restart: impl FnOnce()) {
        // What this processor has written is there when it says that it is ready.
        fence(Ordering::SeqCst);
        match NUMBER {
            0 => {
                others::<W>().for_each(W::wake);
                others::<W>().for_each(W::call);
                others::<W>().for_each(|other| wait_for::<W>(other, false));
                restart();
                others::<W>().for_each(W::call);
            }
            own => {
                wait_for::<W>(own, true);
                W::panel(own, RUNNING).write(1);
                fence(Ordering::SeqCst);
                W::withdraw(own);
                wait_for::<W>(own, true);
                W::withdraw(own);
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
                wait_until_none_runs::<W>();
                semihosting::exit(0)
            }
            own => {
                W::panel(own, RUNNING).write(0);
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

/// The processors behind the first.
fn others<W: Words>() -> impl Iterator<Item = u32> {
    (1..W::COUNT).filter(|other| W::is_there(*other))
}

fn wait_for<W: Words>(processor: u32, is_called: bool) {
    // bound: until that one, or the leader, has come as far
    while W::is_called(processor) != is_called {
        core::hint::spin_loop();
    }
}

fn wait_until_none_runs<W: Words>() {
    // bound: until each of them has ended
    while others::<W>().any(|processor| W::panel(processor, RUNNING).read() != 0) {
        core::hint::spin_loop();
    }
}
