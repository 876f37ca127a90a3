//! Regions of the protection unit.

use crate::board::Rights;
use crate::interval::Interval;

/// A region of the protection unit, as user mode sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// Its number.
    pub number: u8,
    /// What it covers; where it is empty, the region is switched off.
    pub interval: Interval,
    /// What user mode may do with data there.
    pub rights: Rights,
    /// Whether user mode may execute what is there.
    pub executable: bool,
    /// Whether it is memory or a device, whose accesses keep their order.
    pub device: bool,
}

impl Region {
    /// Whether it covers anything; otherwise the region is switched off.
    #[must_use]
    pub const fn enabled(&self) -> bool {
        !self.interval.is_empty()
    }
}
