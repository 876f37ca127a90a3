//! Trace records: collected in memory, written to a file when the run ends.

use core::ffi::CStr;

use beryl_abi::{Instant, Record};

use crate::board::Recorder;
use crate::register::{Register, word_at};
use crate::semihosting::{self, File};

/// What has been recorded, in memory from `BEGIN` up to, and without, `END`.
pub struct Collected<const BEGIN: u32, const END: u32> {
    /// Where the next word goes.
    next: u32,
    /// A record didn't fit. From then on nothing is recorded, so that the recording has no holes.
    is_full: bool,
}

impl<const BEGIN: u32, const END: u32> Recorder for Collected<BEGIN, END> {
    const EMPTY: Self = Collected { next: BEGIN, is_full: false };

    /// Nothing, if the memory is full.
    fn add(&mut self, record: &Record, time: Instant) {
        let begin = self.next;
        record.encode(time, |word| self.put(word), word_at);
        if self.is_full {
            self.next = begin;
        }
    }

    /// Code 0 if it is whole.
    fn finish(&mut self) -> ! {
        match self.write(c"trace.bin") {
            Written::Whole => semihosting::exit(0),
            Written::Early => {
                semihosting::print(c"the trace memory is full: trace.bin ends early\n");
                semihosting::exit(2)
            }
            Written::Not => {
                semihosting::print(c"trace.bin can't be written\n");
                semihosting::exit(4)
            }
        }
    }
}

/// What of a recording is in its file.
pub enum Written {
    /// All of it.
    Whole,
    /// What there was room for in memory.
    Early,
    /// Nothing.
    Not,
}

impl<const BEGIN: u32, const END: u32> Collected<BEGIN, END> {
    /// Writes it to a file.
    #[inline(always)]
    pub fn write(&self, name: &CStr) -> Written {
        let written = File::create(name).is_some_and(|file| file.write(BEGIN, self.next - BEGIN));
        match (written, self.is_full) {
            (false, _) => Written::Not,
            (true, true) => Written::Early,
            (true, false) => Written::Whole,
        }
    }

    #[inline(never)]
    fn put(&mut self, word: u32) {
        self.is_full |= self.next >= END;
        if !self.is_full {
            // SAFETY: a word of the trace memory, which no Rust object lives in.
            unsafe { Register::at(self.next) }.write(word);
            self.next += 4;
        }
    }
}
