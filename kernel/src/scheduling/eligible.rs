//! Which ranks count in the open window; all of them in a kernel without windows, where nothing is compiled that asks.

use crate::table::Absent;

/// The ranks that count.
pub trait Eligible {
    /// A bit for each; rank 0 is the highest bit.
    fn ranks(&self) -> u32;
    /// From now on these do.
    fn count_only(&mut self, ranks: u32);
}

impl Eligible for Absent {
    #[inline(always)]
    fn ranks(&self) -> u32 {
        u32::MAX
    }

    #[inline(always)]
    fn count_only(&mut self, _ranks: u32) {}
}

impl Eligible for [u32; 1] {
    #[inline(always)]
    fn ranks(&self) -> u32 {
        self[0]
    }

    #[inline(always)]
    fn count_only(&mut self, ranks: u32) {
        self[0] = ranks;
    }
}
