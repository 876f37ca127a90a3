//! Sensitivity: how far execution times, or the processor's speed, may change before deadlines are missed.
//!
//! A binary search over a test: over any test for lists of tasks, over the proof for a
//! [`System`](crate::System). The test must never turn from no to yes when an execution time grows, which
//! holds for all tests of this crate. The result is then the last yes of that test, with the test's class.

use std::fmt;

use crate::failure::Failure;
use crate::sporadic::Sporadic;
use crate::ticks::{Ticks, TimesTooLarge};

mod modes;
mod system;

#[cfg(test)]
pub(crate) use modes::slower_modal;
pub use modes::{bears_in_modes, speed_in_modes};
pub(crate) use system::slower;
pub use system::{Speed, bears, bears_at_any_offsets, longest, speed};

/// A factor, in ten-thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Factor(u64);

impl Factor {
    /// Changes nothing.
    pub const ONE: Factor = Factor(10_000);

    /// The largest factor to try.
    pub const MOST: Factor = Factor(100 * 10_000);

    /// A factor of this many ten-thousandths.
    pub const fn ten_thousandths(count: u64) -> Factor {
        Factor(count)
    }

    /// The next larger factor, unless this is the largest.
    #[must_use]
    pub const fn next(self) -> Option<Factor> {
        if self.0 < Factor::MOST.0 { Some(Factor(self.0 + 1)) } else { None }
    }

    /// In ten-thousandths.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The time multiplied by this factor, rounded up.
    ///
    /// # Errors
    /// [`TimesTooLarge`] if it doesn't fit.
    pub fn of(self, time: Ticks) -> Result<Ticks, TimesTooLarge> {
        let scaled = (u128::from(time.get()) * u128::from(self.0)).div_ceil(u128::from(Factor::ONE.0));
        u64::try_from(scaled).map(Ticks::new).map_err(|_| TimesTooLarge)
    }
}

impl fmt::Display for Factor {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{:04}", self.0 / Factor::ONE.0, self.0 % Factor::ONE.0)
    }
}

/// The largest number from `least` to `most` for which `holds`, if it holds up to some number and not beyond.
/// Cost: one question for each bit of `most - least`, and one more.
///
/// # Errors
/// Those of `holds`.
pub fn largest<E>(
    least: u64,
    most: u64,
    mut holds: impl FnMut(u64) -> Result<bool, E>,
) -> Result<Option<u64>, E> {
    if least > most || !holds(least)? {
        return Ok(None);
    }
    let (mut known, mut unknown) = (least, most);
    while known < unknown {
        let middle = known + (unknown - known).div_ceil(2);
        if holds(middle)? {
            known = middle;
        } else {
            unknown = middle - 1;
        }
    }
    Ok(Some(known))
}

/// The largest factor, up to a hundred, by which all execution times can be multiplied; `None` if there is
/// none. A processor slower by this factor is still fast enough. Cost: twenty tests.
///
/// # Errors
/// Those of the test.
pub fn slowdown(
    tasks: &[Sporadic],
    mut holds: impl FnMut(&[Sporadic]) -> Result<bool, Failure>,
) -> Result<Option<Factor>, Failure> {
    largest_factor(|factor| {
        let slower = tasks.iter().map(|task| Ok(Sporadic { worst: factor.of(task.worst)?, ..*task }));
        holds(&slower.collect::<Result<Vec<_>, Failure>>()?)
    })
}

/// For each task, how long its jobs may be if nothing else changes, at most its deadline; `None` if even one
/// tick is too long. Cost: for each task one test for each bit of its deadline.
///
/// # Errors
/// Those of the test.
pub fn longest_jobs(
    tasks: &[Sporadic],
    mut holds: impl FnMut(&[Sporadic]) -> Result<bool, Failure>,
) -> Result<Vec<Option<Ticks>>, Failure> {
    let mut changed = tasks.to_vec();
    let mut longest = Vec::new();
    for (index, task) in tasks.iter().enumerate() {
        let most = largest(1, task.deadline.get(), |worst| {
            changed[index].worst = Ticks::new(worst);
            holds(&changed)
        })?;
        longest.push(most.map(Ticks::new));
        changed[index] = *task;
    }
    Ok(longest)
}

/// [`largest`] over factors up to a hundred.
pub(crate) fn largest_factor(
    mut holds: impl FnMut(Factor) -> Result<bool, Failure>,
) -> Result<Option<Factor>, Failure> {
    Ok(largest(1, Factor::MOST.0, |count| holds(Factor(count)))?.map(Factor))
}
