//! The ranks, one after the other: sums over tasks and losses at the numbers of the certificate.

use super::super::time::{Image, Policy};
use super::work::{coming, due, last_before, lost};
use super::{CHUNK, Go, Numbers, Stage, Stop, Turn};

/// What is being added up at a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum What {
    /// All that may come, to bound the busy period of an earliest-deadline rank.
    Busy,
    /// What is due of the rank, and what goes before it.
    Due,
    /// What goes before the rank, to see whether what was due at the number before fits.
    Fits,
    /// What goes before a task of a fixed-priority rank, and its own work.
    Response(u8),
}

/// A sum on its way over tasks, and then losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Sum {
    what: What,
    rank: u8,
    /// The number: a stretch of time from an instant at which everything is released.
    ticks: u32,
    /// The next task; behind the tasks, the next row of losses.
    item: u16,
    /// What may come of what goes before.
    before: u64,
    /// What is due of the rank itself.
    own: u64,
    /// The last deadline below the number, and whether one falls on it.
    below: Option<u32>,
    is_due: bool,
}

impl Sum {
    pub const fn of(what: What, rank: u8, ticks: u32) -> Sum {
        Sum { what, rank, ticks, item: 0, before: 0, own: 0, below: None, is_due: false }
    }
}

impl<I: Image, N: Numbers + ?Sized> Turn<'_, '_, I, N> {
    /// The next number of the certificate.
    fn number(&mut self, rank: u8) -> Result<u32, Stop> {
        let number = self.check.used;
        self.check.used = number.saturating_add(1);
        self.certificate.number(number).ok_or(Stop::Certificate { rank, number })
    }

    /// Begins to add up.
    fn begin_sum(&mut self, what: What, rank: u8, ticks: u32) -> Go {
        self.check.sum = Sum::of(what, rank, ticks);
        Ok(Some(Stage::Sum))
    }

    /// The number that was used last doesn't hold.
    fn refuse(&self, rank: u8) -> Go {
        Err(Stop::Certificate { rank, number: self.check.used.saturating_sub(1) })
    }

    fn rank_of(&self, task: u8) -> u8 {
        self.image.task(task).rank.min(self.image.ranks().saturating_sub(1))
    }

    fn is_released(&self, task: u8) -> bool {
        self.paces.pace(task).deadline < u32::MAX
    }

    fn is_member(&self, rank: u8, task: u8) -> bool {
        self.rank_of(task) == rank && self.is_released(task)
    }

    /// Looks for a task of the rank, from one on.
    pub(super) fn rank(&mut self, rank: u8, task: u8) -> Go {
        if rank >= self.image.ranks() {
            return Ok(None);
        }
        let tasks = self.image.tasks();
        // bound: 8
        for ahead in 0..CHUNK {
            let task = task.saturating_add(ahead);
            if task >= tasks {
                return Ok(Some(Stage::Rank { rank: rank + 1, task: 0 }));
            }
            if self.is_member(rank, task) {
                return self.begin_rank(rank);
            }
        }
        Ok(Some(Stage::Rank { rank, task: task.saturating_add(CHUNK) }))
    }

    fn begin_rank(&mut self, rank: u8) -> Go {
        match self.image.policy(rank) {
            Policy::EarliestDeadline => {
                let busy = self.number(rank)?;
                self.begin_sum(What::Busy, rank, busy)
            }
            Policy::FixedPriority => Ok(Some(Stage::Fixed { rank, task: 0 })),
            Policy::None => self.refuse(rank),
        }
    }

    /// A task of a fixed-priority rank, if it's one.
    pub(super) fn fixed(&mut self, rank: u8, task: u8) -> Go {
        if task >= self.image.tasks() {
            return Ok(Some(Stage::Rank { rank: rank + 1, task: 0 }));
        }
        if !self.is_member(rank, task) {
            return Ok(Some(Stage::Fixed { rank, task: task + 1 }));
        }
        let response = self.number(rank)?;
        self.begin_sum(What::Response(task), rank, response)
    }

    /// Adds up some more.
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
        Ok(Some(Stage::Sum))
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

    /// What a sum says.
    fn judge(&mut self) -> Go {
        let sum = &self.check.sum;
        let Sum { rank, ticks, .. } = *sum;
        let is_within = sum.own.saturating_add(sum.before) <= ticks.into();
        match sum.what {
            What::Busy if is_within && ticks > 0 => self.begin_sum(What::Due, rank, ticks),
            What::Fits if is_within => self.begin_sum(What::Due, rank, ticks),
            What::Response(task) if is_within && ticks <= self.paces.pace(task).deadline => {
                Ok(Some(Stage::Fixed { rank, task: task + 1 }))
            }
            What::Due => self.go_down(is_within),
            _ => self.refuse(rank),
        }
    }

    /// From a number to the next: what is due up to it fits into the next one; or it fits here, or nothing is due here, and nothing
    /// is due between the two. Nothing is due before the last one.
    fn go_down(&mut self, is_within: bool) -> Go {
        let Sum { rank, ticks, below, is_due, .. } = self.check.sum;
        let is_well = !is_due || is_within;
        if below.is_none() && is_well {
            return Ok(Some(Stage::Rank { rank: rank + 1, task: 0 }));
        }
        let next = self.number(rank)?;
        let is_empty_between = below.is_none_or(|below| below <= next);
        match next < ticks {
            true if is_well && is_empty_between => self.begin_sum(What::Due, rank, next),
            true => {
                let sum = &mut self.check.sum;
                (sum.what, sum.ticks, sum.item, sum.before) = (What::Fits, next, 0, 0);
                Ok(Some(Stage::Sum))
            }
            false => self.refuse(rank),
        }
    }
}
