//! The ranks, one after the other: sums over tasks and losses at the numbers of the certificate.

use super::super::time::{Image, Policy};
use super::work::{coming, due, last_before, lost};
use super::{CHUNK, Go, Numbers, Refusal, Stage, Turn};

/// What is being added up at a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum What {
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
    fn of(what: What, rank: u8, ticks: u32) -> Stage {
        Stage::Sum(Sum { what, rank, ticks, item: 0, before: 0, own: 0, below: None, is_due: false })
    }
}

impl<I: Image, N: Numbers + ?Sized> Turn<'_, '_, I, N> {
    /// The next number of the certificate.
    fn number(&mut self, rank: u8) -> Result<u32, Refusal> {
        let number = self.used;
        self.used = self.used.saturating_add(1);
        self.certificate.number(number).ok_or(Refusal::Certificate { rank, number })
    }

    /// The number that was used last doesn't hold.
    fn refuse(&self, rank: u8) -> Go {
        Err(Refusal::Certificate { rank, number: self.used.saturating_sub(1) })
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
                Ok(Some(Sum::of(What::Busy, rank, busy)))
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
        Ok(Some(Sum::of(What::Response(task), rank, response)))
    }

    /// Adds up some more.
    pub(super) fn sum(&mut self, mut sum: Sum) -> Go {
        // bound: 8
        for _ in 0..CHUNK {
            let (item, tasks) = (sum.item, u16::from(self.image.tasks()));
            let lost = match u8::try_from(item.saturating_sub(tasks)) {
                _ if item < tasks => {
                    self.add(&mut sum, item as u8);
                    0
                }
                Ok(row) => match self.image.loss(row) {
                    Some(loss) => lost(loss, sum.ticks),
                    None => return self.judge(sum),
                },
                Err(_) => return self.judge(sum),
            };
            sum.before = sum.before.saturating_add(lost);
            sum.item = item.saturating_add(1);
        }
        Ok(Some(Stage::Sum(sum)))
    }

    /// A task's part of a sum.
    fn add(&self, sum: &mut Sum, task: u8) {
        let rank = self.rank_of(task);
        if rank > sum.rank || !self.is_released(task) {
            return;
        }
        let (pace, bound) = (self.paces.pace(task), self.image.task(task).bound);
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
    fn judge(&mut self, sum: Sum) -> Go {
        let Sum { rank, ticks, .. } = sum;
        let is_within = sum.own.saturating_add(sum.before) <= ticks.into();
        match sum.what {
            What::Busy if is_within && ticks > 0 => Ok(Some(Sum::of(What::Due, rank, ticks))),
            What::Fits if is_within => Ok(Some(Sum::of(What::Due, rank, ticks))),
            What::Response(task) if is_within && ticks <= self.paces.pace(task).deadline => {
                Ok(Some(Stage::Fixed { rank, task: task + 1 }))
            }
            What::Due => self.go_down(sum, is_within),
            _ => self.refuse(rank),
        }
    }

    /// From a number to the next: what is due up to it fits into the next one; or it fits here, or nothing is due here, and nothing
    /// is due between the two. Nothing is due before the last one.
    fn go_down(&mut self, sum: Sum, is_within: bool) -> Go {
        let Sum { rank, ticks, .. } = sum;
        let is_well = !sum.is_due || is_within;
        if sum.below.is_none() && is_well {
            return Ok(Some(Stage::Rank { rank: rank + 1, task: 0 }));
        }
        let next = self.number(rank)?;
        let is_empty_between = sum.below.is_none_or(|below| below <= next);
        match next < ticks {
            true if is_well && is_empty_between => Ok(Some(Sum::of(What::Due, rank, next))),
            true => {
                let what = What::Fits;
                Ok(Some(Stage::Sum(Sum { what, ticks: next, item: 0, before: 0, ..sum })))
            }
            false => self.refuse(rank),
        }
    }
}
