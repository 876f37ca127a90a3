//! The temporal concurrency control protocol.

use crate::masked::Masked;
use crate::{READERS, Reader};

/// A writer's buffers: which one is whose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Circular {
    current: u8,
    /// The one before.
    previous: u8,
    /// How many there are.
    depth: u8,
    read: Masked<READERS>,
}

impl Circular {
    /// So many buffers, at least one, all with the initial value.
    pub fn new(depth: u8) -> Circular {
        Circular { current: 0, previous: depth.saturating_sub(1), depth, read: Masked::ZERO }
    }

    /// The writer is activated.
    #[inline(always)]
    pub fn writer_activated(&mut self) {
        self.previous = self.current;
        let next = self.current.wrapping_add(1);
        self.current = if next == self.depth { 0 } else { next };
    }

    /// A reader is activated, behind the writer where both are.
    #[inline(always)]
    pub fn reader_activated(&mut self, number: u8, reader: Reader) {
        self.read.set(number, if reader.is_delayed { self.previous } else { self.current });
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
}
