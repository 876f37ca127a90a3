//! Tables of fixed length, which are read without a panic.

use core::fmt::Debug;
use core::hash::Hash;

use beryl_abi::{Moment, ThreadId};

/// A table of fixed length. Reading past its end answers a row of the table, so that no index can
/// make the kernel panic; identities come from tables that the builder checked, so it doesn't happen.
pub trait Table<Row>: Clone + Eq + Hash + Debug {
    /// Number of rows, at least one.
    const LENGTH: usize;
    /// A table with the same row everywhere.
    fn filled(row: Row) -> Self;
    /// The row at `index`.
    fn at(&self, index: usize) -> &Row;
    /// The row at `index`, to be changed.
    fn at_mut(&mut self, index: usize) -> &mut Row;
    /// All rows.
    fn rows(&self) -> &[Row];
    /// All rows, to be changed.
    fn rows_mut(&mut self) -> &mut [Row];
}

impl<Row: Copy + Eq + Hash + Debug, const N: usize> Table<Row> for [Row; N] {
    const LENGTH: usize = N;

    #[inline(always)]
    fn filled(row: Row) -> Self {
        [row; N]
    }

    #[inline(always)]
    fn at(&self, index: usize) -> &Row {
        &self[inside::<N>(index)]
    }

    #[inline(always)]
    fn at_mut(&mut self, index: usize) -> &mut Row {
        &mut self[inside::<N>(index)]
    }

    #[inline(always)]
    fn rows(&self) -> &[Row] {
        self
    }

    #[inline(always)]
    fn rows_mut(&mut self) -> &mut [Row] {
        self
    }
}

/// What memory holds before a system starts. All of it are values whose bytes are zero, so that memory which begins with them takes
/// nothing of a flash; what they mean doesn't matter, since the start gives everything its first value.
pub trait Blank {
    /// What it holds before.
    const BLANK: Self;
}

impl<Row: Blank, const N: usize> Blank for [Row; N] {
    const BLANK: Self = [Row::BLANK; N];
}

impl Blank for ThreadId {
    const BLANK: ThreadId = ThreadId(0);
}

impl Blank for u8 {
    const BLANK: u8 = 0;
}

impl Blank for Moment {
    const BLANK: Moment = Moment::from_ticks(0);
}

/// An index that is certainly inside a table of `N` rows. A mask where `N` is a power of two (one
/// instruction), a comparison otherwise (three).
#[inline(always)]
const fn inside<const N: usize>(index: usize) -> usize {
    const { assert!(N > 0, "a table has at least one row") };
    if N.is_power_of_two() {
        index & (N - 1)
    } else if index < N {
        index
    } else {
        0
    }
}

impl Blank for u32 {
    const BLANK: u32 = 0;
}
