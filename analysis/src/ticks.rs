//! Ticks: whole units of time, with arithmetic that refuses to overflow.

use std::fmt;

/// A length of time in whole ticks; a point in time is its length since instant 0. The caller knows how long
/// a tick is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticks(u64);

/// A sum or product of times doesn't fit into 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimesTooLarge;

impl Ticks {
    /// No time at all.
    pub const ZERO: Ticks = Ticks(0);

    /// That many ticks.
    pub const fn new(ticks: u64) -> Ticks {
        Ticks(ticks)
    }

    /// The number of ticks.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The sum.
    ///
    /// # Errors
    /// [`TimesTooLarge`] if it does not fit.
    pub fn plus(self, other: Ticks) -> Result<Ticks, TimesTooLarge> {
        self.0.checked_add(other.0).map(Ticks).ok_or(TimesTooLarge)
    }

    /// This time less `other`; zero if `other` is the longer.
    pub fn less(self, other: Ticks) -> Ticks {
        Ticks(self.0.saturating_sub(other.0))
    }

    /// The sum, or the longest time there is where it doesn't fit.
    pub(crate) const fn later(self, by: Ticks) -> Ticks {
        Ticks(self.0.saturating_add(by.0))
    }

    /// The product.
    ///
    /// # Errors
    /// [`TimesTooLarge`] if it does not fit.
    pub fn times(self, count: u64) -> Result<Ticks, TimesTooLarge> {
        self.0.checked_mul(count).map(Ticks).ok_or(TimesTooLarge)
    }

    /// How many whole `period`s fit into this; a period of zero counts as one tick.
    pub(crate) fn whole(self, period: Ticks) -> u64 {
        self.0 / period.0.max(1)
    }

    /// How many `period`s it takes to cover this; a period of zero counts as one tick.
    pub(crate) fn covered_by(self, period: Ticks) -> u64 {
        self.0.div_ceil(period.0.max(1))
    }

    /// The least common multiple.
    pub(crate) fn common_multiple(self, other: Ticks) -> Result<Ticks, TimesTooLarge> {
        let divisor = greatest_common_divisor(self.0.into(), other.0.into()).max(1);
        let product = u128::from(self.0) * u128::from(other.0);
        u64::try_from(product / divisor).map(Ticks).map_err(|_| TimesTooLarge)
    }
}

/// The sum of many times.
pub(crate) fn sum<E: From<TimesTooLarge>>(
    mut times: impl Iterator<Item = Result<Ticks, E>>,
) -> Result<Ticks, E> {
    times.try_fold(Ticks::ZERO, |total, time| Ok(total.plus(time?)?))
}

/// Euclid's algorithm.
pub(crate) fn greatest_common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl fmt::Display for Ticks {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl fmt::Display for TimesTooLarge {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("times too large: a sum or multiple of them exceeds 64 bits; use a coarser unit or shorter periods")
    }
}

impl std::error::Error for TimesTooLarge {}
