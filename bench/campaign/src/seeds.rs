//! Seeds: from which on systems are of another kind. A seed identifies a system, so earlier ones stay the same.

/// From this seed on, systems have [more](crate::more) features.
pub const MORE: u64 = 1_000_000_000;

/// From this seed on, they have [further](crate::further) features.
pub const FURTHER: u64 = 2_000_000_000;

/// From this seed on, they have none of these, but threads with [budgets](crate::supplied) that come back.
pub const SUPPLIED: u64 = 3_000_000_000;

/// From this seed on, those come back by all rules.
pub const RULED: u64 = 4_000_000_000;

/// From this seed on, there is one that the threads of a process [share](crate::shared), and they have jobs.
pub const SHARED: u64 = 5_000_000_000;

/// From this seed on, bands have [windows](crate::windowed).
pub const WINDOWED: u64 = 6_000_000_000;

/// From this seed on, there are budgets besides: of threads, or of several together.
pub const NESTED: u64 = 7_000_000_000;

/// From this seed on, there are [chains](crate::chained) of tasks that events release, and no budgets.
pub const CHAINED: u64 = 9_000_000_000;

/// From this seed on, there are budgets of [constant bandwidth](crate::constant) instead, and no windows.
pub const CONSTANT: u64 = 8_000_000_000;
