//! What a process is sent as when another one takes its place: numbers for the kernel first, then all that the process
//! has in flash otherwise.
//!
//! ```text
//!    0   4  "BRP1"
//!    4   4  version of these numbers, and of the calls between process and kernel
//!    8   4  bytes in all, a multiple of four
//!   12   4  the address for which it is linked: that of a room
//!   16   8  layout: a hash of all that the process has in common with its image
//!   24   2  rows of entries: one for each thread of the system
//!   26   2  stretches of memory
//!   28   4  checksum of all words behind this one
//!   32      entries: where a thread of this process begins, 0 for all others
//!           stretches: address of the bytes, where they belong, how many, zeros behind them
//!           code and constants, the bytes of the stretches among them
//! ```
//! All numbers are words in the order of the processor.

use core::fmt;

/// The first word.
pub const MAGIC: u32 = u32::from_le_bytes(*b"BRP1");
/// The version of the header, and of the calls between process and kernel.
pub const VERSION: u32 = 1;
/// Bytes before the entries.
pub const HEAD: u32 = 32;
/// Bytes of an entry.
pub const ENTRY: u32 = 4;
/// Bytes of a stretch.
pub const STRETCH: u32 = 16;
/// The most stretches: what its ports start with, and what its variables do.
pub const STRETCHES: u16 = 2;

/// Offsets of the numbers.
pub mod offset {
    /// Of [`MAGIC`](super::MAGIC).
    pub const MAGIC: u32 = 0;
    /// Of the version.
    pub const VERSION: u32 = 4;
    /// Of the bytes in all.
    pub const LENGTH: u32 = 8;
    /// Of the room's address.
    pub const ROOM: u32 = 12;
    /// Of the two words of the layout.
    pub const LAYOUT: u32 = 16;
    /// Of the numbers of entries and stretches.
    pub const ROWS: u32 = 24;
    /// Of the checksum.
    pub const CHECKSUM: u32 = 28;
}

/// The checksum of no words.
pub const NO_WORDS: u32 = 0x811c_9dc5;

/// The checksum of one word more. Two sequences that differ in one word only have different ones.
#[must_use]
#[inline(always)]
pub const fn and_word(checksum: u32, word: u32) -> u32 {
    (checksum ^ word).wrapping_mul(0x0100_0193)
}

macro_rules! misfits {
    ($($(#[doc = $text:literal])+ $name:ident = $number:literal, $words:literal,)+) => {
        /// Why a process that was sent can't take the place of another. The number beside it is a thread or stretch,
        /// where there is one.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u16)]
        pub enum Misfit { $($(#[doc = $text])+ $name = $number,)+ }

        impl Misfit {
            /// All of them.
            pub const ALL: &[Misfit] = &[$(Misfit::$name,)+];
        }

        /// In words, for people.
        impl fmt::Display for Misfit {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str(match self { $(Misfit::$name => $words,)+ })
            }
        }
    };
}

// Numbers that no reason of the checks of programs has, since both travel in the same place.
misfits! {
    /// It isn't a process, or one of another version.
    Format = 0x4000, "it is no process, or one for another version of the kernel",
    /// It isn't as long as it says.
    Length = 0x4001, "it isn't as long as it says",
    /// It is linked for another room.
    Room = 0x4002, "it is linked for the other room",
    /// It was made for another process, or another image.
    Layout = 0x4003, "it was made for another process or another image",
    /// Its checksum doesn't match.
    Checksum = 0x4004, "its checksum doesn't match what came",
    /// A thread would begin outside of it.
    Entry = 0x4005, "a thread would begin outside of its code",
    /// Its memory would be filled from or at a place that isn't its own.
    Memory = 0x4006, "its memory would be filled at, or from, a place that isn't its own",
}

impl Misfit {
    /// The misfit with this number, if it is one.
    #[must_use]
    pub fn decode(number: u16) -> Option<Misfit> {
        Misfit::ALL.iter().copied().find(|misfit| *misfit as u16 == number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_flipped_bit_of_a_word_changes_the_checksum() {
        let sum = |words: [u32; 3]| words.into_iter().fold(NO_WORDS, and_word);
        let whole = [0, 0x0102_0304, u32::MAX];
        for bit in 0..96_usize {
            let mut flipped = whole;
            flipped[bit / 32] ^= 1 << (bit % 32);
            assert_ne!(sum(flipped), sum(whole), "bit {bit}");
        }
    }

    #[test]
    fn numbers_come_back() {
        for misfit in Misfit::ALL {
            assert_eq!(Misfit::decode(*misfit as u16), Some(*misfit));
        }
        assert_eq!(Misfit::decode(0x100), None);
    }
}
