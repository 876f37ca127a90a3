//! The dynamic buffering protocol in constant time.
//!
//! ```text
//!            writer activated (1)          writer activated (2)              last reader lets go (3)
//!   free ----------------------> current ----------------------> previous or held ---------------> free
//! ```
//! (1) and (2) `writer_activated`, (3) `let_go`.

use crate::masked::Masked;
use crate::{BUFFERS, READERS, Reader};

/// No buffer.
const NONE: u8 = u8::MAX;

/// A writer's buffers: which one is whose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dynamic {
    current: u8,
    /// The one before, where a reader has a delay.
    previous: u8,
    /// The first free one.
    free: u8,
    /// Of a used buffer how many use it; of a free one the next free one.
    uses: Masked<BUFFERS>,
    /// What each reader reads.
    read: Masked<READERS>,
    /// What each reader keeps from being free, or `NONE`.
    held: Masked<READERS>,
}

impl Dynamic {
    /// All buffers are free but the first, which has the initial value. There are as many as the readers need, and one
    /// for the writer: one for each that is overtaken, one if any is delayed.
    pub fn new(readers: &[Reader]) -> Dynamic {
        let is_delayed = readers.iter().any(|reader| reader.is_delayed);
        let mut uses = Masked::ZERO;
        (0..BUFFERS as u8).for_each(|buffer| uses.set(buffer, buffer.wrapping_add(1)));
        uses.set(0, 1 + u8::from(is_delayed));
        let mut held = Masked::ZERO;
        (0..READERS as u8).for_each(|reader| held.set(reader, NONE));
        let previous = if is_delayed { 0 } else { NONE };
        Dynamic { current: 0, previous, free: 1, uses, read: Masked::ZERO, held }
    }

    /// The writer is activated.
    #[inline(always)]
    pub fn writer_activated(&mut self) {
        let mut over = self.current;
        if self.previous != NONE {
            (over, self.previous) = (self.previous, self.current);
        }
        self.let_go(over);
        self.current = self.free;
        self.free = self.uses.at(self.current);
        self.uses.set(self.current, 1);
    }

    /// A reader is activated, behind the writer where both are. It lets go of what its last job had.
    #[inline(always)]
    pub fn reader_activated(&mut self, number: u8, reader: Reader) {
        self.reader_completed(number);
        let buffer = if reader.is_delayed { self.previous } else { self.current };
        self.read.set(number, buffer);
        if reader.is_overtaken {
            self.uses.set(buffer, self.uses.at(buffer).wrapping_add(1));
            self.held.set(number, buffer);
        }
    }

    /// A reader's job is done, where that is to be told; nothing may come between.
    #[inline(always)]
    pub fn reader_completed(&mut self, number: u8) {
        let held = self.held.at(number);
        if held != NONE {
            self.held.set(number, NONE);
            self.let_go(held);
        }
    }

    /// The buffer that the writer's job writes.
    #[inline(always)]
    pub fn written(&self) -> u8 {
        self.current
    }

    /// The buffer that a reader's job reads.
    #[inline(always)]
    pub fn read(&self, number: u8) -> u8 {
        self.read.at(number)
    }

    #[inline(always)]
    fn let_go(&mut self, buffer: u8) {
        let left = self.uses.at(buffer).wrapping_sub(1);
        if left != 0 {
            self.uses.set(buffer, left);
            return;
        }
        self.uses.set(buffer, self.free);
        self.free = buffer;
    }
}
