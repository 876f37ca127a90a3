//! Which interrupt comes by which line: so that what an interrupt costs doesn't depend on how many there are.

use beryl_abi::Line;

use crate::rows::objects::Interrupt;

/// The row of each line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lines([u8; Lines::COUNT]);

impl Lines {
    /// The most lines that a processor may have.
    pub const COUNT: usize = 32;

    /// Nobody serves any.
    pub const NONE: Lines = Lines([u8::MAX; Lines::COUNT]);

    /// The lines of these rows.
    ///
    /// # Panics
    ///
    /// If one isn't below [`Lines::COUNT`]: in tables that a builder makes this is told when they are compiled.
    #[must_use]
    pub const fn of(rows: &[Interrupt]) -> Lines {
        let mut lines = Lines::NONE;
        let mut index = 0;
        // bound: the length of the table of interrupts
        while index < rows.len() {
            if rows[index].thread.is_some() {
                lines.0[rows[index].line.0 as usize] = index as u8;
            }
            index += 1;
        }
        lines
    }

    /// The row of a line, which may be of another.
    #[inline(always)]
    pub(crate) fn row(&self, line: Line) -> usize {
        self.0[line.0 as usize & (Lines::COUNT - 1)].into()
    }
}
