//! Rounds: a stretch of time that repeats, and the beats in it at which a program has something to do.
//!
//! A program knows its position in the round at an instant, in ticks: zero at its start and after `round`.
//! Each instant that `next` sets adds to it, up to the length, where the round begins again.

use beryl_abi::Duration;

use crate::condition::Condition;

/// How many beats a round has besides its own beginning. If beats are multiples of each other, the shortest
/// covers all instants, so few are enough.
pub const BEATS: usize = 4;

/// A round, in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    length: u32,
    beats: [u32; BEATS],
}

impl Round {
    /// The round of a condition, with durations from the program's pool; none if it is another condition, or
    /// a duration doesn't exist.
    #[inline(always)]
    pub fn of(condition: Condition, duration: impl Fn(u8) -> Option<Duration>) -> Option<Round> {
        let Condition::Round { length, beats: [first, second, third, fourth] } = condition else {
            return None;
        };
        let of = |number: u8| duration(number).map(ticks);
        // One by one: to fill an array, the compiler makes a loop of its own, which has no place to state a
        // bound.
        let beats = [of(first)?, of(second)?, of(third)?, of(fourth)?];
        Some(Round { length: of(length)?, beats })
    }

    /// Its next instant after a position.
    #[inline(always)]
    #[must_use]
    pub fn next(&self, position: u32) -> Next {
        let length = self.length.max(1);
        let position = position % length;
        let mut ahead = length - position;
        // bound: BEATS
        for beat in self.beats {
            ahead = ahead.min(beat.max(1) - position % beat.max(1));
        }
        Next { ahead, position: if ahead < length - position { position + ahead } else { 0 } }
    }

    /// The most instants that it has.
    #[must_use]
    pub fn most_instants(&self) -> u32 {
        let count = |beat: u32| self.length / beat.max(1);
        self.beats.into_iter().map(count).fold(1, u32::saturating_add)
    }
}

/// The next instant of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Next {
    /// In this many ticks, at least one.
    pub ahead: u32,
    /// The round's position then.
    pub position: u32,
}

/// Whether a beat comes at a position: a whole number of beats has passed.
#[inline(always)]
#[must_use]
pub fn is_beat(position: u32, beat: Duration) -> bool {
    position.is_multiple_of(ticks(beat).max(1))
}

/// Saturates where 32 bits can't count the ticks.
#[inline(always)]
fn ticks(duration: Duration) -> u32 {
    u32::try_from(duration.ticks()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    /// A round of a length with these beats.
    fn round(length: u32, beats: [u32; BEATS]) -> Round {
        Round { length, beats }
    }

    #[test]
    fn a_round_has_an_instant_at_each_beat_and_where_it_begins_and_no_other() {
        let cases = [
            (21, [3, 7, 21, 21]),
            (10, [1, 10, 10, 10]),
            (60, [4, 6, 10, 15]),
            (12, [12, 12, 12, 12]),
            (7, [3, 3, 3, 3]),
            (5, [9, 9, 9, 9]),
        ];
        for (length, beats) in cases {
            let round = round(length, beats);
            let expected: Vec<_> =
                (0..length).filter(|at| beats.iter().any(|beat| at.is_multiple_of(*beat))).collect();
            let (mut position, mut instants) = (0, Vec::new());
            loop {
                instants.push(position);
                let next = round.next(position);
                assert_eq!(next.position, (position + next.ahead) % length);
                position = next.position;
                if position == 0 {
                    break;
                }
            }
            assert_eq!(instants, expected, "{length} of {beats:?}");
            assert!(instants.len() <= round.most_instants() as usize);
        }
    }

    #[test]
    fn whatever_the_numbers_are_time_passes() {
        for length in [0, 1, 7, u32::MAX] {
            for beats in [[0; 4], [1, 0, u32::MAX, 3], [u32::MAX; 4]] {
                for position in [0, 1, 8, u32::MAX] {
                    assert!(round(length, beats).next(position).ahead > 0);
                }
            }
        }
    }
}
