//! Utilisation: a share of a processor, as a fraction in lowest terms.

use std::cmp::Ordering;
use std::fmt;

use crate::ticks::{Ticks, TimesTooLarge, greatest_common_divisor};

/// A share of one processor; prints as a percentage, rounded up to a hundredth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Utilisation {
    busy: u128,
    of: u128,
}

impl Utilisation {
    /// No load.
    pub const ZERO: Utilisation = Utilisation { busy: 0, of: 1 };
    /// The whole processor.
    pub const ONE: Utilisation = Utilisation { busy: 1, of: 1 };

    /// `busy` ticks in every `period`; a period of zero counts as one tick.
    pub fn new(busy: Ticks, period: Ticks) -> Utilisation {
        Utilisation { busy: busy.get().into(), of: period.get().max(1).into() }.reduced()
    }

    /// The sum; if its denominator exceeds 128 bits, rounded up by less than a part in 10^15.
    ///
    /// # Errors
    /// [`TimesTooLarge`] if even that doesn't fit.
    pub fn plus(self, other: Utilisation) -> Result<Utilisation, TimesTooLarge> {
        match self.unrounded_plus(other) {
            Some(sum) => Ok(sum),
            None => self.rounded_up()?.unrounded_plus(other.rounded_up()?).ok_or(TimesTooLarge),
        }
    }

    fn unrounded_plus(self, other: Utilisation) -> Option<Utilisation> {
        let divisor = greatest_common_divisor(self.of, other.of);
        let of = self.of.checked_mul(other.of / divisor)?;
        let mine = self.busy.checked_mul(other.of / divisor)?;
        let others = other.busy.checked_mul(self.of / divisor)?;
        Some(Utilisation { busy: mine.checked_add(others)?, of }.reduced())
    }

    /// The same in parts of 2^60, or a little more. A denominator is first cut to 64 bits, so that a share of
    /// up to eight processors can be scaled.
    fn rounded_up(self) -> Result<Utilisation, TimesTooLarge> {
        const PARTS: u128 = 1 << 60;
        let excess = 64u32.saturating_sub(self.of.leading_zeros());
        let busy = (self.busy >> excess) + u128::from(excess > 0);
        let scaled = busy.checked_mul(PARTS).ok_or(TimesTooLarge)?;
        Ok(Utilisation { busy: scaled.div_ceil(self.of >> excess), of: PARTS })
    }

    /// Whether this is more than the whole processor.
    pub fn exceeds_one(self) -> bool {
        self.busy > self.of
    }

    /// The part of these ticks that this share leaves, rounded down; zero if it is the whole processor or
    /// more.
    pub(crate) fn rest_of(self, ticks: Ticks) -> Result<Ticks, TimesTooLarge> {
        let scaled =
            u128::from(ticks.get()).checked_mul(self.of.saturating_sub(self.busy)).ok_or(TimesTooLarge)?;
        u64::try_from(scaled / self.of).map(Ticks::new).map_err(|_| TimesTooLarge)
    }

    /// The shortest time of which this share leaves that much.
    pub(crate) fn time_for_rest(self, rest: Ticks) -> Result<Ticks, TimesTooLarge> {
        let scaled = u128::from(rest.get()).checked_mul(self.of).ok_or(TimesTooLarge)?;
        let left = self.of.saturating_sub(self.busy);
        if left == 0 && scaled > 0 {
            return Err(TimesTooLarge);
        }
        u64::try_from(scaled.div_ceil(left.max(1))).map(Ticks::new).map_err(|_| TimesTooLarge)
    }

    /// The shortest time of which this share is whole ticks, if it fits.
    pub(crate) fn unit(self) -> Option<Ticks> {
        u64::try_from(self.of).ok().map(Ticks::new)
    }

    /// What this share leaves of the processor; nothing if it is all or more.
    pub(crate) fn rest(self) -> Utilisation {
        Utilisation { busy: self.of.saturating_sub(self.busy), of: self.of }.reduced()
    }

    /// Hundredths of a percent, rounded up; `u128::MAX` if out of range.
    pub fn per_ten_thousand(self) -> u128 {
        let whole = (self.busy / self.of).saturating_mul(10_000);
        let rest = self.busy % self.of;
        // If the remainder is too large to multiply, so is the denominator, and the lost digits don't show.
        let fraction = match rest.checked_mul(10_000) {
            Some(scaled) => scaled.div_ceil(self.of),
            None => rest.div_ceil(self.of / 10_000),
        };
        whole.saturating_add(fraction)
    }

    fn reduced(self) -> Utilisation {
        let divisor = greatest_common_divisor(self.busy, self.of);
        Utilisation { busy: self.busy / divisor, of: self.of / divisor }
    }
}

/// The sum of many shares.
pub(crate) fn sum(
    mut shares: impl Iterator<Item = Result<Utilisation, TimesTooLarge>>,
) -> Result<Utilisation, TimesTooLarge> {
    shares.try_fold(Utilisation::ZERO, |total, share| total.plus(share?))
}

/// The unit in which shares are counted when fractions would take too long: parts of the processor.
pub(crate) const PARTS: u128 = 1 << 40;

/// `cost` in every `period`, in [`PARTS`], rounded up.
pub(crate) fn parts(cost: Ticks, period: Ticks) -> u128 {
    (u128::from(cost.get()) * PARTS).div_ceil(period.get().max(1).into())
}

/// The same, rounded down.
pub(crate) fn parts_at_least(cost: Ticks, period: Ticks) -> u128 {
    u128::from(cost.get()) * PARTS / u128::from(period.get().max(1))
}

/// Whether all shares, each a cost and a period, exceed the whole processor: counted in parts first, and as
/// fractions if that leaves a doubt.
pub(crate) fn exceed_one(
    shares: impl Iterator<Item = (Ticks, Ticks)> + Clone,
) -> Result<bool, TimesTooLarge> {
    let (mut rounded_up, mut count) = (0_u128, 0_u128);
    for (cost, period) in shares.clone() {
        rounded_up = rounded_up.saturating_add(parts(cost, period));
        count += 1;
    }
    if rounded_up <= PARTS || rounded_up.saturating_sub(count) > PARTS {
        return Ok(rounded_up > PARTS);
    }
    Ok(sum(shares.map(|(cost, period)| Ok(Utilisation::new(cost, period))))?.exceeds_one())
}

impl PartialOrd for Utilisation {
    fn partial_cmp(&self, other: &Utilisation) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Utilisation {
    fn cmp(&self, other: &Utilisation) -> Ordering {
        compare(self.busy, self.of, other.busy, other.of)
    }
}

/// Compares a / b with c / d by their continued fractions, since the cross products may not fit.
fn compare(a: u128, b: u128, c: u128, d: u128) -> Ordering {
    (a / b).cmp(&(c / d)).then_with(|| match (a % b, c % d) {
        (0, 0) => Ordering::Equal,
        (0, _) => Ordering::Less,
        (_, 0) => Ordering::Greater,
        (rest, other) => compare(d, other, b, rest),
    })
}

impl fmt::Display for Utilisation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hundredths = self.per_ten_thousand();
        write!(out, "{}.{:02} %", hundredths / 100, hundredths % 100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_never_goes_down() {
        let slightly_over_half = Utilisation { busy: (1 << 126) + 1, of: 1 << 127 };
        assert!(slightly_over_half.rounded_up().unwrap() > slightly_over_half);
        let three_quarters = Utilisation { busy: 3, of: 4 };
        assert_eq!(three_quarters.rounded_up().unwrap().reduced(), three_quarters);
    }
}
