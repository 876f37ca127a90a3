//! Messages as the fake keeps them: whole words, with the length that says how they travel.

use std::vec::Vec;

use crate::message::Words;
use crate::port::Plain;

/// How long messages are, and whether they travel in registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    words: usize,
    is_short: bool,
}

impl Shape {
    /// How requests and replies of two shapes travel: both in registers, or both in memory.
    pub(super) fn with(self, other: Shape) -> Shape {
        Shape { is_short: self.is_short && other.is_short, ..self }
    }

    /// The same way of another length.
    pub(super) fn travelling_as(self, other: Shape) -> Shape {
        Shape { is_short: other.is_short, ..self }
    }

    pub(super) fn words(self) -> usize {
        self.words
    }

    pub(super) fn is_short(self) -> bool {
        self.is_short
    }
}

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Message(pub(super) Vec<u32>);

impl Message {
    pub(super) fn of<T: Plain>(value: &T) -> Message {
        let mut words = Words::new();
        words.fill(value);
        // SAFETY: `fill` sets all words.
        Message(unsafe { words.filled() }.to_vec())
    }

    pub(super) fn shape<T: Plain>() -> Shape {
        Shape { words: Words::<T>::COUNT, is_short: crate::message::is_short::<T>() }
    }

    pub(super) fn words(&self) -> &[u32] {
        &self.0
    }

    pub(super) fn value<T: Plain>(&self) -> T {
        let mut words = Words::<T>::new();
        for (place, word) in words.words().iter_mut().enumerate() {
            word.write(self.0.get(place).copied().unwrap_or(0));
        }
        // SAFETY: all words have just been set.
        unsafe { words.value() }
    }
}

/// The value of these bytes.
pub(super) fn value<T: Plain>(bytes: &[u8]) -> T {
    let word = |part: &[u8]| {
        let mut word = [0; 4];
        word[..part.len()].copy_from_slice(part);
        u32::from_le_bytes(word)
    };
    Message(bytes.chunks(4).map(word).collect()).value()
}
