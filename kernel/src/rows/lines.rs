//! A table from lines to interrupts, so that an interrupt's cost doesn't depend on how many there are.

use beryl_abi::{Line, ThreadId};

use crate::rows::objects::Interrupt;

/// The thread that serves each line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lines([Served; Lines::COUNT]);

/// The thread that serves a line, and the bit of its notification that is set. Two bytes, read at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C, align(2))]
pub(crate) struct Served {
    pub thread: ThreadId,
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

impl Lines {
    /// The most lines that a processor may have.
    pub const COUNT: usize = 32;

    /// No line is served.
    pub const NONE: Lines = Lines([Served::NOBODY; Lines::COUNT]);

    /// The table for these rows.
    ///
    /// # Panics
    ///
    /// If a line isn't below [`Lines::COUNT`], or a row sets more or less than one bit. For a builder's
    /// tables that is a compile-time error.
    #[must_use]
    pub const fn of(rows: &[Interrupt]) -> Lines {
        let mut lines = Lines::NONE;
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

    /// The thread that serves a line, if any.
    #[inline(always)]
    pub(crate) fn served(&self, line: Line) -> Option<Served> {
        let served = self.0[line.0 as usize & (Lines::COUNT - 1)];
        ((line.0 as usize) < Lines::COUNT && served.thread.is_some()).then_some(served)
    }
}
