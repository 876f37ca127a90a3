//! A budget that the threads of a process or, of two processes, those of a group share, from a seed on: threads with jobs among and above others, and one
//! without jobs below them that never stops.

use beryl_testing::Draw;

use std::fmt::Write as _;

use crate::supplied::SPENDING;
use crate::written::Drawing;

/// Names of threads that pay from the shared budget begin with this, if they have jobs.
pub const MEMBER: &str = "member";

/// Where those who share one stand, and how much it is.
pub struct Place {
    /// The bands, if only some: the last one is the least urgent.
    pub bands: Vec<String>,
    /// Of the processor, in hundredths, at least and at most.
    pub share: [u64; 2],
    /// The first line of members that interrupts wake.
    pub line: u64,
}

/// Among all others.
pub const ANYWHERE: Place = Place { bands: Vec::new(), share: [10, 40], line: 8 };

impl Drawing<'_> {
    /// Draws them, after everything else: of a process, or of a group.
    pub fn shared(&mut self, is_group: bool, place: &Place) {
        // All others leave them some of the processor.
        self.part = self.random.within(10, 60);
        // In tenths of a millisecond, and in hundredths of that.
        let every = *self.random.one_of(&[50, 80, 100, 200]);
        let [least, most] = place.share;
        let share = self.random.within(least, most);
        let budget = every * share;
        let reaction = *self.random.one_of(&["lower", "lower", "wait"]);
        let _ = writeln!(
            self.objects,
            "[process.three]\nmemory = \"256\"\n{}budget = \"{budget}us\"\nevery = \"{}us\"\non_overrun = \"{reaction}\"",
            if is_group { "[process.four]\nmemory = \"256\"\n[group.common]\n" } else { "" },
            every * 100
        );
        let count = self.random.within(1, 4);
        let is_locked = self.random.chance(40);
        let load = self.random.within(10, 60);
        for number in 0..count {
            let of = match is_group {
                // A ceiling lock belongs to one process.
                true if number % 2 == 1 && !is_locked => "process = \"four\"\ngroup = \"common\"",
                true => "process = \"three\"\ngroup = \"common\"",
                false => "process = \"three\"",
            };
            self.member((number, of), place, every, (share * load / count, is_locked && count > 1));
        }
        if is_locked && count > 1 {
            self.objects += "[lock.l9]\n";
        }
        if self.random.chance(50) {
            let stack = self.stack();
            let _ = writeln!(
                self.others,
                "[thread.{SPENDING}]\nprocess = \"three\"\nband = \"{}\"\npriority = 5\nentry = \"{SPENDING}\"\nstack = \"{stack}\"{}",
                place.bands.last().map_or("rest", String::as_str),
                if is_group { "\ngroup = \"common\"" } else { "" }
            );
        }
    }

    /// A thread whose jobs take so many ten-thousandths of the processor.
    fn member(
        &mut self,
        (number, of): (u64, &str),
        place: &Place,
        every: u64,
        (load, is_locked): (u64, bool),
    ) {
        let fixed: Vec<usize> = (0..self.bands.len()).filter(|band| !self.bands[*band]).collect();
        let band = match self.random.within(0, 9) {
            _ if !place.bands.is_empty() => self.random.one_of(&place.bands).clone(),
            0..3 => "above".to_owned(),
            3..7 if !fixed.is_empty() => format!("b{}", self.random.one_of(&fixed)),
            _ => "rest".to_owned(),
        };
        let period = every * 100 * *self.random.one_of(&[2, 3, 4, 5, 8, 10]);
        let worst = (period * load / 10_000).max(20);
        // Those without jobs in the last band have less.
        let (priority, stack) = (self.random.within(10, 31), self.stack());
        let _ = writeln!(
            self.others,
            "[thread.{MEMBER}_{number}]\n{of}\nband = \"{band}\"\npriority = {priority}\n\
             entry = \"{MEMBER}\"\nstack = \"{stack}\"\nworst = \"{worst}us\""
        );
        let (mut uses, mut holds) = (Vec::new(), Vec::new());
        match self.random.within(0, 9) {
            0..7 => {
                let deadline =
                    if self.random.chance(35) { self.random.within(period / 2, period) } else { period };
                let offset =
                    if self.random.chance(50) { self.random.within(0, period) / 100 * 100 } else { 0 };
                let _ = writeln!(
                    self.others,
                    "period = \"{period}us\"\ndeadline = \"{deadline}us\"\noffset = \"{offset}us\""
                );
            }
            kind => {
                let _ = writeln!(self.others, "separation = \"{period}us\"");
                if kind < 9 {
                    let _ = writeln!(self.objects, "[interrupt.m{number}]\nline = {}", place.line + number);
                    uses.push(format!("m{number}"));
                }
            }
        }
        let is_owned = self.objects.contains("[semaphore.b0]") && self.random.chance(40);
        let locks = [(is_locked, "l9"), (is_owned && self.may_share("b0", &band), "b0")];
        for (_, name) in locks.into_iter().filter(|(is_used, _)| *is_used) {
            let hold = self.random.within(1, worst.min(200));
            uses.push(name.to_owned());
            holds.push(format!("{name} = \"{hold}us\""));
        }
        if !uses.is_empty() {
            let _ = writeln!(self.others, "uses = {uses:?}");
        }
        if !holds.is_empty() {
            let _ = writeln!(self.others, "hold = {{ {} }}", holds.join(", "));
        }
    }
}
