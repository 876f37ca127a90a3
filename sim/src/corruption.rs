//! Which frames of a bus arrive corrupt, and how a receiver sees that.
//!
//! On the bus a frame is bytes: its values, each behind the number of its link, and a checksum of all these (CRC-32, as
//! Ethernet has it). What arrives is read from those bytes again. A corrupt frame has a burst of changed bits somewhere, as
//! one disturbance makes it; a burst that is no longer than the checksum is always seen. Of longer damage, one in 2^32
//! wouldn't be.

use crate::times::SplitMix64;

/// Bytes of a word, and of the checksum.
const WORD: usize = 4;
/// Bits of the longest burst: as many as the checksum has.
const BURST: u64 = 32;

/// A value in a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    /// The number of its link.
    pub(crate) link: usize,
    pub(crate) words: Vec<u32>,
}

/// Draws for one frame after the other that isn't lost.
#[derive(Clone, Debug)]
pub(crate) struct Corruption {
    /// Of a thousand frames, how many arrive corrupt.
    of_thousand: u32,
    dice: SplitMix64,
}

impl Corruption {
    /// All frames arrive as they were sent.
    pub(crate) fn none() -> Corruption {
        Corruption::new(0, 0)
    }

    /// The seed is that of the losses, too, so it is used differently here.
    pub(crate) fn new(of_thousand: u32, seed: u64) -> Corruption {
        Corruption { of_thousand, dice: SplitMix64(!seed) }
    }

    /// Carries values from one node to the others; nothing arrives if their frame is corrupt.
    pub(crate) fn carry(&mut self, values: &[Value]) -> Option<Vec<Value>> {
        let mut frame = sealed(values);
        if self.dice.up_to(999) < u64::from(self.of_thousand) {
            self.spoil(&mut frame);
        }
        opened(&frame)
    }

    /// Changes a burst of bits somewhere: its first and its last, and some in between.
    fn spoil(&mut self, frame: &mut [u8]) {
        let bits = (frame.len() as u64).saturating_mul(8);
        let length = 1 + self.dice.up_to(BURST.min(bits).saturating_sub(1));
        let first = self.dice.up_to(bits.saturating_sub(length));
        for bit in 0..length {
            let is_changed = bit == 0 || bit + 1 == length || self.dice.up_to(1) == 1;
            let (place, mask) = (((first + bit) / 8) as usize, 1 << ((first + bit) % 8));
            if let Some(byte) = frame.get_mut(place).filter(|_| is_changed) {
                *byte ^= mask;
            }
        }
    }
}

/// A frame with these values.
fn sealed(values: &[Value]) -> Vec<u8> {
    let words = values.iter().flat_map(|Value { link, words }| {
        [*link as u32, words.len() as u32].into_iter().chain(words.iter().copied())
    });
    let mut frame: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
    frame.extend(crc32fast::hash(&frame).to_le_bytes());
    frame
}

/// The values of a frame; nothing if it isn't as it was sent.
fn opened(frame: &[u8]) -> Option<Vec<Value>> {
    let (content, checksum) = frame.split_last_chunk::<WORD>()?;
    if crc32fast::hash(content) != u32::from_le_bytes(*checksum) {
        return None;
    }
    let (words, _) = content.as_chunks::<WORD>();
    let mut words = words.iter().map(|word| u32::from_le_bytes(*word));
    let mut values = Vec::new();
    while let (Some(link), Some(length)) = (words.next(), words.next()) {
        let own = words.by_ref().take(length as usize).collect();
        values.push(Value { link: link as usize, words: own });
    }
    Some(values)
}

#[cfg(test)]
mod tests {
    use super::{BURST, Corruption, Value, opened, sealed};

    fn values() -> Vec<Value> {
        vec![Value { link: 3, words: vec![7, 0] }, Value { link: 0, words: vec![u32::MAX] }]
    }

    #[test]
    fn what_is_sealed_is_what_is_opened() {
        for values in [values(), Vec::new()] {
            assert_eq!(opened(&sealed(&values)), Some(values.clone()));
            assert_eq!(Corruption::none().carry(&values), Some(values));
        }
    }

    /// Each single bit, each pair of bits, and each burst of which all bits change.
    #[test]
    fn changed_bits_are_seen() {
        let frame = sealed(&values());
        let bits = frame.len() * 8;
        let changed = |changed: &[usize]| {
            let mut frame = frame.clone();
            changed.iter().for_each(|bit| frame[bit / 8] ^= 1 << (bit % 8));
            opened(&frame)
        };
        for first in 0..bits {
            for second in first..bits {
                let both = if first == second { vec![first] } else { vec![first, second] };
                assert_eq!(changed(&both), None, "{both:?}");
            }
            for length in 1..=(BURST as usize).min(bits - first) {
                let burst: Vec<usize> = (first..first + length).collect();
                assert_eq!(changed(&burst), None, "{burst:?}");
            }
        }
    }

    #[test]
    fn whatever_is_spoilt_is_seen() {
        let mut corruption = Corruption::new(1000, 5);
        assert!(
            (0..10_000).all(|_| corruption.carry(&values()).is_none() && corruption.carry(&[]).is_none())
        );
    }
}
