//! Log statements as events: their bytes, up to four an event, behind an event that begins them.
//!
//! ```text
//!   BEGIN, then for each part that the encoder hands over:
//!     BEGIN + 4   four bytes, the first in the value's lowest ones
//!     BEGIN + n   what is left of the part, n < 4; the other bytes of the value are zero
//! ```
//!
//! Whoever reads the events knows of each which thread told it. So statements of threads that preempt each other come apart
//! again, and no thread keeps others out while it writes one.

/// The event that begins a statement. Applications have the numbers from here to [`END`] for nothing else.
pub const BEGIN: u16 = 0xDEF0;
/// The last of the numbers.
pub const END: u16 = BEGIN + MOST as u16;
/// The most bytes of an event.
const MOST: u8 = 4;

/// The events of a part of a statement, with their values.
pub fn pieces(part: &[u8]) -> impl Iterator<Item = (u16, u32)> {
    part.chunks(MOST.into()).map(|bytes| {
        let value = bytes.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte));
        // A chunk has one byte to four.
        (BEGIN.wrapping_add(bytes.len() as u16), value)
    })
}

/// What an event says of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Another one begins.
    Begin,
    /// It has more bytes: so many of these.
    Bytes([u8; 4], u8),
}

impl Piece {
    /// The piece that an event is, if it is one.
    #[must_use]
    pub fn of(event: u16, value: u32) -> Option<Piece> {
        match event.checked_sub(BEGIN)? {
            0 => Some(Piece::Begin),
            count @ 1..=4 => Some(Piece::Bytes(value.to_le_bytes(), count.to_le_bytes()[0])),
            _ => None,
        }
    }

    /// Its bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match self {
            Piece::Begin => &[],
            Piece::Bytes(bytes, count) => bytes.get(..usize::from(*count)).unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use super::*;

    #[test]
    fn what_is_told_in_pieces_is_what_was_handed_over() {
        let bytes: Vec<u8> = (1..=19).collect();
        for length in 0..bytes.len() {
            let told: Vec<u8> = pieces(&bytes[..length])
                .flat_map(|(event, value)| Piece::of(event, value).expect("a piece").bytes().to_vec())
                .collect();
            assert_eq!(told, bytes[..length]);
            assert_eq!(pieces(&bytes[..length]).count(), length.div_ceil(4));
        }
        assert_eq!(Piece::of(BEGIN, 7), Some(Piece::Begin));
        assert_eq!([Piece::of(BEGIN - 1, 0), Piece::of(END + 1, 0)], [None, None]);
    }
}
