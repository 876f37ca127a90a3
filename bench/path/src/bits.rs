//! Words of which some bits are known.

/// A word of which some bits are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bits {
    /// Those that are known.
    known: u32,
    /// What they are; the others are zero.
    value: u32,
}

impl Bits {
    /// Nothing is known.
    pub const UNKNOWN: Bits = Bits { known: 0, value: 0 };

    /// All is known.
    pub fn number(value: u32) -> Bits {
        Bits { known: u32::MAX, value }
    }

    /// Bits of which these are known.
    pub fn of(known: u32, value: u32) -> Bits {
        Bits { known, value: value & known }
    }

    /// The number, if all is known.
    pub fn as_number(self) -> Option<u32> {
        (self.known == u32::MAX).then_some(self.value)
    }

    /// The least and the greatest number that it may be.
    pub fn range(self) -> (u32, u32) {
        (self.value, self.value | !self.known)
    }

    /// Whether it is zero, if that is known.
    pub fn is_zero(self) -> Option<bool> {
        match (self.value, self.as_number()) {
            (0, None) => None,
            (value, _) => Some(value == 0),
        }
    }

    /// Whether its highest bit is set, if that is known.
    pub fn is_negative(self) -> Option<bool> {
        (self.known >> 31 == 1).then_some(self.value >> 31 == 1)
    }

    /// Whether both are the same number, if that is known.
    pub fn equals(self, other: Bits) -> Option<bool> {
        match (self.as_number(), other.as_number()) {
            (Some(one), Some(other)) => Some(one == other),
            _ if (self.value ^ other.value) & self.known & other.known != 0 => Some(false),
            _ => None,
        }
    }

    /// What both agree about.
    pub fn common(self, other: Bits) -> Bits {
        Bits::of(self.known & other.known & !(self.value ^ other.value), self.value)
    }

    /// A byte: what is known of it, and what it is.
    pub fn byte(self, place: u32) -> (u8, u8) {
        let [known, value] = [self.known, self.value].map(|word| (word >> (8 * place)).to_le_bytes()[0]);
        (known, value)
    }

    /// Put together from bytes; the rest is zero.
    pub fn from_bytes(bytes: impl Iterator<Item = (u8, u8)>) -> Bits {
        let mut bits = Bits::number(0);
        for ((known, value), shift) in bytes.zip([0, 8, 16, 24]) {
            bits.known &= !(u32::from(!known) << shift);
            bits.value |= u32::from(value & known) << shift;
        }
        bits
    }

    pub fn inverted(self) -> Bits {
        Bits::of(self.known, !self.value)
    }

    pub fn and(self, other: Bits) -> Bits {
        let zeros = self.known & !self.value | other.known & !other.value;
        Bits::of(self.known & other.known | zeros, self.value & other.value)
    }

    pub fn or(self, other: Bits) -> Bits {
        self.inverted().and(other.inverted()).inverted()
    }

    pub fn xor(self, other: Bits) -> Bits {
        Bits::of(self.known & other.known, self.value ^ other.value)
    }

    pub fn shifted_left(self, by: u32) -> Bits {
        let filled = !u32::MAX.checked_shl(by).unwrap_or(0);
        let shift = |word: u32| word.checked_shl(by).unwrap_or(0);
        Bits::of(shift(self.known) | filled, shift(self.value))
    }

    pub fn shifted_right(self, by: u32) -> Bits {
        let filled = !u32::MAX.checked_shr(by).unwrap_or(0);
        let shift = |word: u32| word.checked_shr(by).unwrap_or(0);
        Bits::of(shift(self.known) | filled, shift(self.value))
    }

    /// The lowest bits, as many as are known of both in a row.
    fn lowest(self, other: Bits, value: u32) -> Bits {
        let count = (self.known & other.known).trailing_ones();
        Bits::of(!u32::MAX.checked_shl(count).unwrap_or(0), value)
    }

    pub fn plus(self, other: Bits) -> Bits {
        self.lowest(other, self.value.wrapping_add(other.value))
    }

    pub fn minus(self, other: Bits) -> Bits {
        self.lowest(other, self.value.wrapping_sub(other.value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words of three bits, of which each is 0, 1 or unknown.
    fn words() -> impl Iterator<Item = Bits> {
        (0..8).flat_map(|known| (0..8).map(move |value| Bits::of(known | !7, value)))
    }

    fn may_be(bits: Bits, number: u32) -> bool {
        (number ^ bits.value) & bits.known == 0
    }

    fn numbers(bits: Bits) -> impl Iterator<Item = u32> {
        (0..8).filter(move |number| may_be(bits, *number))
    }

    #[test]
    fn what_is_known_of_results_holds_for_all_numbers() {
        for one in words() {
            for other in words() {
                for (a, b) in numbers(one).flat_map(|a| numbers(other).map(move |b| (a, b))) {
                    assert!(may_be(one.and(other), a & b), "{one:?} & {other:?}");
                    assert!(may_be(one.or(other), a | b), "{one:?} | {other:?}");
                    assert!(may_be(one.xor(other), a ^ b), "{one:?} ^ {other:?}");
                    assert!(may_be(one.plus(other), a + b), "{one:?} + {other:?}");
                    assert!(may_be(one.minus(other), a.wrapping_sub(b)), "{one:?} - {other:?}");
                    assert!(may_be(one.common(other), a) && may_be(one.common(other), b));
                    assert!(one.equals(other).is_none_or(|equals| equals == (a == b)));
                    assert!((one.range().0..=one.range().1).contains(&a));
                    assert!(may_be(one.inverted(), !a) && may_be(one.shifted_left(2), a << 2));
                    assert!(may_be(one.shifted_right(1), a >> 1));
                    assert!(one.is_zero().is_none_or(|zero| zero == (a == 0)));
                }
            }
        }
    }

    #[test]
    fn numbers_and_bytes_are_known_exactly() {
        let number = Bits::number;
        assert_eq!(number(6).plus(number(u32::MAX)), number(5));
        assert_eq!(number(6).minus(number(7)), number(u32::MAX));
        assert_eq!(number(6).and(Bits::UNKNOWN).range(), (0, 6));
        assert_eq!(number(3).or(Bits::UNKNOWN.shifted_left(8)).byte(0), (0xff, 3));
        assert_eq!(Bits::from_bytes([(0xff, 7), (0, 0)].into_iter()), Bits::of(0xffff_00ff, 7));
        assert_eq!(number(0x8000_0000).is_negative(), Some(true));
    }
}
