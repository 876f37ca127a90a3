//! The numbers within a value: each of them is a curve over time.

use std::fmt;

use super::ValueType;

/// A number within a value of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// What is written behind the value's name: nothing, or `.x`, `[2]`, `[1].x`.
    pub path: String,
    /// Its type, which is a basic one.
    pub kind: ValueType,
    offset: usize,
}

/// What a leaf's bytes are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// Whole numbers of all sizes; of a truth value its byte, which is 0 or 1.
    Whole(i64),
    /// A `float`.
    Single(f32),
    /// A `double`.
    Double(f64),
}

impl Number {
    /// The same as a `double`: of a whole number of more than 53 bits, the nearest there is.
    #[must_use]
    pub fn value(self) -> f64 {
        match self {
            Number::Whole(number) => number as f64,
            Number::Single(number) => number.into(),
            Number::Double(number) => number,
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Whole(number) => number.fmt(formatter),
            Number::Single(number) => number.fmt(formatter),
            Number::Double(number) => number.fmt(formatter),
        }
    }
}

impl ValueType {
    /// The numbers in a value, in their order; `None` if there are more than `most`.
    #[must_use]
    pub fn leaves(&self, most: usize) -> Option<Vec<Leaf>> {
        let mut leaves = Vec::new();
        self.gather("", 0, most, &mut leaves).map(|_| leaves)
    }

    /// Adds the numbers of a part that begins at `offset`, and returns where it ends.
    fn gather(&self, path: &str, offset: usize, most: usize, leaves: &mut Vec<Leaf>) -> Option<usize> {
        match self {
            ValueType::Array(element, count) => {
                let count = if element.is_empty() { 0 } else { *count };
                (0..count).try_fold(offset, |at, index| {
                    element.gather(&format!("{path}[{index}]"), at, most, leaves)
                })
            }
            ValueType::Record(fields) => fields.iter().try_fold(offset, |at, (name, kind)| {
                kind.gather(&format!("{path}.{name}"), at, most, leaves)
            }),
            basic => {
                leaves.push(Leaf { path: path.to_owned(), kind: basic.clone(), offset });
                (leaves.len() <= most).then_some(offset.checked_add(basic.size()?)?)
            }
        }
    }
}

impl Leaf {
    /// The number in the bytes of a value, of which there may be only the first; `None` if it is beyond them.
    #[must_use]
    pub fn of(&self, bytes: &[u8]) -> Option<Number> {
        let own = bytes.get(self.offset..)?;
        Some(match self.kind {
            ValueType::Byte => Number::Whole(i8::from_le_bytes(first(own)?).into()),
            ValueType::Boolean | ValueType::Char => Number::Whole(u8::from_le_bytes(first(own)?).into()),
            ValueType::Short => Number::Whole(i16::from_le_bytes(first(own)?).into()),
            ValueType::Int => Number::Whole(i32::from_le_bytes(first(own)?).into()),
            ValueType::Long => Number::Whole(i64::from_le_bytes(first(own)?)),
            ValueType::Float => Number::Single(f32::from_le_bytes(first(own)?)),
            ValueType::Double => Number::Double(f64::from_le_bytes(first(own)?)),
            ValueType::Array(..) | ValueType::Record(_) => return None,
        })
    }
}

fn first<const SIZE: usize>(bytes: &[u8]) -> Option<[u8; SIZE]> {
    bytes.first_chunk().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(text: &str) -> ValueType {
        ValueType::try_from(text.to_owned()).expect("a type")
    }

    #[test]
    fn each_number_of_a_value_has_a_path_and_is_found() {
        let nested = kind("{ short a; { float x; boolean b; }[2] legs; long far; }");
        let mut bytes = vec![0xFE, 0xFF];
        for (x, b) in [(1.5_f32, 0), (-2.0, 7)] {
            bytes.extend(x.to_le_bytes());
            bytes.push(b);
        }
        bytes.extend((-5_000_000_000_i64).to_le_bytes());
        let leaves = nested.leaves(6).expect("six");
        let told: Vec<_> =
            leaves.iter().map(|leaf| (leaf.path.as_str(), leaf.of(&bytes).map(Number::value))).collect();
        assert_eq!(
            told,
            [
                (".a", Some(-2.0)),
                (".legs[0].x", Some(1.5)),
                (".legs[0].b", Some(0.0)),
                (".legs[1].x", Some(-2.0)),
                (".legs[1].b", Some(7.0)),
                (".far", Some(-5e9)),
            ]
        );
        // A board sends only the first bytes.
        assert_eq!(leaves[3].of(&bytes[..10]), None);
        assert_eq!(leaves[2].of(&bytes[..10]), Some(Number::Whole(0)));
    }

    #[test]
    fn types_of_too_many_numbers_have_none_and_empty_ones_are_no_work() {
        assert_eq!(kind("float[17]").leaves(16), None);
        assert_eq!(kind("float[4000000000]").leaves(16), None);
        assert_eq!(kind("{ }[4000000000]").leaves(16), Some(Vec::new()));
        assert_eq!(kind("double").leaves(16).map(|leaves| leaves.len()), Some(1));
    }
}
