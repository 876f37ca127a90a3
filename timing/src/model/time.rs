//! Durations of the timing language.

use std::fmt;

/// A duration in whole microseconds, the finest unit of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Microseconds(pub u64);

impl Microseconds {
    /// A day. In nanoseconds it takes 47 bits, so that 64-bit kernel time holds 2^17 of the longest periods.
    pub const LONGEST_PERIOD: Microseconds = Microseconds(24 * 60 * 60 * 1_000_000);
}

/// As written in the language, in the largest unit that keeps it whole: `20ms`.
impl fmt::Display for Microseconds {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            count if count > 0 && count % 1_000_000 == 0 => write!(out, "{}s", count / 1_000_000),
            count if count > 0 && count % 1_000 == 0 => write!(out, "{}ms", count / 1_000),
            count => write!(out, "{count}us"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn largest_whole_unit() {
        let shown =
            [0, 1, 999, 1_000, 1_001, 20_000, 1_000_000, 1_001_000].map(|us| Microseconds(us).to_string());
        assert_eq!(shown, ["0us", "1us", "999us", "1ms", "1001us", "20ms", "1s", "1001ms"]);
    }
}
