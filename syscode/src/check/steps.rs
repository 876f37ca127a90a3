//! The number of steps that a check may take, known before its first: for tools and tests.
//!
//! | part | steps |
//! |---|---|
//! | reading | one for each sixteen bytes, each name, and each number in the longest list of numbers; two more |
//! | structure | three an instruction, and four |
//! | weight | two an instruction, and two; one more for each further driver of a run |
//! | the certificate | [`demand::most_steps`](super::demand::most_steps) |
//!
//! An accepted program takes exactly this many for the first three, a refused one no more. So all of them are
//! linear in the length of the container.

use crate::container::{CHUNK, Container};
use crate::instruction::Instruction;

/// The steps of [reading](crate::container::Reading) a container.
#[must_use]
pub fn reading(container: &Container<'_>) -> u64 {
    let numbers =
        [container.durations().count(), container.handlers().count(), container.conditions().count()];
    let longest = numbers.into_iter().max().unwrap_or(0);
    wide(container.content().len().div_ceil(CHUNK)) + wide(container.name_count()) + wide(longest) + 2
}

/// The steps of the check of [structure](super::structure).
#[must_use]
pub fn structure(container: &Container<'_>) -> u64 {
    3 * wide(container.length()) + 4
}

/// The steps of the check of [weight](super::weight).
#[must_use]
pub fn weight(container: &Container<'_>) -> u64 {
    let further = |word| match Instruction::decode(word) {
        Some(Instruction::Calls { count, .. }) => u64::from(count.saturating_sub(1)),
        _ => 0,
    };
    2 * wide(container.length()) + 2 + container.code().map(further).sum::<u64>()
}

/// The most steps of all three for any container of this many bytes.
///
/// Reading takes two steps for each byte, and two more: a name may be no longer than a byte, a number takes
/// eight. An instruction takes four bytes, three steps of structure, and up to 256 of weight if it calls that
/// many drivers.
#[must_use]
pub fn most_of(bytes: usize) -> u64 {
    let instructions = wide(bytes / 4);
    2 * wide(bytes) + 2 + 3 * instructions + 4 + 256 * instructions + 2
}

fn wide(length: usize) -> u64 {
    length as u64
}
