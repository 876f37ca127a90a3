//! Conditions: guards that are written in the timing program itself.

use super::{Scalar, Type};
use crate::place::Place;

/// A condition over a guard's arguments, by their numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// A native guard.
    Native {
        /// The native function.
        function: String,
        /// What it is given.
        arguments: Vec<usize>,
        /// The function's name in the text.
        place: Place,
    },
    /// A boolean.
    Value(usize),
    /// A comparison of single values of one type.
    Compared {
        /// On the left.
        left: Side,
        /// How.
        comparison: Comparison,
        /// On the right.
        right: Side,
        /// The type of both.
        kind: Type,
    },
    /// True if it is false.
    Not(Box<Condition>),
    /// True if all are, asked from the left up to the first that is false.
    All(Vec<Condition>),
    /// True if any is, asked from the left up to the first that is true.
    Any(Vec<Condition>),
}

/// A side of a comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Side {
    /// An argument.
    Argument(usize),
    /// A value that is known.
    Constant(Scalar),
}

/// A comparison of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `<`
    Below,
    /// `<=`
    AtMost,
    /// `>`
    Above,
    /// `>=`
    AtLeast,
    /// `==`
    Same,
    /// `!=`
    Other,
}

impl Comparison {
    /// Its word, which is the same in Rust and in C.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Comparison::Below => "<",
            Comparison::AtMost => "<=",
            Comparison::Above => ">",
            Comparison::AtLeast => ">=",
            Comparison::Same => "==",
            Comparison::Other => "!=",
        }
    }

    /// Whether it asks which of the two is more.
    #[must_use]
    pub fn is_order(self) -> bool {
        !matches!(self, Comparison::Same | Comparison::Other)
    }
}

impl Condition {
    /// Its comparisons, booleans and native guards, in the order of the text. The recursion is as deep as the
    /// parentheses of the text, which the parser bounds.
    #[must_use]
    pub fn leaves(&self) -> Vec<&Condition> {
        match self {
            Condition::Native { .. } | Condition::Value(_) | Condition::Compared { .. } => vec![self],
            Condition::Not(inner) => inner.leaves(),
            Condition::All(parts) | Condition::Any(parts) => {
                parts.iter().flat_map(Condition::leaves).collect()
            }
        }
    }
}
