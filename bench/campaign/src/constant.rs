//! Constant bandwidth, from a seed on: threads that never stop, or that only doze, in dynamic bands among jobs with deadlines.

use beryl_testing::Draw;

use std::fmt::Write as _;

use crate::further::DOZING;
use crate::supplied::SPENDING;
use crate::written::Drawing;

/// How often budgets are due, in tenths of a millisecond.
const EVERY: [u64; 5] = [20, 50, 80, 100, 400];
/// The largest part of that, in thousandths.
const MOST: u64 = 300;

impl Drawing<'_> {
    /// Draws them, after everything else. Who stands below them is in doubt, so most stand in the last band of jobs.
    pub fn constant(&mut self) {
        let dynamic: Vec<usize> = (0..self.bands.len()).filter(|band| self.bands[*band]).collect();
        if dynamic.is_empty() {
            self.lower += "[[band]]\nname = \"shares\"\npolicy = \"dynamic\"\n";
        }
        for number in 0..self.random.within(1, 3) {
            let what = if self.random.chance(70) { SPENDING } else { DOZING };
            let band = match dynamic.last() {
                None => "shares".to_owned(),
                Some(_) if self.random.chance(20) => format!("b{}", self.random.one_of(&dynamic)),
                Some(last) => format!("b{last}"),
            };
            self.share(&format!("{what}_{number}"), &band);
        }
    }

    fn share(&mut self, name: &str, band: &str) {
        let every = *self.random.one_of(&EVERY);
        let budget = self.random.within(2, every * MOST / 10);
        let stack = self.stack();
        let _ = writeln!(
            self.others,
            "[thread.{name}]\nprocess = \"one\"\nband = \"{band}\"\nentry = \"{name}\"\nstack = \"{stack}\"\n\
             budget = \"{budget}us\"\nevery = \"{}us\"\npolicy = \"constant-bandwidth\"",
            every * 100
        );
    }
}
