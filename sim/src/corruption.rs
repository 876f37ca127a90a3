//! Which frames of a bus arrive corrupt, and how a receiver sees that: the same frames with the same seed, whoever carries them.
//!
//! On the bus a frame is bytes: its values, and a checksum of all these (CRC-32, as Ethernet has it). What arrives is read
//! from those bytes again. A corrupt frame has a burst of changed bits somewhere, as
//! one disturbance makes it; a burst that is no longer than the checksum is always seen. Of longer damage, one in 2^32
//! wouldn't be.
//!
//! Whether a frame is hit is drawn without a look at it, so nodes that know nothing of what others send draw the same.

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

/// Draws for one frame after the other that isn't lost, of all nodes, in the order of the schedule.
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

    /// What hits the next frame, if something does.
    pub(crate) fn hits_next(&mut self) -> Option<Burst> {
        let is_hit = self.dice.up_to(999) < u64::from(self.of_thousand);
        is_hit.then(|| Burst { dice: SplitMix64(self.dice.up_to(u64::MAX)) })
    }
}

/// A disturbance, wherever it hits a frame.
#[derive(Clone, Debug)]
pub(crate) struct Burst {
    dice: SplitMix64,
}

impl Burst {
    /// Changes a burst of bits somewhere: its first and its last, and some in between.
    pub(crate) fn spoil(mut self, frame: &mut [u8]) {
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

/// A frame with this content, as its sender sends it, or as something has hit it on its way.
pub(crate) fn sealed(content: &[u8], hit: Option<Burst>) -> Vec<u8> {
    let mut frame = [content, &crc32fast::hash(content).to_le_bytes()].concat();
    hit.into_iter().for_each(|burst| burst.spoil(&mut frame));
    frame
}

/// The content of a frame; nothing if it isn't as it was sent.
pub(crate) fn opened(frame: &[u8]) -> Option<&[u8]> {
    let (content, checksum) = frame.split_last_chunk::<WORD>()?;
    (crc32fast::hash(content) == u32::from_le_bytes(*checksum)).then_some(content)
}

/// Carries values from one node to the others; nothing arrives if their frame is hit.
pub(crate) fn carry(values: &[Value], hit: Option<Burst>) -> Option<Vec<Value>> {
    opened(&sealed(&written(values), hit)).map(read)
}

/// Values as bytes: each behind the number of its link and its length.
fn written(values: &[Value]) -> Vec<u8> {
    let words = values.iter().flat_map(|Value { link, words }| {
        [*link as u32, words.len() as u32].into_iter().chain(words.iter().copied())
    });
    words.flat_map(u32::to_le_bytes).collect()
}

/// The values that were [written].
fn read(content: &[u8]) -> Vec<Value> {
    let (words, _) = content.as_chunks::<WORD>();
    let mut words = words.iter().map(|word| u32::from_le_bytes(*word));
    let mut values = Vec::new();
    while let (Some(link), Some(length)) = (words.next(), words.next()) {
        let own = words.by_ref().take(length as usize).collect();
        values.push(Value { link: link as usize, words: own });
    }
    values
}

#[cfg(test)]
mod tests {
    use super::{BURST, Corruption, Value, carry, opened, sealed, written};

    fn values() -> Vec<Value> {
        vec![Value { link: 3, words: vec![7, 0] }, Value { link: 0, words: vec![u32::MAX] }]
    }

    #[test]
    fn what_is_sealed_is_what_is_opened() {
        for values in [values(), Vec::new()] {
            assert_eq!(opened(&sealed(&written(&values), None)), Some(&written(&values)[..]));
            assert_eq!(carry(&values, Corruption::none().hits_next()), Some(values));
        }
    }

    /// Each single bit, each pair of bits, and each burst of which all bits change.
    #[test]
    fn changed_bits_are_seen() {
        let frame = sealed(&written(&values()), None);
        let bits = frame.len() * 8;
        let is_seen = |changed: &[usize]| {
            let mut frame = frame.clone();
            changed.iter().for_each(|bit| frame[bit / 8] ^= 1 << (bit % 8));
            opened(&frame).is_none()
        };
        for first in 0..bits {
            for second in first..bits {
                let both = if first == second { vec![first] } else { vec![first, second] };
                assert!(is_seen(&both), "{both:?}");
            }
            for length in 1..=(BURST as usize).min(bits - first) {
                let burst: Vec<usize> = (first..first + length).collect();
                assert!(is_seen(&burst), "{burst:?}");
            }
        }
    }

    #[test]
    fn whatever_is_hit_is_seen() {
        let mut corruption = Corruption::new(1000, 5);
        let mut drops = |values: &[Value]| {
            let hit = corruption.hits_next();
            hit.is_some() && carry(values, hit).is_none()
        };
        assert!((0..10_000).all(|_| drops(&values()) && drops(&[])));
    }

    /// Who has sent a frame spoils it, and the others only count it; all draw the same afterwards.
    #[test]
    fn which_frames_are_hit_does_not_depend_on_what_is_in_them() {
        let hits = |spoils: bool| {
            let mut corruption = Corruption::new(300, 9);
            let hits = (0..1000_usize).map(|number| {
                let hit = corruption.hits_next();
                let is_hit = hit.is_some();
                if spoils {
                    assert_eq!(opened(&sealed(&vec![7; number % 30], hit)).is_none(), is_hit);
                }
                is_hit
            });
            hits.collect::<Vec<_>>()
        };
        assert_eq!(hits(true), hits(false));
        let count = hits(true).into_iter().filter(|is_hit| *is_hit).count();
        assert!((250..350).contains(&count), "{count}");
    }
}
