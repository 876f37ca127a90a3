//! A fast hash for numbers that no attacker chooses.

use std::hash::{BuildHasherDefault, Hasher};

/// For use in maps.
pub(super) type Quick = BuildHasherDefault<Mixed>;

/// Mixes numbers in one after the other: each is combined with the rotated state and spread by an odd factor.
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
        // The fraction of the golden ratio, made odd.
        self.0 = (self.0.rotate_left(23) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(u64::try_from(number).unwrap_or(u64::MAX));
    }

    fn finish(&self) -> u64 {
        // The map uses the upper and the lower bits.
        self.0 ^ (self.0 >> 32)
    }
}
