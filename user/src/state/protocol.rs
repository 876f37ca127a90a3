//! The protocol of state messages, independent of the memory that holds their words.
//!
//! Write number n goes to buffer n modulo the depth. The index is the number of the last finished write; only
//! the writer changes it.

use crate::message::Words;
use crate::port::Plain;

/// The value was overwritten while it was being read: more writes came than the system description says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overrun;

/// Access to memory by whole words, each once and in the order of the calls.
pub(super) trait Access: Copy {
    /// The word at an address.
    fn load(self, address: u32) -> u32;

    /// Writes the word at an address.
    fn store(self, address: u32, word: u32);

    /// The word at an address and the next, in any order.
    fn load_two(self, address: u32) -> [u32; 2] {
        [self.load(address), self.load(address.wrapping_add(4))]
    }

    /// The same address, in a form from which others are made.
    fn near(self, address: u32) -> u32 {
        address
    }

    /// Writes the word at an address and the next, in any order.
    fn store_two(self, address: u32, [first, second]: [u32; 2]) {
        self.store(address, first);
        self.store(address.wrapping_add(4), second);
    }
}

/// A state message's addresses.
#[derive(Clone, Copy)]
pub(super) struct Ring {
    /// The address of the index.
    pub(super) index: u32,
    /// The address of the first buffer.
    pub(super) base: u32,
    /// The number of buffers, a power of two: when the index wraps, it must still name the same buffer.
    pub(super) depth: u32,
}

impl Ring {
    /// Writes a value to the buffer after the newest, then makes it the newest.
    #[inline(always)]
    pub(super) fn write(self, memory: impl Access, value: &[u32]) {
        let ring = self.near(memory);
        let next = memory.load(ring.index).wrapping_add(1);
        let mut place = ring.buffer(next, value.len());
        let (pairs, last) = value.as_chunks::<2>();
        for pair in pairs {
            memory.store_two(place, *pair);
            place = place.wrapping_add(8);
        }
        for word in last {
            memory.store(place, *word);
        }
        memory.store(ring.index, next);
    }

    /// Reads the newest value.
    #[inline(always)]
    pub(super) fn read<T: Plain>(self, memory: impl Access) -> Result<T, Overrun> {
        let (value, moved) = self.copy(memory);
        if moved < self.depth - 1 {
            Ok(value)
        } else {
            read_again(memory, self.index, self.base, self.depth, moved)
        }
    }

    /// Copies the buffer that is the newest at first, whatever happens to it meanwhile, and returns how far
    /// the index has moved by the end.
    #[inline(always)]
    pub(super) fn copy<T: Plain>(self, memory: impl Access) -> (T, u32) {
        let ring = self.near(memory);
        let mut value = Words::new();
        let newest = memory.load(ring.index);
        let mut place = ring.buffer(newest, Words::<T>::COUNT);
        let (pairs, last) = value.words().as_chunks_mut::<2>();
        for [first, second] in pairs {
            let words = memory.load_two(place);
            first.write(words[0]);
            second.write(words[1]);
            place = place.wrapping_add(8);
        }
        for word in last {
            word.write(memory.load(place));
        }
        let moved = memory.load(ring.index).wrapping_sub(newest);
        // SAFETY: all words have been read.
        (unsafe { value.value() }, moved)
    }

    /// The same ring, with the index's address made from that of the buffers.
    #[inline(always)]
    fn near(self, memory: impl Access) -> Ring {
        let base = memory.near(self.base);
        Ring { base, index: base.wrapping_add(self.index.wrapping_sub(self.base)), ..self }
    }

    /// The address of the buffer of a write.
    #[inline(always)]
    fn buffer(self, number: u32, words: usize) -> u32 {
        let length = words as u32 * 4;
        self.base.wrapping_add((number & (self.depth - 1)).wrapping_mul(length))
    }
}

/// Handles an index that has moved too far.
///
/// Write i + depth overwrites the value of write i. It isn't announced before it is done, so it may have
/// begun as soon as the index has moved by depth - 1, and then the value can't be trusted. But if the index
/// has moved by exactly that, nothing need be wrong: as many writes as the ring is made for have happened,
/// and none is left that could disturb a second reading. If it has moved further, or again, there were too
/// many writes.
///
/// The ring is passed in parts, so that the caller needn't put it into memory.
#[cold]
#[inline(never)]
fn read_again<T: Plain>(
    memory: impl Access,
    index: u32,
    base: u32,
    depth: u32,
    moved: u32,
) -> Result<T, Overrun> {
    if moved == depth - 1 {
        let (value, moved) = Ring { index, base, depth }.copy(memory);
        if moved < depth - 1 {
            return Ok(value);
        }
    }
    Err(Overrun)
}
