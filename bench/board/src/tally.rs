//! Many samples by their instructions, for benches with more of them than the console should carry.

use core::fmt;

use beryl_user::console::Console;

use crate::Sample;

/// Samples must be shorter than this.
const LONGEST: usize = 2048;

/// How many samples took how many instructions.
pub struct Tally {
    counts: [u16; LONGEST],
}

impl Tally {
    /// No sample yet.
    #[must_use]
    pub const fn new() -> Tally {
        Tally { counts: [0; LONGEST] }
    }

    /// One more. Samples that are too long all count as [`LONGEST`] less one.
    pub fn add(&mut self, sample: Sample) {
        let instructions = (sample.instructions() as usize).min(LONGEST - 1);
        self.counts[instructions] = self.counts[instructions].saturating_add(1);
    }

    /// Prints a line `tally <case> <instructions>x<samples> ..`.
    pub fn print(&self, case: fmt::Arguments<'_>) {
        // The console takes everything.
        let _ = self.write(case, &mut Console);
    }

    fn write(&self, case: fmt::Arguments<'_>, console: &mut impl fmt::Write) -> fmt::Result {
        write!(console, "tally {case}")?;
        for (instructions, count) in self.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            write!(console, " {instructions}x{count}")?;
        }
        writeln!(console)
    }
}

impl Default for Tally {
    fn default() -> Tally {
        Tally::new()
    }
}
