//! Budgets that come back, from a seed on: threads that never stop, or that only doze, among and above those that
//! are proved. How often they run is nowhere said.

use beryl_testing::Draw;

use std::fmt::Write as _;

use crate::further::DOZING;
use crate::written::Drawing;

/// Names of threads that never stop begin with this.
pub const SPENDING: &str = "spending";

/// What budgets are drawn from.
pub struct Budgets {
    /// How many there are at most.
    pub count: u64,
    /// How often they come back, in tenths of a millisecond.
    pub every: &'static [u64],
    /// The largest part of that, in thousandths.
    pub most: u64,
}

/// Those of threads among others: up to a tenth of the processor, or less than a tenth of a millisecond.
pub const OFTEN: Budgets = Budgets { count: 3, every: &[20, 50, 80, 100, 400], most: 100 };

impl Drawing<'_> {
    /// Draws them, after everything else.
    pub fn supplied(&mut self, by_rules: bool, budgets: &Budgets) {
        for number in 0..self.random.within(1, budgets.count) {
            let what = if self.random.chance(60) { SPENDING } else { DOZING };
            self.served(&format!("{what}_{number}"), by_rules, budgets);
        }
    }

    /// A thread with a budget, in a band of jobs that is fixed, or else in one above all others.
    fn served(&mut self, name: &str, by_rules: bool, budgets: &Budgets) {
        let fixed: Vec<usize> = (0..self.bands.len()).filter(|band| !self.bands[*band]).collect();
        let is_above = fixed.is_empty() || self.random.chance(40);
        let band = if is_above { "above".to_owned() } else { format!("b{}", self.random.one_of(&fixed)) };
        let priority = self.random.within(1, 31);
        let every = *self.random.one_of(budgets.every);
        let budget = self.random.within(2, every * budgets.most / 10);
        let reaction = *self.random.one_of(&["lower", "lower", "wait"]);
        let stack = self.stack();
        let _ = write!(
            self.others,
            "[thread.{name}]\nprocess = \"one\"\nband = \"{band}\"\npriority = {priority}\nentry = \"{name}\"\n\
             stack = \"{stack}\"\nbudget = \"{budget}us\"\nevery = \"{}us\"\non_overrun = \"{reaction}\"\n",
            every * 100
        );
        if by_rules {
            let policy = *self.random.one_of(&["sporadic", "sporadic", "sporadic", "polling", "deferrable"]);
            let _ = writeln!(self.others, "policy = \"{policy}\"");
        }
        if self.objects.contains("[semaphore.b0]") && self.random.chance(50) && self.may_share("b0", &band) {
            let hold = self.random.within(1, 20) * 10;
            let _ = writeln!(self.others, "uses = [\"b0\"]\nhold = {{ b0 = \"{hold}us\" }}");
        }
    }
}
