//! A table from lines to interrupts, so that an interrupt's cost doesn't depend on how many there are.

use core::fmt::Debug;
use core::hash::Hash;

use beryl_abi::{Line, ThreadId};

use crate::rows::objects::Interrupt;

/// The length of the table where no line from here on is used.
pub const LEAST_LINES: usize = 32;

/// A table with room for the lines that a system uses: see [`Lines`].
pub trait ByLine: Clone + Eq + Hash + Debug {
    /// How many lines it has room for.
    const COUNT: usize;
    /// No line is served.
    const NONE: Self;
    /// The table for these rows.
    fn filled(rows: &[Interrupt]) -> Self;
    /// The thread that serves a line, if any.
    #[doc(hidden)]
    fn served(&self, line: Line) -> Option<Served>;
}

/// The thread that serves each line: of `N` lines, a power of two above all
/// that are used. A line beyond it is one that nobody serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lines<const N: usize = LEAST_LINES>([Served; N]);

/// The thread that serves a line, and the bit of its notification that is set. Two bytes, read at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C, align(2))]
pub struct Served {
    pub(crate) thread: ThreadId,
    bit: u8,
}

impl Served {
    /// No thread.
    const NOBODY: Served = Served { thread: ThreadId::NONE, bit: 0 };

    /// The bits that are set.
    #[inline(always)]
    pub fn bits(self) -> u32 {
        1 << (self.bit & 31)
    }
}

impl<const N: usize> Lines<N> {
    /// No line is served.
    pub const NONE: Lines<N> = Lines([Served::NOBODY; N]);

    /// The table for these rows.
    ///
    /// # Panics
    ///
    /// If there is no such line, or a row sets more or less than one bit. For a builder's
    /// tables that is a compile-time error.
    #[must_use]
    pub const fn of(rows: &[Interrupt]) -> Lines<N> {
        const { assert!(N.is_power_of_two(), "lines are found by a mask") };
        let mut lines = Self::NONE;
        let mut index = 0;
        // bound: the length of the table of interrupts
        while index < rows.len() {
            let row = rows[index];
            if row.thread.is_some() {
                assert!(row.bits.is_power_of_two(), "an interrupt is a bit of a notification");
                lines.0[row.line.0 as usize] =
                    Served { thread: row.thread, bit: row.bits.trailing_zeros() as u8 };
            }
            index += 1;
        }
        lines
    }
}

impl<const N: usize> ByLine for Lines<N> {
    const COUNT: usize = N;
    const NONE: Self = Self::NONE;

    fn filled(rows: &[Interrupt]) -> Self {
        Self::of(rows)
    }

    #[inline(always)]
    fn served(&self, line: Line) -> Option<Served> {
        let served = self.0[line.0 as usize & (N - 1)];
        ((line.0 as usize) < N && served.thread.is_some()).then_some(served)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which of the lines around the ends of the tables are served, and by whom.
    fn served<const N: usize>(rows: &[Interrupt]) -> [Option<u8>; 6] {
        let lines = Lines::<N>::of(rows);
        [0, 31, 32, 33, 63, 64].map(|line| lines.served(Line(line)).map(|served| served.thread.0))
    }

    #[test]
    fn a_line_beyond_the_table_is_nobodys() {
        let row = |line, thread| Interrupt { line: Line(line), thread: ThreadId(thread), bits: 1 };
        assert_eq!(served::<32>(&[row(0, 3), row(31, 4)]), [Some(3), Some(4), None, None, None, None]);
        let rows = [row(0, 3), row(32, 5), row(33, 6)];
        assert_eq!(served::<64>(&rows), [Some(3), None, Some(5), Some(6), None, None]);
    }
}
