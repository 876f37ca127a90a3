//! What the flags of the processor were set by, and what that says of conditions.

use beryl_code::effect::{EQUAL, GREATER_OR_EQUAL, HIGHER_OR_SAME};

use crate::bits::Bits;

/// What the flags were set by, and what a branch has found out since.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Flags {
    by: By,
    /// An even condition that holds, or doesn't.
    found: Option<(u8, bool)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum By {
    Unknown,
    /// A difference; the first may still be in a register.
    Difference([Bits; 2], Option<u8>),
    /// A result that is zero or negative; carry and overflow aren't known. It may still be in a register.
    Result(Bits, Option<u8>),
}

// Conditions are pairs: an odd one is the opposite of the one before.
const NEGATIVE: u8 = 4;
const HIGHER: u8 = 8;
const GREATER: u8 = 12;

impl Flags {
    pub const UNKNOWN: Flags = Flags { by: By::Unknown, found: None };

    /// Set by a comparison.
    pub fn compared(operands: [Bits; 2], register: Option<u8>) -> Flags {
        Flags { by: By::Difference(operands, register), found: None }
    }

    /// Set by a result.
    pub fn result(bits: Bits, register: Option<u8>) -> Flags {
        Flags { by: By::Result(bits, register), found: None }
    }

    /// A register gets another value.
    pub fn forget_register(&mut self, written: u8) {
        match &mut self.by {
            By::Difference(_, register) | By::Result(_, register) if *register == Some(written) => {
                *register = None;
            }
            _ => {}
        }
    }

    /// Whether a condition holds, if that is known.
    pub fn decide(&self, condition: u8) -> Option<bool> {
        let is_opposite = condition & 1 == 1;
        let holds = match self.found {
            Some((found, holds)) if found == condition & !1 => Some(holds),
            Some((EQUAL, true)) => self.decide_equal(condition & !1),
            _ => self.decide_plain(condition & !1),
        };
        holds.map(|holds| holds != is_opposite)
    }

    /// What is known where both are equal, or the result is zero.
    fn decide_equal(&self, condition: u8) -> Option<bool> {
        match (self.by, condition) {
            (By::Difference(..), HIGHER_OR_SAME | GREATER_OR_EQUAL) => Some(true),
            (By::Difference(..), HIGHER | GREATER | NEGATIVE) => Some(false),
            (By::Result(..), NEGATIVE) => Some(false),
            _ => self.decide_plain(condition),
        }
    }

    fn decide_plain(&self, condition: u8) -> Option<bool> {
        match (self.by, condition) {
            (By::Difference([first, second], _), EQUAL) => first.equals(second),
            (By::Difference([first, second], _), HIGHER_OR_SAME) => {
                is_surely(first, second, |one, other| one >= other)
            }
            (By::Difference([first, second], _), HIGHER) => {
                is_surely(first, second, |one, other| one > other)
            }
            (By::Difference([first, second], _), GREATER_OR_EQUAL) if second == Bits::number(0) => {
                first.is_negative().map(|negative| !negative)
            }
            (By::Difference([first, second], _), NEGATIVE | GREATER_OR_EQUAL | GREATER) => {
                let (first, second) = (first.as_number()?.cast_signed(), second.as_number()?.cast_signed());
                Some(match condition {
                    NEGATIVE => first.wrapping_sub(second) < 0,
                    GREATER => first > second,
                    _ => first >= second,
                })
            }
            (By::Result(bits, _), EQUAL) => bits.is_zero(),
            (By::Result(bits, _), NEGATIVE) => bits.is_negative(),
            _ => None,
        }
    }

    /// Goes on where a condition holds or doesn't; a register that is known by that, with its number.
    pub fn assume(&mut self, condition: u8, holds: bool) -> Option<(u8, u32)> {
        let holds = holds != (condition & 1 == 1);
        self.found = Some((condition & !1, holds));
        match self.by {
            By::Difference([_, second], Some(register)) if condition & !1 == EQUAL && holds => {
                Some((register, second.as_number()?))
            }
            By::Result(_, Some(register)) if condition & !1 == EQUAL && holds => Some((register, 0)),
            _ => None,
        }
    }
}

/// Whether a relation that grows with the first and shrinks with the second holds for all numbers, or for none.
fn is_surely(first: Bits, second: Bits, holds: impl Fn(u32, u32) -> bool) -> Option<bool> {
    let ((least, most), (other_least, other_most)) = (first.range(), second.range());
    let (always, ever) = (holds(least, other_most), holds(most, other_least));
    (always == ever).then_some(always)
}
