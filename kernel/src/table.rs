//! Tables of fixed length that can be read without a panic.

use core::fmt::Debug;
use core::hash::Hash;

use beryl_abi::{Moment, ThreadId};

/// A table of fixed length. An index past the end reads some row of the table, so no index can make the
/// kernel panic. It doesn't happen: the indices come from tables that the builder checked.
pub trait Table<Row>: Clone + Eq + Hash + Debug {
    /// Number of rows, at least one.
    const LENGTH: usize;
    /// A table with the same row everywhere.
    fn filled(row: Row) -> Self;
    /// The row at `index`.
    fn at(&self, index: usize) -> &Row;
    /// The row at `index`, mutable.
    fn at_mut(&mut self, index: usize) -> &mut Row;
    /// All rows.
    fn rows(&self) -> &[Row];
    /// All rows, mutable.
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

/// A table that a kernel may lack: without it nothing of it is in memory, and nothing of it is compiled.
pub trait Optional<Row>: Clone + Eq + Hash + Debug {
    /// A table with the same row everywhere, if there is one.
    fn filled(row: Row) -> Self;
    /// The row at `index`, as in [`Table::at`], if there is a table.
    fn get(&self, index: usize) -> Option<&Row>;
    /// The row at `index`, mutable.
    fn get_mut(&mut self, index: usize) -> Option<&mut Row>;
}

/// The table that isn't there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Absent;

impl<Row> Optional<Row> for Absent {
    #[inline(always)]
    fn filled(_row: Row) -> Absent {
        Absent
    }

    #[inline(always)]
    fn get(&self, _index: usize) -> Option<&Row> {
        None
    }

    #[inline(always)]
    fn get_mut(&mut self, _index: usize) -> Option<&mut Row> {
        None
    }
}

impl<Row: Copy + Eq + Hash + Debug, const N: usize> Optional<Row> for [Row; N] {
    #[inline(always)]
    fn filled(row: Row) -> Self {
        [row; N]
    }

    #[inline(always)]
    fn get(&self, index: usize) -> Option<&Row> {
        Some(self.at(index))
    }

    #[inline(always)]
    fn get_mut(&mut self, index: usize) -> Option<&mut Row> {
        Some(self.at_mut(index))
    }
}

/// The contents of memory before a system starts: values whose bytes are all zero, so that memory initialised
/// with them takes no flash. Their meaning doesn't matter, since the start gives everything its first value.
pub trait Blank {
    /// The contents before the start.
    const BLANK: Self;
}

impl<Row: Blank, const N: usize> Blank for [Row; N] {
    const BLANK: Self = [Row::BLANK; N];
}

impl Blank for Absent {
    const BLANK: Absent = Absent;
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

/// An index that is certainly inside a table of `N` rows: by a mask if `N` is a power of two (one
/// instruction), by a comparison otherwise (three).
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
