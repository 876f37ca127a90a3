//! The system's memory at its target addresses.

use std::cell::UnsafeCell;
use std::fmt;
use std::hash::Hasher;

use beryl_abi::Range;

/// A range of target addresses and the bytes at them.
///
/// Application code gets native pointers into it ([`Arena::native`]), the kernel copies in it by
/// target addresses. Both happen on one native thread, in turn.
pub(crate) struct Arena {
    base: u32,
    size: u32,
    /// `size` bytes, rounded up; eight-byte words so that eight-byte values are aligned.
    words: Box<[UnsafeCell<u64>]>,
}

/// Why such a memory is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArenaError {
    /// The base isn't a multiple of eight.
    Base(u32),
    /// It would reach beyond the last 32-bit address.
    Size { base: u32, size: u32 },
    /// A piece of the initial image lies outside.
    Image { address: u32, length: usize },
}

impl fmt::Display for ArenaError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArenaError::Base(base) => {
                write!(formatter, "memory starts at {base:#x}, not a multiple of eight")
            }
            ArenaError::Size { base, size } => {
                write!(formatter, "{size} bytes from {base:#x} go beyond 32-bit addresses")
            }
            ArenaError::Image { address, length } => {
                write!(formatter, "the initial {length} bytes at {address:#x} lie outside of memory")
            }
        }
    }
}

impl Arena {
    /// Hashes the whole content except these ranges.
    pub(crate) fn hash_without<H: Hasher>(&self, left_out: &[Range], hasher: &mut H) {
        for (address, word) in (self.base..).step_by(8).zip(&self.words) {
            if !left_out.iter().any(|range| range.contains(Range::new(address, 4))) {
                // SAFETY: Nothing writes meanwhile; see `word`.
                hasher.write_u64(unsafe { word.get().read_volatile() });
            }
        }
    }

    /// `size` bytes from `base`, zero except for the pieces of `image`.
    pub(crate) fn new(base: u32, size: u32, image: &[(u32, &[u8])]) -> Result<Arena, ArenaError> {
        if !base.is_multiple_of(8) {
            return Err(ArenaError::Base(base));
        }
        if base.checked_add(size).is_none() {
            return Err(ArenaError::Size { base, size });
        }
        let words = (0..size.div_ceil(8)).map(|_| UnsafeCell::new(0)).collect();
        let arena = Arena { base, size, words };
        for (address, bytes) in image {
            arena
                .write(*address, bytes)
                .ok_or(ArenaError::Image { address: *address, length: bytes.len() })?;
        }
        Ok(arena)
    }

    /// Where the byte at `address` is in this program; none outside the memory.
    pub(crate) fn native(&self, address: u32) -> Option<*mut u8> {
        self.bytes(address, 1)
    }

    /// The word at `address`; zero outside the memory.
    pub(crate) fn word(&self, address: u32) -> u32 {
        let Some(place) = self.bytes(address, 4) else { return 0 };
        // SAFETY: `bytes` checked that four bytes are there. Nothing writes them meanwhile: application code
        // and this function run in turn on one native thread.
        u32::from_le_bytes(unsafe { place.cast::<[u8; 4]>().read_volatile() })
    }

    /// Everything that is in it, whole words.
    pub(crate) fn contents(&self) -> Vec<u8> {
        let addresses = (self.base..).step_by(4).take_while(|address| address - self.base < self.size);
        addresses.flat_map(|address| self.word(address).to_le_bytes()).collect()
    }

    /// Changes the word at `address`. Words outside the memory are left alone.
    pub(crate) fn set_word(&self, address: u32, word: u32) {
        let _ = self.write(address, &word.to_le_bytes());
    }

    /// Copies whole words, `length` bytes rounded up. Words outside the memory are left alone.
    pub(crate) fn copy(&self, from: u32, to: u32, length: u32) {
        for offset in (0..length).step_by(4) {
            let word = self.word(from.saturating_add(offset));
            self.set_word(to.saturating_add(offset), word);
        }
    }

    /// Puts `bytes` at `address` if all of them fit.
    fn write(&self, address: u32, bytes: &[u8]) -> Option<()> {
        let place = self.bytes(address, bytes.len())?;
        for (offset, byte) in bytes.iter().enumerate() {
            // SAFETY: `bytes` checked the whole length. Nothing reads or writes meanwhile; see `word`.
            unsafe { place.add(offset).write_volatile(*byte) };
        }
        Some(())
    }

    /// Where `length` bytes at `address` are, if they are all inside.
    fn bytes(&self, address: u32, length: usize) -> Option<*mut u8> {
        let offset = usize::try_from(address.checked_sub(self.base)?).ok()?;
        let size = usize::try_from(self.size).ok()?;
        if offset.checked_add(length)? > size {
            return None;
        }
        let first = self.words.as_ptr().cast::<u8>().cast_mut();
        // SAFETY: The offset is inside the allocation, or one past its end if `length` is zero.
        Some(unsafe { first.add(offset) })
    }
}

#[cfg(test)]
mod tests {
    use super::{Arena, ArenaError};

    #[test]
    fn copies_words_and_keeps_to_its_range() {
        let arena = Arena::new(0x2000_0000, 24, &[(0x2000_0008, &[1, 2, 3, 4, 5])]).unwrap();
        arena.copy(0x2000_0008, 0x2000_0010, 5);
        assert_eq!(
            [0, 4, 8, 12, 16, 20, 24].map(|offset| arena.word(0x2000_0000 + offset)),
            [0, 0, 0x0403_0201, 5, 0x0403_0201, 5, 0]
        );
        assert!(arena.native(0x2000_0017).is_some());
        assert_eq!(arena.native(0x2000_0018), None);
        assert_eq!(arena.native(0x1FFF_FFFF), None);
    }

    #[test]
    fn a_word_is_changed_only_inside_of_the_memory() {
        let arena = Arena::new(0x2000_0000, 8, &[]).unwrap();
        for offset in [0, 4, 6, 8] {
            arena.set_word(0x2000_0000 + offset, 7 + offset);
        }
        assert_eq!([0, 4, 8].map(|offset| arena.word(0x2000_0000 + offset)), [7, 11, 0]);
    }

    #[test]
    fn eight_byte_values_are_aligned() {
        let arena = Arena::new(0x2000_0008, 64, &[]).unwrap();
        assert!((arena.native(0x2000_0010).unwrap() as usize).is_multiple_of(8));
    }

    #[test]
    fn impossible_memories_are_refused() {
        let image: &[(u32, &[u8])] = &[(14, &[0; 4])];
        let cases =
            [(4, 8, ArenaError::Base(4)), (0xFFFF_FFF8, 9, ArenaError::Size { base: 0xFFFF_FFF8, size: 9 })];
        for (base, size, error) in cases {
            assert_eq!(Arena::new(base, size, &[]).err(), Some(error));
        }
        assert_eq!(Arena::new(0, 16, image).err(), Some(ArenaError::Image { address: 14, length: 4 }));
    }
}
