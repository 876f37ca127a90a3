//! Sequences by shifts, which older tests draw from; their limits were chosen for what these give.

use crate::Draw;

/// What spreads small seeds over a word: 2^64 by the golden ratio.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// Marsaglia's xorshift64 ("Xorshift RNGs", 2003) with the shifts 13, 7 and 17.
#[derive(Clone, Debug)]
pub struct XorShift(u64);

impl XorShift {
    /// The sequence of a seed, which isn't zero.
    pub fn new(seed: u64) -> XorShift {
        XorShift(seed.wrapping_mul(SPREAD))
    }

    /// The sequence behind a state, which isn't zero.
    pub const fn behind(state: u64) -> XorShift {
        XorShift(state)
    }
}

impl Draw for XorShift {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// Vigna's xorshift64* ("An experimental exploration of Marsaglia's xorshift generators, scrambled", 2016),
/// of which the upper 48 bits are taken.
#[derive(Clone, Debug)]
pub struct XorShiftStar(u64);

impl XorShiftStar {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> XorShiftStar {
        XorShiftStar(seed.wrapping_mul(SPREAD) | 1)
    }

    /// The sequence of a seed where seeds begin with zero: that of the next one.
    pub fn from_zero(seed: u64) -> XorShiftStar {
        XorShiftStar::new(seed.wrapping_add(1))
    }

    fn word(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }
}

impl Draw for XorShiftStar {
    fn next(&mut self) -> u64 {
        self.word() >> 16
    }
}

/// The same sequence, of which the upper 31 bits are taken: numbers of 32 bits.
#[derive(Clone, Debug)]
pub struct High(XorShiftStar);

impl High {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> High {
        High(XorShiftStar::new(seed))
    }

    /// A number below the bound, which isn't zero.
    pub fn below(&mut self, bound: u32) -> u32 {
        (self.0.word() >> 33) as u32 % bound
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same by its definition, in words wide enough that nothing is lost before it is cut.
    fn by_definition(state: u64, [left, right, again]: [i32; 3]) -> u64 {
        let shifted = |word: u64, by: i32| match by {
            0.. => (u128::from(word) << by) as u64,
            _ => word >> -by,
        };
        [left, right, again].into_iter().fold(state, |word, by| word ^ shifted(word, by))
    }

    #[test]
    fn each_number_follows_from_the_state_before() {
        let (mut plain, mut star) = (XorShift::new(3), XorShiftStar::new(3));
        for _ in 0..100 {
            let expected = by_definition(plain.0, [13, -7, 17]);
            assert_eq!(plain.next(), expected);
            let expected = by_definition(star.0, [-12, 25, -27]);
            let product = u128::from(expected) * 0x2545_F491_4F6C_DD1D;
            assert_eq!(star.next(), (product as u64) >> 16);
        }
    }

    #[test]
    fn the_upper_bits_are_those_of_the_same_sequence() {
        let (mut star, mut high) = (XorShiftStar::new(9), High::new(9));
        for bound in 1..500 {
            assert_eq!(u64::from(high.below(bound)), (star.next() >> 17) % u64::from(bound));
        }
    }
}
