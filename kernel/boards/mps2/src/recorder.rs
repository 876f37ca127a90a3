//! Trace records: collected in memory, written to a file when the run ends.

use beryl_abi::{Instant, Record};

use crate::here::TRACE;
use crate::register::Register;
use crate::semihosting::{self, File};

const END: u32 = TRACE.address + TRACE.length;

/// What has been recorded.
pub struct Recorder {
    /// Where the next word goes.
    next: u32,
    /// A record didn't fit. From then on nothing is recorded, so that the recording has no holes.
    is_full: bool,
}

impl Recorder {
    /// An empty recording.
    pub const fn new() -> Recorder {
        Recorder { next: TRACE.address, is_full: false }
    }

    /// Adds a record, made at `time`, unless the memory is full.
    pub fn add(&mut self, record: &Record, time: Instant) {
        let begin = self.next;
        record.encode(time, |word| self.put(word), word_at);
        if self.is_full {
            self.next = begin;
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

    /// Writes the recording to `trace.bin` and ends the emulation: code 0 if it is whole.
    pub fn finish(&self) -> ! {
        let written = File::create(c"trace.bin")
            .is_some_and(|file| file.write(TRACE.address, self.next - TRACE.address));
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

/// A word of a driver's value.
fn word_at(address: u32) -> u32 {
    // SAFETY: the value of a driver is port memory, made of whole words; it is only read.
    unsafe { Register::at(address) }.read()
}
