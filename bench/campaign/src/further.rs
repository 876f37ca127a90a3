//! Further features, from a seed on: limited waits, of threads that interrupts or others wake, of threads
//! that only sleep, and of unproved threads; waits that return with a semaphore; a condition; and longer
//! values.

use beryl_testing::Draw;

use std::fmt::Write as _;

use crate::written::{Drawing, Form};

/// Names of threads with limited waits contain this: a description can't express it.
pub const LIMITED: &str = "limited";

/// Names of threads contain this if at the end of a job they are promised the semaphore with which the next
/// one begins.
pub const PROMISED: &str = "promised";

/// Names of unproved threads that alternately work and wait begin with this.
pub const DOZING: &str = "dozing";

impl Drawing<'_> {
    /// Draws them, after everything else.
    pub fn further(&mut self) {
        for index in 0..self.jobs.len() {
            let may_wait = matches!(self.jobs[index].form, Form::Sporadic(_) | Form::Woken | Form::Sleeping);
            if may_wait && self.random.chance(50) {
                self.jobs[index].name += &format!("_{LIMITED}");
            }
        }
        for job in &mut self.jobs {
            let may_wait = matches!(job.form, Form::Periodic | Form::Sporadic(_));
            // A wait that ends without its object also returns without the promised semaphore.
            let may_wait = may_wait && !job.name.contains(LIMITED);
            if may_wait && job.uses.iter().any(|used| used == "b0") && self.random.chance(60) {
                job.name += &format!("_{PROMISED}");
            }
        }
        if self.random.chance(30) {
            self.units_that_never_come();
        }
        for number in 0..self.random.within(0, 2) {
            self.dozing(&number.to_string(), 2 + number, "");
        }
        if self.random.chance(30) {
            self.condition();
        }
        if self.random.chance(50) {
            // A value that is read in pieces.
            self.objects = self.objects.replace("int[4]", "int[40]");
        }
    }

    /// Two threads that both wait for units that never come, each until its separation is over.
    fn units_that_never_come(&mut self) {
        for number in 0..2 {
            let mut job = self.job(format!("sleeping{number}_{LIMITED}"), Form::Sleeping);
            job.uses.push("u1".to_owned());
            self.jobs.push(job);
        }
        self.objects += "[semaphore.u1]\nkind = \"counting\"\ninitial = 0\nmost = 1\n";
    }

    /// A thread below all others, with nothing declared but its holds.
    fn dozing(&mut self, name: &str, priority: u64, more: &str) {
        let stack = self.stack();
        let _ = writeln!(
            self.others,
            "[thread.{DOZING}{name}]\nprocess = \"one\"\nband = \"rest\"\npriority = {priority}\nentry = \"{DOZING}{name}\"\n\
             stack = \"{stack}\"\n{more}"
        );
    }

    /// A thread that waits for a condition, and one below all others that signals it, no more often than the
    /// first may be woken.
    fn condition(&mut self) {
        let mut job = self.job(format!("told_{LIMITED}"), Form::Woken);
        let holds = [0, 1].map(|_| self.random.within(1, 30) * 10);
        job.uses.extend(["b1", "c0"].map(str::to_owned));
        job.holds.push(("b1".to_owned(), holds[0]));
        self.jobs.push(job);
        let more = format!("uses = [\"b1\", \"c0\"]\nhold = {{ b1 = \"{}us\" }}\n", holds[1]);
        self.dozing("_teller", 7, &more);
        self.objects += "[semaphore.b1]\nkind = \"binary\"\n[condition.c0]\n";
    }
}
