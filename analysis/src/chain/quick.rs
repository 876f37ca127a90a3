//! A quick hash for numbers that nobody chose to make it slow.

use std::hash::{BuildHasherDefault, Hasher};

/// For maps.
pub(super) type Quick = BuildHasherDefault<Mixed>;

/// Numbers, mixed in one after the other: each is rotated past the last and spread by an odd factor.
#[derive(Default)]
pub(super) struct Mixed(u64);

impl Hasher for Mixed {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u8(&mut self, number: u8) {
        self.write_u64(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        // The golden ratio's fraction, made odd.
        self.0 = (self.0.rotate_left(23) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(u64::try_from(number).unwrap_or(u64::MAX));
    }

    fn finish(&self) -> u64 {
        // The map takes its upper and its lower bits.
        self.0 ^ (self.0 >> 32)
    }
}
