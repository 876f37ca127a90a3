//! Trace records: collected in memory, written to a file when the run ends.

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
        let written = File::create(c"trace.bin").is_some_and(|file| file.write(BEGIN, self.next - BEGIN));
        if !written {
            semihosting::print(c"trace.bin can't be written\n");
            semihosting::exit(4);
        }
        if self.is_full {
            semihosting::print(c"the trace memory is full: trace.bin ends early\n");
            semihosting::exit(2);
        }
        semihosting::exit(0)
    }
}

impl<const BEGIN: u32, const END: u32> Collected<BEGIN, END> {
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
