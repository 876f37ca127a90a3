//! Frames: whole messages on a line that may begin, break off or be wrong anywhere.
//!
//! A frame is `kind, sequence, length, payload, CRC-32`, encoded so that it holds no zero (consistent
//! overhead byte stuffing: Cheshire and Baker, "Consistent Overhead Byte Stuffing", IEEE/ACM
//! Transactions on Networking 7(2), 1999), between two zeros. So whoever reads is in step again at
//! the next zero, whatever came before, and text between frames is only a frame that means nothing.
//! The checksum finds accidents of the line; it proves nothing about who sent the frame.

use crc::{CRC_32_ISO_HDLC, Crc, NoTable};

/// The most bytes of a payload: a signed order, or a piece of a program with its place.
pub const LONGEST_PAYLOAD: usize = 208;

const HEADER: usize = 3;
const CHECKSUM: usize = 4;
const LONGEST: usize = HEADER + LONGEST_PAYLOAD + CHECKSUM;
/// The encoding adds a byte, and another for each 254 without a zero.
const LONGEST_ENCODED: usize = LONGEST + 1;
/// The most bytes that a frame takes on the line.
pub const LONGEST_ON_THE_LINE: usize = LONGEST_ENCODED + 2;

const _: () = assert!(LONGEST < 254 && LONGEST_PAYLOAD <= u8::MAX as usize);

/// The end of a frame, and the beginning.
const DELIMITER: u8 = 0;

/// Without a table: 1 kB of it would be the larger part of this file.
const CRC: Crc<u32, NoTable> = Crc::<u32, NoTable>::new(&CRC_32_ISO_HDLC);

/// A frame that came whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// What the payload means.
    pub kind: u8,
    /// A number that the answer repeats.
    pub sequence: u8,
    /// The message.
    pub payload: &'a [u8],
}

/// A frame as it goes onto the line.
#[derive(Clone, Copy, Debug)]
pub struct Outgoing {
    bytes: [u8; LONGEST_ON_THE_LINE],
    length: usize,
}

impl Outgoing {
    /// Encodes a frame. Of a payload only the first [`LONGEST_PAYLOAD`] bytes are sent; messages are shorter.
    #[must_use]
    pub fn new(frame: Frame<'_>) -> Outgoing {
        let payload = frame.payload.get(..LONGEST_PAYLOAD).unwrap_or(frame.payload);
        let mut plain = [0; LONGEST];
        let mut writer = crate::bytes::Writer::new(&mut plain);
        writer.put(&[frame.kind, frame.sequence, payload.len() as u8]);
        writer.put(payload);
        let end = writer.length();
        let checksum = CRC.checksum(plain.get(..end).unwrap_or_default());
        let mut writer = crate::bytes::Writer::new(plain.get_mut(end..).unwrap_or_default());
        writer.put(&checksum.to_le_bytes());
        let plain = plain.get(..end + CHECKSUM).unwrap_or_default();
        let mut bytes = [DELIMITER; LONGEST_ON_THE_LINE];
        let encoded = bytes.get_mut(1..=LONGEST_ENCODED).unwrap_or_default();
        let length = cobs::try_encode(plain, encoded).unwrap_or_default() + 2;
        if let Some(last) = bytes.get_mut(length - 1) {
            *last = DELIMITER;
        }
        Outgoing { bytes, length }
    }
}

impl AsRef<[u8]> for Outgoing {
    fn as_ref(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }
}

/// What stood between two zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard<'a> {
    /// A frame.
    Frame(Frame<'a>),
    /// Bytes that are no frame: text, noise, or a frame that was damaged.
    Damaged,
}

/// Finds frames in the bytes of a line. It keeps at most one.
#[derive(Clone, Debug)]
pub struct Frames {
    bytes: [u8; LONGEST_ENCODED],
    /// How many bytes came since the last zero; more than there is room for if the frame is too long.
    length: usize,
}

impl Default for Frames {
    fn default() -> Frames {
        Frames { bytes: [0; LONGEST_ENCODED], length: 0 }
    }
}

impl Frames {
    /// Takes a byte; answers what it ends, if it ends anything.
    pub fn take(&mut self, byte: u8) -> Option<Heard<'_>> {
        if byte != DELIMITER {
            if let Some(place) = self.bytes.get_mut(self.length) {
                *place = byte;
            }
            self.length = self.length.saturating_add(1);
            return None;
        }
        let length = core::mem::take(&mut self.length);
        if length == 0 {
            return None;
        }
        Some(self.bytes.get_mut(..length).and_then(decode).map_or(Heard::Damaged, Heard::Frame))
    }
}

fn decode(encoded: &mut [u8]) -> Option<Frame<'_>> {
    let length = cobs::decode_in_place(encoded).ok()?;
    let plain = encoded.get(..length)?;
    let (content, checksum) = plain.split_last_chunk::<CHECKSUM>()?;
    if CRC.checksum(content) != u32::from_le_bytes(*checksum) {
        return None;
    }
    let ([kind, sequence, length], payload) = content.split_first_chunk()?;
    (usize::from(*length) == payload.len()).then_some(Frame { kind: *kind, sequence: *sequence, payload })
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    fn encoded(kind: u8, sequence: u8, payload: &[u8]) -> Vec<u8> {
        Outgoing::new(Frame { kind, sequence, payload }).as_ref().to_vec()
    }

    /// All that is heard: kind, sequence and payload of frames, nothing of what is damaged.
    fn heard(bytes: &[u8]) -> Vec<Option<(u8, u8, Vec<u8>)>> {
        let mut frames = Frames::default();
        let mut all = Vec::new();
        for byte in bytes {
            all.extend(frames.take(*byte).map(|heard| match heard {
                Heard::Frame(frame) => Some((frame.kind, frame.sequence, frame.payload.to_vec())),
                Heard::Damaged => None,
            }));
        }
        all
    }

    #[test]
    fn frames_come_back_whatever_they_hold() {
        for length in 0..=LONGEST_PAYLOAD {
            for fill in [0_u8, 1, 0x55, 0xFF] {
                let payload = std::vec![fill; length];
                let line = encoded(7, fill, &payload);
                assert!(line.len() <= LONGEST_ON_THE_LINE, "{length} bytes take {}", line.len());
                assert_eq!(heard(&line), [Some((7, fill, payload))], "{length} bytes of {fill}");
            }
        }
    }

    #[test]
    fn every_cut_is_noticed_and_the_next_frame_is_whole() {
        let line = encoded(1, 2, &[3, 0, 4, 0, 0, 5]);
        let next = encoded(9, 8, b"next");
        let whole = Some((9, 8, b"next".to_vec()));
        for cut in 2..line.len() - 1 {
            let both = [&line[..cut], &next[..]].concat();
            assert_eq!(heard(&both), [None, whole.clone()], "cut after {cut}");
            let tail = [&line[cut..], &next[..]].concat();
            assert_eq!(heard(&tail), [None, whole.clone()], "begun at {cut}");
        }
    }

    #[test]
    fn every_flipped_bit_is_noticed_and_the_next_frame_is_whole() {
        let line = encoded(1, 2, &[3, 0, 4, 0, 0, 5, 255]);
        let next = encoded(9, 8, b"next");
        for bit in 0..line.len() * 8 {
            let mut bytes = [&line[..], &next[..]].concat();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let all = heard(&bytes);
            assert_eq!(all.last(), Some(&Some((9, 8, b"next".to_vec()))), "bit {bit}");
            let first = Some((1, 2, std::vec![3, 0, 4, 0, 0, 5, 255]));
            // A zero at one of its ends may be gone without harm, since the next frame brings its own.
            let is_end = bit < 8 || bit >= (line.len() - 1) * 8;
            assert!(is_end || !all.contains(&first), "bit {bit}: {all:?}");
        }
    }

    #[test]
    fn what_is_too_long_is_damaged_and_kept_nowhere() {
        let endless = std::vec![1; 100_000];
        let next = encoded(9, 8, b"next");
        assert_eq!(heard(&[&endless[..], &next[..]].concat()), [None, Some((9, 8, b"next".to_vec()))]);
    }
}
