//! Logical time: nanoseconds, which mean the same on every board, and their conversion to a board's ticks.

use std::fmt;
use std::num::NonZeroU32;

use beryl_abi::{Duration, Instant};
use serde::{Deserialize, Serialize};

/// How long a tick of kernel time lasts: `nanoseconds` nanoseconds are `ticks` ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Tick {
    nanoseconds: NonZeroU32,
    ticks: NonZeroU32,
}

/// A point in logical time: nanoseconds since the start of the system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LogicalInstant(u64);

/// A length of time in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Nanoseconds(u64);

impl Tick {
    /// One that lasts a nanosecond.
    pub const NANOSECOND: Tick = Tick { nanoseconds: NonZeroU32::MIN, ticks: NonZeroU32::MIN };

    /// The tick of a timer for which `ticks` ticks last `nanoseconds` nanoseconds; `None` if either is zero.
    #[must_use]
    pub const fn new(nanoseconds: u32, ticks: u32) -> Option<Tick> {
        match (NonZeroU32::new(nanoseconds), NonZeroU32::new(ticks)) {
            (Some(nanoseconds), Some(ticks)) => Some(Tick { nanoseconds, ticks }),
            _ => None,
        }
    }

    /// The logical instant of `instant`, rounded down to a nanosecond; saturates.
    #[must_use]
    pub fn logical(self, instant: Instant) -> LogicalInstant {
        LogicalInstant(scale(instant.ticks(), self.nanoseconds, self.ticks))
    }

    /// How long `duration` is, rounded down to a nanosecond; saturates.
    #[must_use]
    pub fn length(self, duration: Duration) -> Nanoseconds {
        Nanoseconds(scale(duration.ticks(), self.nanoseconds, self.ticks))
    }

    /// The last tick that is not after `logical`; saturates.
    #[must_use]
    pub fn instant(self, logical: LogicalInstant) -> Instant {
        Instant::from_ticks(scale(logical.0, self.ticks, self.nanoseconds))
    }
}

fn scale(number: u64, by: NonZeroU32, over: NonZeroU32) -> u64 {
    let scaled = u128::from(number) * u128::from(by.get()) / u128::from(over.get());
    u64::try_from(scaled).unwrap_or(u64::MAX)
}

impl LogicalInstant {
    /// The instant `nanoseconds` after the start.
    #[must_use]
    pub const fn from_nanoseconds(nanoseconds: u64) -> LogicalInstant {
        LogicalInstant(nanoseconds)
    }

    /// Nanoseconds since the start.
    #[must_use]
    pub const fn nanoseconds(self) -> u64 {
        self.0
    }

    /// So much later; saturates.
    #[must_use]
    pub const fn after(self, length: Nanoseconds) -> LogicalInstant {
        LogicalInstant(self.0.saturating_add(length.0))
    }

    /// The time that has passed since `earlier`; zero if `earlier` is in fact later.
    #[must_use]
    pub const fn since(self, earlier: LogicalInstant) -> Nanoseconds {
        Nanoseconds(self.0.saturating_sub(earlier.0))
    }
}

impl Nanoseconds {
    /// A length of `number` nanoseconds.
    #[must_use]
    pub const fn new(number: u64) -> Nanoseconds {
        Nanoseconds(number)
    }

    /// The number of nanoseconds.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.0
    }
}

/// In milliseconds, exactly: `12.5 ms`.
impl fmt::Display for LogicalInstant {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} ms", decimal(self.0, MILLISECOND))
    }
}

/// In the largest unit that leaves a whole part, exactly: `12.5 ms`, `3.2 us`, `40 ns`.
impl fmt::Display for Nanoseconds {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, name) = match self.0 {
            0 | MILLISECOND.. => (MILLISECOND, "ms"),
            MICROSECOND.. => (MICROSECOND, "us"),
            _ => (1, "ns"),
        };
        write!(formatter, "{} {name}", decimal(self.0, unit))
    }
}

/// Nanoseconds in a millisecond.
pub(crate) const MILLISECOND: u64 = 1_000_000;
const MICROSECOND: u64 = 1_000;

/// `number / unit` as an exact decimal without trailing zeros; `unit` is a power of ten.
pub(crate) fn decimal(number: u64, unit: u64) -> String {
    let digits = unit.to_string().len() - 1;
    match number % unit {
        0 => (number / unit).to_string(),
        rest => format!("{}.{}", number / unit, format!("{rest:0digits$}").trim_end_matches('0')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_printed_exactly() {
        let printed = |nanoseconds| LogicalInstant::from_nanoseconds(nanoseconds).to_string();
        let expected = ["0 ms", "0.00004 ms", "10 ms", "12.5 ms", "1000.000001 ms"];
        assert_eq!([0, 40, 10_000_000, 12_500_000, 1_000_000_001].map(printed), expected);
    }

    #[test]
    fn lengths_are_printed_in_a_fitting_unit() {
        let expected = ["0 ms", "40 ns", "3.2 us", "1 ms", "20.5 ms"];
        let lengths = [0, 40, 3_200, 1_000_000, 20_500_000].map(|number| Nanoseconds(number).to_string());
        assert_eq!(lengths, expected);
    }

    #[test]
    fn a_tick_may_be_a_fraction() {
        let tick = Tick::new(1000, 168).expect("not zero"); // 168 MHz
        assert_eq!(tick.logical(Instant::from_ticks(168_000)), LogicalInstant(1_000_000));
        assert_eq!(tick.instant(LogicalInstant(1_000_000)), Instant::from_ticks(168_000));
        assert_eq!(tick.length(Duration::FOREVER), Nanoseconds(u64::MAX));
        assert_eq!(Tick::new(0, 1), None);
        assert_eq!(Tick::new(40, 0), None);
    }
}
