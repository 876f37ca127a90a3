//! Intervals of memory.

use crate::quantity::Bytes;
use beryl_abi::Range;
use std::fmt;

/// The addresses from `base` up to, and without, `limit`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Interval {
    /// The first address.
    pub base: u32,
    /// The address behind the last.
    pub limit: u32,
}

impl Interval {
    /// No memory.
    pub const EMPTY: Interval = Interval { base: 0, limit: 0 };

    /// The addresses from `base` up to, and without, `limit`; none at all where `limit` isn't above `base`.
    #[must_use]
    pub const fn new(base: u32, limit: u32) -> Interval {
        Interval { base, limit }
    }

    /// The addresses of a range; cut off at the end of the address space.
    #[must_use]
    pub const fn of(range: Range) -> Interval {
        Interval { base: range.address, limit: range.address.saturating_add(range.length) }
    }

    /// Whether there is no address in it.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.limit <= self.base
    }

    /// Its length.
    #[must_use]
    pub const fn length(self) -> Bytes {
        Bytes::new(self.limit.saturating_sub(self.base))
    }

    /// Whether an address is in both.
    #[must_use]
    pub fn overlaps(self, other: Interval) -> bool {
        self.base.max(other.base) < self.limit.min(other.limit)
    }

    /// Whether every address of `other` is in this one.
    #[must_use]
    pub const fn contains(self, other: Interval) -> bool {
        other.is_empty() || self.base <= other.base && other.limit <= self.limit
    }
}

impl From<Interval> for Range {
    fn from(interval: Interval) -> Range {
        Range::new(interval.base, interval.length().get())
    }
}

/// As `0x20000000..0x20000400`.
impl fmt::Display for Interval {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:#010x}..{:#010x}", self.base, self.limit)
    }
}
