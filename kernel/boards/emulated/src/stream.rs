//! Trace records where memory is scarce: what is collected is written to the file whenever the memory is full. No time passes for
//! the emulated board while the emulator writes, but for the few instructions that ask for it.

use beryl_abi::{Instant, Record};

use crate::board::Recorder;
use crate::recorder::Collected;
use crate::register::{Register, word_at};
use crate::semihosting::{self, File};

/// What hasn't been written yet, in memory from `BEGIN` up to, and without, `END`.
pub struct Stream<const BEGIN: u32, const END: u32> {
    /// Where the next word goes.
    next: u32,
    /// The file, once something was written.
    file: Option<File>,
}

impl<const BEGIN: u32, const END: u32> Recorder for Stream<BEGIN, END> {
    const EMPTY: Self = Stream { next: BEGIN, file: None };

    fn add(&mut self, record: &Record, time: Instant) {
        record.encode(time, |word| self.put(word), word_at);
    }

    fn finish(&mut self) -> ! {
        self.write();
        semihosting::exit(0)
    }
}

impl<const BEGIN: u32, const END: u32> Stream<BEGIN, END> {
    #[inline(never)]
    fn put(&mut self, word: u32) {
        if self.next >= END {
            self.write();
        }
        // SAFETY: a word of the trace memory, which no Rust object lives in.
        unsafe { Register::at(self.next) }.write(word);
        self.next += 4;
    }

    /// Writes what has been collected. A recording that can't be written is of no use, so the emulation ends then.
    #[cold]
    #[inline(never)]
    fn write(&mut self) {
        if self.file.is_none() {
            self.file = File::create(c"trace.bin");
        }
        let written = self.file.as_ref().is_some_and(|file| file.append(BEGIN, self.next - BEGIN));
        if !written {
            semihosting::print(c"trace.bin can't be written\n");
            semihosting::exit(4);
        }
        self.next = BEGIN;
    }
}

/// The builder plans as much memory for a kernel on each board.
const _: () =
    assert!(size_of::<Stream<0, 4>>() == size_of::<Collected<0, 4>>(), "one takes more than the other");
