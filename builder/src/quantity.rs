//! Quantities with units, as descriptions write them: memory in bytes, time in nanoseconds.
//!
//! A quantity is a decimal number with its unit, without a space: `"64k"`, `"1.5k"`, `"0.2ms"`. It is read exactly:
//! what isn't a whole number of bytes or nanoseconds is refused, never rounded.

use beryl_abi::Duration;
use std::fmt;

/// An amount of memory in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(u32);

/// A length of time in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nanoseconds(u64);

/// Why a text is no quantity of its kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misread {
    /// Neither digits at the start, nor one point between digits.
    #[error("it isn't a number with a unit")]
    Malformed,
    /// A minus sign.
    #[error("it is negative")]
    Negative,
    /// A number alone, where a unit must follow.
    #[error("its unit is missing")]
    NoUnit,
    /// A unit of another kind, or none at all.
    #[error("`{0}` is no unit of it")]
    UnknownUnit(String),
    /// A part of a byte or of a nanosecond.
    #[error("it isn't whole in the smallest unit")]
    NotWhole,
    /// More than the type holds.
    #[error("it is too large")]
    TooLarge,
}

/// The units of memory; a kilobyte has 1024 bytes.
const SIZES: &[(&str, u64)] = &[("", 1), ("k", 1 << 10), ("M", 1 << 20)];
const TIMES: &[(&str, u64)] = &[("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000)];

impl Bytes {
    /// Nothing.
    pub const ZERO: Bytes = Bytes(0);
    /// What to write, for proposals.
    pub const NOTATION: &str =
        "bytes, or with `k` (1024 bytes) or `M` behind the number, like \"512\" or \"1.5k\"";

    /// That many bytes.
    #[must_use]
    pub const fn new(bytes: u32) -> Bytes {
        Bytes(bytes)
    }

    /// The number of bytes.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }

    /// Reads a size.
    ///
    /// # Errors
    /// [`Misread`] if it isn't one, or above 4 GB.
    pub fn read(text: &str) -> Result<Bytes, Misread> {
        let bytes = number(text, SIZES)?;
        u32::try_from(bytes).map(Bytes).map_err(|_| Misread::TooLarge)
    }
}

impl Nanoseconds {
    /// No time at all.
    pub const ZERO: Nanoseconds = Nanoseconds(0);
    /// What to write, for proposals.
    pub const NOTATION: &str = "a number with `ns`, `us`, `ms` or `s` behind it, like \"50us\" or \"0.2ms\"";

    /// That many nanoseconds.
    #[must_use]
    pub const fn new(nanoseconds: u64) -> Nanoseconds {
        Nanoseconds(nanoseconds)
    }

    /// The number of nanoseconds.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }

    /// Reads a duration.
    ///
    /// # Errors
    /// [`Misread`] if it isn't one, or above 584 years.
    pub fn read(text: &str) -> Result<Nanoseconds, Misread> {
        number(text, TIMES).map(Nanoseconds)
    }

    /// In kernel time of `tick` a tick, rounded up: right for what is a bound from above.
    #[must_use]
    pub fn rounded_up(self, tick: Nanoseconds) -> Duration {
        Duration::from_ticks(self.0.div_ceil(tick.0.max(1)))
    }

    /// In kernel time of `tick` a tick, rounded down: right for what is a bound from below.
    #[must_use]
    pub fn rounded_down(self, tick: Nanoseconds) -> Duration {
        Duration::from_ticks(self.0 / tick.0.max(1))
    }
}

/// The number that `text` stands for, in the smallest unit.
fn number(text: &str, units: &[(&str, u64)]) -> Result<u64, Misread> {
    if text.starts_with('-') {
        return Err(Misread::Negative);
    }
    let end = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let (whole, fraction) = match number.split_once('.') {
        None => (number, "0"),
        Some(parts) => parts,
    };
    if whole.is_empty() || fraction.is_empty() || fraction.contains('.') {
        return Err(Misread::Malformed);
    }
    scaled(whole, fraction.trim_end_matches('0'), factor(unit, units)?)
}

fn factor(unit: &str, units: &[(&str, u64)]) -> Result<u64, Misread> {
    match units.iter().find(|(name, _)| *name == unit) {
        Some((_, factor)) => Ok(*factor),
        None if unit.is_empty() => Err(Misread::NoUnit),
        None => Err(Misread::UnknownUnit(unit.to_owned())),
    }
}

/// `whole.fraction` times `factor`, exactly.
fn scaled(whole: &str, fraction: &str, factor: u64) -> Result<u64, Misread> {
    let whole: u64 = whole.parse().map_err(|_| Misread::TooLarge)?;
    let part = match fraction {
        "" => 0,
        digits => part(digits, factor).ok_or(Misread::NotWhole)?,
    };
    whole.checked_mul(factor).and_then(|product| product.checked_add(part)).ok_or(Misread::TooLarge)
}

/// `0.digits` times `factor`, if that is whole. More digits than a `u64` has are never whole in any unit here: the
/// last digit isn't zero, and no factor has more than twenty twos.
fn part(digits: &str, factor: u64) -> Option<u64> {
    let power = 10_u128.checked_pow(u32::try_from(digits.len()).ok()?)?;
    let product = u128::from(digits.parse::<u64>().ok()?) * u128::from(factor);
    (product % power == 0).then(|| u64::try_from(product / power).ok())?
}

/// As a description writes it: `64k`, `1536`.
impl fmt::Display for Bytes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        in_largest(u64::from(self.0), SIZES, out)
    }
}

/// As a description writes it: `50us`.
impl fmt::Display for Nanoseconds {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        in_largest(self.0, TIMES, out)
    }
}

/// In the largest unit that keeps the number whole.
fn in_largest(number: u64, units: &[(&str, u64)], out: &mut fmt::Formatter<'_>) -> fmt::Result {
    let whole = |(_, factor): &&(&str, u64)| *factor == 1 || number > 0 && number.is_multiple_of(*factor);
    let (unit, factor) = units.iter().rev().find(whole).copied().unwrap_or(("", 1));
    out.pad(&format!("{}{unit}", number / factor))
}

#[cfg(test)]
#[path = "quantity/tests.rs"]
mod tests;
