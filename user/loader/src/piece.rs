//! Pieces of what comes over the line: messages of fixed length that hold some bytes.

/// How many bytes, then the bytes: `byte[32]` in a system description.
pub type Piece = [i8; 32];

/// The most bytes that a piece holds.
const MOST: usize = 31;

/// A piece that is being filled.
#[derive(Clone, Copy, Debug, Default)]
pub struct Filling {
    piece: Piece,
    count: usize,
}

impl Filling {
    /// Adds a byte. Answers the piece if it is to be sent: when it is full, or a frame may have ended.
    pub fn add(&mut self, byte: u8) -> Option<Piece> {
        if let Some(place) = self.piece.get_mut(1 + self.count) {
            *place = byte.cast_signed();
            self.count += 1;
        }
        if byte != 0 && self.count < MOST {
            return None;
        }
        let mut piece = core::mem::take(&mut self.piece);
        piece[0] = core::mem::take(&mut self.count) as i8;
        Some(piece)
    }
}

/// The bytes of a piece.
pub fn bytes(piece: &Piece) -> impl Iterator<Item = u8> {
    let count = usize::from(piece[0].cast_unsigned());
    piece.iter().skip(1).take(count).map(|byte| byte.cast_unsigned())
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec::Vec;

    use super::{Filling, bytes};

    #[test]
    fn bytes_come_out_as_they_went_in_and_none_stays_behind_an_end() {
        let line: Vec<u8> = (0..=255).chain([7; 40]).chain([0, 0, 9, 0]).collect();
        let mut filling = Filling::default();
        let pieces: Vec<_> = line.iter().filter_map(|byte| filling.add(*byte)).collect();
        let out: Vec<u8> = pieces.iter().flat_map(bytes).collect();
        assert_eq!(out, line);
        let counts: Vec<_> = pieces.iter().map(|piece| piece[0]).collect();
        assert_eq!(counts, [1, 31, 31, 31, 31, 31, 31, 31, 31, 31, 17, 1, 2]);
    }
}
