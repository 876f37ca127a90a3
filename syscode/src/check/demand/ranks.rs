//! The ranks, one after the other: sums over tasks and losses at the numbers of the certificate.

use super::super::time::{Image, Policy};
use super::work::{coming, due, last_before, lost};
use super::{CHUNK, Go, Numbers, Stage, Stop, Turn};

/// What is added up at a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum What {
    /// All work that may come, to bound the busy period of an earliest-deadline rank.
    Busy,
    /// The rank's work that is due, and the work that goes before it.
    Due,
    /// The work that goes before the rank, to see whether the work that was due at the previous number fits.
    Fits,
    /// The work that goes before a task of a fixed-priority rank, and its own.
    Response(u8),
}

/// A sum in progress, over tasks and then losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Sum {
    what: What,
    rank: u8,
    /// The number: a length of time from an instant at which everything is released.
    ticks: u32,
    /// The next task; after the tasks, the next row of losses.
    item: u16,
    /// The work that may come and goes first.
    before: u64,
    /// The rank's own work that is due.
    own: u64,
    /// The last deadline below the number, and whether one falls on it.
    below: Option<u32>,
    is_due: bool,
}

impl Sum {
    pub const fn of(what: What, rank: u8, ticks: u32) -> Sum {
        Sum { what, rank, ticks, item: 0, before: 0, own: 0, below: None, is_due: false }
    }

    /// The current rank.
    pub fn rank(&self) -> u8 {
        self.rank
    }
}

impl<I: Image, N: Numbers + ?Sized> Turn<'_, '_, I, N> {
    /// The next number of the certificate.
    fn number(&mut self) -> Result<u32, Stop> {
        let number = self.check.used;
        self.check.used = number.saturating_add(1);
        self.certificate.number(number).ok_or(Stop::Certificate)
    }

    /// Begins a sum.
    fn begin_sum(&mut self, what: What, ticks: u32) -> Go {
        self.check.sum = Sum::of(what, self.check.sum.rank, ticks);
        self.to(Stage::Sum)
    }

    /// Begins a sum at the next number.
    fn begin_next(&mut self, what: What) -> Go {
        let number = self.number()?;
        self.begin_sum(what, number)
    }

    /// The tasks of a rank are done in time: goes on to the next rank.
    fn next_rank(&mut self) -> Go {
        self.check.sum.rank += 1;
        self.to(Stage::Rank(0))
    }

    fn rank_of(&self, task: u8) -> u8 {
        self.image.task(task).rank.min(self.image.ranks().saturating_sub(1))
    }

    fn is_released(&self, task: u8) -> bool {
        self.paces.pace(task).deadline < u32::MAX
    }

    fn is_member(&self, task: u8) -> bool {
        self.rank_of(task) == self.check.sum.rank && self.is_released(task)
    }

    /// Searches for a task of the rank, starting at one.
    pub(super) fn rank(&mut self, first: u8) -> Go {
        if self.check.sum.rank >= self.image.ranks() {
            return self.to(Stage::Accepted);
        }
        // bound: 8
        for ahead in 0..CHUNK {
            let task = first.saturating_add(ahead);
            if task >= self.image.tasks() {
                return self.next_rank();
            }
            if self.is_member(task) {
                return self.begin_rank();
            }
        }
        self.to(Stage::Rank(first.saturating_add(CHUNK)))
    }

    fn begin_rank(&mut self) -> Go {
        match self.image.policy(self.check.sum.rank) {
            Policy::EarliestDeadline => self.begin_next(What::Busy),
            Policy::FixedPriority => self.to(Stage::Fixed(0)),
            Policy::None => Err(Stop::Certificate),
        }
    }

    /// Handles a task if it is in a fixed-priority rank.
    pub(super) fn fixed(&mut self, task: u8) -> Go {
        if task >= self.image.tasks() {
            return self.next_rank();
        }
        if !self.is_member(task) {
            return self.to(Stage::Fixed(task + 1));
        }
        self.begin_next(What::Response(task))
    }

    /// Goes on with the sum.
    pub(super) fn sum(&mut self) -> Go {
        // bound: 8
        for _ in 0..CHUNK {
            let (item, tasks) = (self.check.sum.item, u16::from(self.image.tasks()));
            if item < tasks {
                self.add(item as u8);
            } else {
                let row = u8::try_from(item - tasks).ok();
                let Some(loss) = row.and_then(|row| self.image.loss(row)) else { return self.judge() };
                let sum = &mut self.check.sum;
                sum.before = sum.before.saturating_add(lost(loss, sum.ticks));
            }
            self.check.sum.item = item.saturating_add(1);
        }
        Ok(())
    }

    /// A task's part of a sum.
    fn add(&mut self, task: u8) {
        let rank = self.rank_of(task);
        if rank > self.check.sum.rank || !self.is_released(task) {
            return;
        }
        let (pace, bound) = (self.paces.pace(task), self.image.task(task).bound);
        let sum = &mut self.check.sum;
        let is_own = rank == sum.rank;
        let (before, own) = match sum.what {
            What::Response(other) if is_own && task == other => (bound.into(), 0),
            What::Response(other) if is_own && task > other => (0, 0),
            What::Fits if is_own => (0, 0),
            What::Due if is_own => {
                sum.below = sum.below.max(last_before(pace, sum.ticks));
                sum.is_due |= last_before(pace, sum.ticks.saturating_add(1)) == Some(sum.ticks);
                (0, due(pace, bound, sum.ticks))
            }
            _ => (coming(pace, bound, sum.ticks), 0),
        };
        sum.before = sum.before.saturating_add(before);
        sum.own = sum.own.saturating_add(own);
    }

    /// Draws the conclusion from a sum.
    fn judge(&mut self) -> Go {
        let Sum { what, ticks, own, before, .. } = self.check.sum;
        let is_within = own.saturating_add(before) <= ticks.into();
        match what {
            What::Busy if is_within && ticks > 0 => self.begin_sum(What::Due, ticks),
            What::Fits if is_within => self.begin_sum(What::Due, ticks),
            What::Response(task) if is_within && ticks <= self.paces.pace(task).deadline => {
                self.to(Stage::Fixed(task + 1))
            }
            What::Due => self.go_down(is_within),
            _ => Err(Stop::Certificate),
        }
    }

    /// Goes from a number to the next. Either what is due up to it fits into the next one; or it fits here,
    /// or nothing is due here, and nothing is due between the two. Nothing is due before the last one.
    fn go_down(&mut self, is_within: bool) -> Go {
        let Sum { ticks, below, is_due, .. } = self.check.sum;
        let is_well = !is_due || is_within;
        if below.is_none() && is_well {
            return self.next_rank();
        }
        let next = self.number()?;
        let is_empty_between = below.is_none_or(|below| below <= next);
        if next >= ticks {
            return Err(Stop::Certificate);
        }
        if is_well && is_empty_between {
            return self.begin_sum(What::Due, next);
        }
        let sum = &mut self.check.sum;
        (sum.what, sum.ticks, sum.item, sum.before) = (What::Fits, next, 0, 0);
        Ok(())
    }
}
