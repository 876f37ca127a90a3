//! Conditions: the events that triggers and timeouts wait for, other than the plain delay of `future`; and
//! the rounds of `next`.
//!
//! A condition is eight bytes in the container: kind, relation or zero, object (2), value (4). Durations and
//! port values are compared as such: ticks, signed 32-bit numbers.

use beryl_abi::{Line, ThreadId};

use crate::round::BEATS;

/// A port that a trigger may look at, by its number in the container's list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PortId(pub u16);

/// How a port's value is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Relation {
    /// It is smaller.
    Less = 0,
    /// It is smaller or the same.
    AtMost = 1,
    /// It is the same.
    Equal = 2,
    /// It is another.
    Unequal = 3,
    /// It is greater or the same.
    AtLeast = 4,
    /// It is greater.
    Greater = 5,
}

impl Relation {
    /// All of them, in the order of their numbers, with the assembler's signs.
    pub const ALL: [(Relation, &'static str); 6] = [
        (Relation::Less, "<"),
        (Relation::AtMost, "<="),
        (Relation::Equal, "=="),
        (Relation::Unequal, "!="),
        (Relation::AtLeast, ">="),
        (Relation::Greater, ">"),
    ];

    /// Whether it holds between two values.
    #[must_use]
    pub const fn holds(self, left: i32, right: i32) -> bool {
        match self {
            Relation::Less => left < right,
            Relation::AtMost => left <= right,
            Relation::Equal => left == right,
            Relation::Unequal => left != right,
            Relation::AtLeast => left >= right,
            Relation::Greater => left > right,
        }
    }
}

/// The event that a trigger or a timeout waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// This much time has passed since the reference time; a duration by its number in the pool.
    Clock(u8),
    /// The task is released and not yet complete.
    Released(ThreadId),
    /// The task completed a job.
    Completed(ThreadId),
    /// The port's value differs from when the trigger was set.
    Changed(PortId),
    /// The port's value has this relation to a number.
    Compare(PortId, Relation, i32),
    /// The interrupt occurred.
    Interrupt(Line),
    /// The next beat of a round; durations by their numbers in the pool.
    Round {
        /// How long the round is.
        length: u8,
        /// Its beats; unused ones are as long as the round.
        beats: [u8; BEATS],
    },
}

impl Condition {
    /// Whether it is something that happens, other than time and releases: a completion, an interrupt, or a port's value.
    #[must_use]
    pub const fn is_event(self) -> bool {
        matches!(
            self,
            Condition::Completed(_)
                | Condition::Changed(_)
                | Condition::Compare(..)
                | Condition::Interrupt(_)
        )
    }

    /// Its eight bytes.
    #[must_use]
    pub const fn encode(self) -> [u8; 8] {
        let (kind, relation, object, value) = match self {
            Condition::Clock(duration) => (0, 0, duration as u16, 0),
            Condition::Released(task) => (1, 0, task.0 as u16, 0),
            Condition::Completed(task) => (2, 0, task.0 as u16, 0),
            Condition::Changed(port) => (3, 0, port.0, 0),
            Condition::Compare(port, relation, value) => (4, relation as u8, port.0, value),
            Condition::Interrupt(line) => (5, 0, line.0, 0),
            Condition::Round { length, beats } => (6, 0, length as u16, i32::from_le_bytes(beats)),
        };
        let ([low, high], [a, b, c, d]) = (object.to_le_bytes(), value.to_le_bytes());
        [kind, relation, low, high, a, b, c, d]
    }

    /// The condition in eight bytes; none if they mean none, or if unused bytes aren't zero.
    #[must_use]
    pub fn decode(bytes: [u8; 8]) -> Option<Condition> {
        let [kind, relation, low, high, a, b, c, d] = bytes;
        let object = u16::from_le_bytes([low, high]);
        let condition = match kind {
            0 => Condition::Clock(low),
            1 => Condition::Released(ThreadId(low)),
            2 => Condition::Completed(ThreadId(low)),
            3 => Condition::Changed(PortId(object)),
            4 => {
                let (relation, _) = Relation::ALL.get(usize::from(relation))?;
                Condition::Compare(PortId(object), *relation, i32::from_le_bytes([a, b, c, d]))
            }
            5 => Condition::Interrupt(Line(object)),
            6 => Condition::Round { length: low, beats: [a, b, c, d] },
            _ => return None,
        };
        (condition.encode() == bytes).then_some(condition)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_come_back_and_other_bytes_are_none() {
        let conditions = [
            Condition::Clock(7),
            Condition::Released(ThreadId(3)),
            Condition::Completed(ThreadId(255)),
            Condition::Changed(PortId(300)),
            Condition::Compare(PortId(1), Relation::AtLeast, -5),
            Condition::Interrupt(Line(40)),
            Condition::Round { length: 3, beats: [0, 255, 7, 3] },
        ];
        for condition in conditions {
            let bytes = condition.encode();
            assert_eq!(Condition::decode(bytes), Some(condition));
            let mut other = bytes;
            other[1] ^= 0x80;
            assert_eq!(Condition::decode(other), None, "{condition:?}");
        }
        assert_eq!(Condition::decode([7, 0, 0, 0, 0, 0, 0, 0]), None);
    }

    #[test]
    fn relations_are_numbered_in_the_order_of_their_list() {
        for (number, (relation, sign)) in Relation::ALL.into_iter().enumerate() {
            assert_eq!(relation as usize, number, "{sign}");
            let held = [(1, 2), (2, 2), (3, 2)].map(|(left, right)| relation.holds(left, right));
            let expected = match sign {
                "<" => [true, false, false],
                "<=" => [true, true, false],
                "==" => [false, true, false],
                "!=" => [true, false, true],
                ">=" => [false, true, true],
                _ => [false, false, true],
            };
            assert_eq!(held, expected, "{sign}");
        }
    }
}
