//! Frames between emulated nodes, on the lines that join them to their bus.
//!
//! A frame has a head, values, and a checksum of these. The head says which frame of the run it is, when its slot begins, and
//! how many bytes follow; or that it was lost, and nothing follows. All numbers have the low byte first. The checksum is
//! CRC-32, as Ethernet has it. The head is the line's, so nothing hits it on the bus.
//!
//! ```text
//! number (8) | start in ns (8) | bytes, or all ones: lost (4) | link (4), instant in ns (8), words | ... | checksum (4)
//! ```

/// What a frame begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// Its number, counted over the whole run.
    pub number: u64,
    /// When its slot begins, in nanoseconds.
    pub start: u64,
    /// How many bytes follow, of values and their checksum; [`LOST`] if it was lost.
    pub length: u32,
}

/// The length of a frame that was lost.
pub const LOST: u32 = u32::MAX;

impl Head {
    /// Bytes of a head.
    pub const BYTES: usize = 20;

    /// As bytes.
    #[must_use]
    pub const fn encode(self) -> [u8; Head::BYTES] {
        let [a, b, c, d, e, f, g, h] = self.number.to_le_bytes();
        let [i, j, k, l, m, n, o, p] = self.start.to_le_bytes();
        let [q, r, s, t] = self.length.to_le_bytes();
        [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t]
    }

    /// From bytes.
    #[must_use]
    pub const fn decode(bytes: [u8; Head::BYTES]) -> Head {
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t] = bytes;
        Head {
            number: u64::from_le_bytes([a, b, c, d, e, f, g, h]),
            start: u64::from_le_bytes([i, j, k, l, m, n, o, p]),
            length: u32::from_le_bytes([q, r, s, t]),
        }
    }

    /// How many bytes follow.
    #[must_use]
    pub const fn behind(self) -> u32 {
        if self.length == LOST { 0 } else { self.length }
    }
}

/// What has become of a frame of the bus. Of a run these are told as a text, with a letter for each frame, in their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fate {
    /// Nobody sent it.
    #[default]
    Unsent,
    /// It arrived as it was sent.
    Came,
    /// It came nowhere.
    Lost,
    /// It arrived with another checksum than its bytes have.
    Corrupt,
}

impl Fate {
    const ALL: [Fate; 4] = [Fate::Unsent, Fate::Came, Fate::Lost, Fate::Corrupt];

    /// Its letter.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Fate::Unsent => '-',
            Fate::Came => '.',
            Fate::Lost => 'l',
            Fate::Corrupt => 'c',
        }
    }

    /// The one with a letter; nothing if none has it.
    #[must_use]
    pub fn of_letter(letter: char) -> Option<Fate> {
        Fate::ALL.into_iter().find(|fate| fate.letter() == letter)
    }
}

#[cfg(test)]
mod tests {
    use super::{Fate, Head, LOST};

    #[test]
    fn a_fate_is_read_as_it_was_written() {
        assert!(Fate::ALL.into_iter().all(|fate| Fate::of_letter(fate.letter()) == Some(fate)));
        assert_eq!(Fate::of_letter('x'), None);
    }

    #[test]
    fn a_head_is_read_as_it_was_written() {
        let head = Head { number: 1 << 40 | 7, start: 3 << 33, length: 24 };
        assert_eq!(head.encode()[..9], [7, 0, 0, 0, 0, 1, 0, 0, 0]);
        assert_eq!((Head::decode(head.encode()), head.behind()), (head, 24));
        assert_eq!(Head { length: LOST, ..head }.behind(), 0);
    }
}
