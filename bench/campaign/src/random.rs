//! Pseudorandom numbers from a seed, the same on every machine.

/// Steele, Lea and Flood's SplitMix64.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from `least` to `most`.
    pub fn within(&mut self, least: u64, most: u64) -> u64 {
        match most.saturating_sub(least).checked_add(1) {
            Some(count) => least + self.next() % count,
            None => self.next(),
        }
    }

    /// An element of a list, which isn't empty.
    pub fn one_of<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        let count = u64::try_from(list.len()).unwrap_or(u64::MAX);
        &list[usize::try_from(self.next() % count.max(1)).unwrap_or_default()]
    }

    /// True with this probability, in per cent.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }
}
