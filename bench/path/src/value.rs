//! What is known of a word: some of its bits, or where it points.

use crate::bits::Bits;

/// What is known of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// Some of its bits.
    Bits(Bits),
    /// It points into the stack.
    Stack(i32),
    /// It points into the frame of who was interrupted.
    Frame(i32),
}

impl Value {
    pub const UNKNOWN: Value = Value::Bits(Bits::UNKNOWN);

    pub fn number(number: u32) -> Value {
        Value::Bits(Bits::number(number))
    }

    pub fn bits(self) -> Bits {
        match self {
            Value::Bits(bits) => bits,
            Value::Stack(_) | Value::Frame(_) => Bits::UNKNOWN,
        }
    }

    pub fn is_stack(self) -> bool {
        matches!(self, Value::Stack(_))
    }

    pub fn moved(self, by: i32) -> Value {
        match self {
            Value::Bits(bits) => Value::Bits(bits.plus(Bits::number(by.cast_unsigned()))),
            Value::Stack(place) => Value::Stack(place.wrapping_add(by)),
            Value::Frame(place) => Value::Frame(place.wrapping_add(by)),
        }
    }
}
