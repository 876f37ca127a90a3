//! Time safety of tasks that the bands schedule, by a certificate: a bound for the busy period, with checkpoints.
//!
//! Carrying programs out side by side ([`time`](mod@super::time)) takes as long as their common hyperperiod. This check reads each program once round, by
//! itself, for the least distance between two releases of each task and the time that each job has until its ports
//! are touched; from then on it looks only at the numbers that come with the programs. To find them takes a search (`beryl-generator`); to check one is
//! a sum over the tasks.
//!
//! For each rank in turn, with everything of lower ranks and all that is lost as if all came at once:
//!
//! - *Earliest deadline.* A number L, and numbers below it in falling order. All work that may come in L is done in L, so no busy
//!   period is longer. All that is due up to one of the numbers, with what goes before up to the next, fits into the next: then
//!   so it does at all points between the two. Or nothing is due between them. (Zhang and Burns, *Schedulability analysis for real-time systems with EDF scheduling*, IEEE Transactions on Computers 58(9), 2009, find such
//!   points in this way.)
//! - *Fixed priority.* A number for each task, in their order, no more than the time that its jobs have: its own work and all that goes before and may come in
//!   that time is done in it.
//!
//! **Exact class.** Programs with one trigger on time each, no threads, no guards, no completion entries. The numbers are for tasks that are
//! released together and as often as they may be: where that can't happen, programs may be refused without need. Memory: five words a
//! task. Steps: an instruction, or one pass over tasks and losses.

mod walk;

use super::time::{Breach, Fault, Image, Loss, Policy, Unknown};

/// What is known of a task: all times in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// The least distance between two releases; nothing if it's never released twice.
    pub period: Option<u32>,
    /// Up to when its jobs have to be done: their deadline, by which the earliest goes first.
    pub deadline: u32,
}

/// What a step came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// There is more to do.
    Again,
    /// The programs are accepted.
    Accepted,
    /// They are refused.
    Refused(Refusal),
}

/// Why they are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// What the code does, or that it's outside of the class.
    Code(Breach),
    /// The certificate doesn't show that the tasks of a rank are done in time: the rank, and which number.
    Certificate {
        /// The rank.
        rank: u8,
        /// The number's place in the certificate.
        number: u16,
    },
}

/// Where the check stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Stage {
    Clear(u8),
    /// The code of a program.
    Walk(walk::Walk),
    /// The rank's first number.
    Rank(u8),
    /// A number of an earliest-deadline rank that follows from the one before.
    Deadline {
        rank: u8,
        before: u32,
    },
    /// A task of a fixed-priority rank.
    Fixed {
        rank: u8,
        task: u8,
    },
}

/// The check, to be kept between steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Demand {
    stage: Stage,
    /// How many numbers have been used.
    used: u16,
}

/// Words of memory a task.
pub const WORDS: usize = 5;

impl Demand {
    /// Before the first step.
    pub const BEGIN: Demand = Demand { stage: Stage::Clear(0), used: 0 };

    /// One step. The arguments are those of the steps before.
    pub fn step(&mut self, image: &impl Image, certificate: &[u32], memory: &mut [u32]) -> Outcome {
        let mut turn = Turn { image, certificate, paces: Paces(memory), used: self.used };
        let answer = turn.perform(self.stage);
        self.used = turn.used;
        match answer {
            Ok(Some(stage)) => {
                self.stage = stage;
                Outcome::Again
            }
            Ok(None) => Outcome::Accepted,
            Err(refusal) => Outcome::Refused(refusal),
        }
    }

    /// Checks to the end.
    ///
    /// # Errors
    /// Why the programs are refused.
    pub fn run(mut self, image: &impl Image, certificate: &[u32], memory: &mut [u32]) -> Result<(), Refusal> {
        // bound: the code three times, and the certificate
        loop {
            match self.step(image, certificate, memory) {
                Outcome::Again => {}
                Outcome::Accepted => return Ok(()),
                Outcome::Refused(refusal) => return Err(refusal),
            }
        }
    }

    /// Reads the programs only, for a tool that looks for a certificate.
    ///
    /// # Errors
    /// What is wrong with their code.
    pub fn paces(
        image: &impl Image,
        memory: &mut [u32],
        mut tell: impl FnMut(u8, Pace),
    ) -> Result<(), Breach> {
        let mut demand = Demand::BEGIN;
        // bound: the code three times
        while !matches!(demand.stage, Stage::Rank(_)) {
            if let Outcome::Refused(Refusal::Code(breach)) = demand.step(image, &[], memory) {
                return Err(breach);
            }
        }
        let paces = Paces(memory);
        (0..image.tasks()).for_each(|task| tell(task, paces.pace(task)));
        Ok(())
    }
}

/// The words of each task: see `walk`.
struct Paces<'m>(&'m mut [u32]);

impl Paces<'_> {
    fn word(&self, task: u8, field: usize) -> u32 {
        self.0.get(usize::from(task) * WORDS + field).copied().unwrap_or_default()
    }

    fn set(&mut self, task: u8, field: usize, value: u32) {
        if let Some(word) = self.0.get_mut(usize::from(task) * WORDS + field) {
            *word = value;
        }
    }

    fn pace(&self, task: u8) -> Pace {
        let period = Some(self.word(task, 1)).filter(|period| *period < u32::MAX);
        Pace { period, deadline: self.word(task, 2) }
    }
}

/// The work of a task that may come in so many ticks.
#[must_use]
pub fn coming(pace: Pace, bound: u32, ticks: u32) -> u64 {
    let jobs = pace.period.map_or(u32::from(ticks > 0), |period| ticks.div_ceil(period.max(1)));
    u64::from(jobs) * u64::from(bound)
}

/// The work of a task that may come and be due in so many ticks.
#[must_use]
pub fn due(pace: Pace, bound: u32, ticks: u32) -> u64 {
    let jobs = ticks
        .checked_sub(pace.deadline)
        .map_or(0, |rest| u64::from(pace.period.map_or(0, |period| rest / period.max(1))) + 1);
    jobs * u64::from(bound)
}

/// What may be lost in so many ticks, wherever they begin.
#[must_use]
pub fn lost(loss: Loss, ticks: u32) -> u64 {
    Loss { is_in_step: false, ..loss }.between(0, ticks.into())
}

struct Turn<'x, 'm, I> {
    image: &'x I,
    certificate: &'x [u32],
    paces: Paces<'m>,
    used: u16,
}

type Go = Result<Option<Stage>, Refusal>;

impl<I: Image> Turn<'_, '_, I> {
    fn perform(&mut self, stage: Stage) -> Go {
        match stage {
            Stage::Clear(task) => self.clear(task),
            Stage::Walk(walk) => self.walk(walk),
            Stage::Rank(rank) => self.rank(rank),
            Stage::Deadline { rank, before } => self.deadline(rank, before),
            Stage::Fixed { rank, task } => self.fixed(rank, task),
        }
    }

    fn clear(&mut self, task: u8) -> Go {
        if usize::from(self.image.tasks()) * WORDS > self.paces.0.len() {
            return Err(Refusal::Code(Breach { program: 0, address: 0, at: 0, fault: Fault::Memory }));
        }
        if task >= self.image.tasks() {
            return Ok(Some(self.begin(0)));
        }
        [0, u32::MAX, u32::MAX, 0, 0]
            .into_iter()
            .enumerate()
            .for_each(|(field, value)| self.paces.set(task, field, value));
        Ok(Some(Stage::Clear(task + 1)))
    }

    /// The next number of the certificate.
    fn number(&mut self, rank: u8) -> Result<u32, Refusal> {
        let number = self.used;
        let found = self.certificate.get(usize::from(number)).copied();
        self.used = self.used.saturating_add(1);
        found.ok_or(Refusal::Certificate { rank, number })
    }

    fn refuse<T>(&self, rank: u8) -> Result<T, Refusal> {
        Err(Refusal::Certificate { rank, number: self.used.saturating_sub(1) })
    }

    fn rank_of(&self, task: u8) -> u8 {
        self.image.task(task).rank.min(self.image.ranks().saturating_sub(1))
    }

    fn members(&self, rank: u8) -> impl Iterator<Item = u8> + '_ {
        (0..self.image.tasks()).filter(move |task| self.rank_of(*task) == rank && self.is_released(*task))
    }

    fn is_released(&self, task: u8) -> bool {
        self.paces.pace(task).deadline < u32::MAX
    }

    fn rank(&mut self, rank: u8) -> Go {
        if rank >= self.image.ranks() {
            return Ok(None);
        }
        if self.members(rank).next().is_none() {
            return Ok(Some(Stage::Rank(rank + 1)));
        }
        match self.image.policy(rank) {
            Policy::EarliestDeadline => {
                let busy = self.number(rank)?;
                let is_bound = busy > 0 && self.before(rank.saturating_add(1), busy) <= busy.into();
                if is_bound { Ok(Some(Stage::Deadline { rank, before: busy })) } else { self.refuse(rank) }
            }
            Policy::FixedPriority => Ok(Some(Stage::Fixed { rank, task: 0 })),
            Policy::None => self.refuse(rank),
        }
    }

    /// All that goes before a rank, and may come in so many ticks.
    fn before(&self, rank: u8, ticks: u32) -> u64 {
        let tasks =
            (0..self.image.tasks()).filter(|task| self.rank_of(*task) < rank && self.is_released(*task));
        let tasks = tasks.map(|task| coming(self.paces.pace(task), self.image.task(task).bound, ticks));
        let losses = (0..u8::MAX).map_while(|row| self.image.loss(row)).map(|loss| lost(loss, ticks));
        tasks.chain(losses).fold(0, u64::saturating_add)
    }

    /// At a number: what is due up to it fits into the next one; or it fits here, or nothing is due here, and nothing is due between the
    /// two. Nothing is due before the last one.
    fn deadline(&mut self, rank: u8, at: u32) -> Go {
        let own = self.members(rank).map(|task| due(self.paces.pace(task), self.image.task(task).bound, at));
        let own = own.fold(0, u64::saturating_add);
        let fits_into =
            |turn: &Self, ticks: u32| own.saturating_add(turn.before(rank, ticks)) <= ticks.into();
        let is_well = !self.is_due_at(rank, at) || fits_into(self, at);
        let below = self.members(rank).filter_map(|task| last_before(self.paces.pace(task), at)).max();
        if below.is_none() && is_well {
            return Ok(Some(Stage::Rank(rank + 1)));
        }
        let next = self.number(rank)?;
        let is_empty_between = below.is_none_or(|below| below <= next);
        match next < at && (fits_into(self, next) || is_well && is_empty_between) {
            true => Ok(Some(Stage::Deadline { rank, before: next })),
            false => self.refuse(rank),
        }
    }

    fn is_due_at(&self, rank: u8, ticks: u32) -> bool {
        let mut members = self.members(rank);
        members.any(|task| last_before(self.paces.pace(task), ticks.saturating_add(1)) == Some(ticks))
    }

    fn fixed(&mut self, rank: u8, task: u8) -> Go {
        let Some(task) = self.members(rank).find(|other| *other >= task) else {
            return Ok(Some(Stage::Rank(rank + 1)));
        };
        let response = self.number(rank)?;
        let above = self.members(rank).take_while(|other| *other < task);
        let above = above.map(|other| coming(self.paces.pace(other), self.image.task(other).bound, response));
        let own = u64::from(self.image.task(task).bound);
        let all = above.fold(self.before(rank, response), u64::saturating_add).saturating_add(own);
        match all <= response.into() && response <= self.paces.pace(task).deadline {
            true => Ok(Some(Stage::Fixed { rank, task: task + 1 })),
            false => self.refuse(rank),
        }
    }

    fn unknown<T>(&self, program: u8, address: u16, unknown: Unknown) -> Result<T, Refusal> {
        Err(Refusal::Code(Breach { program, address, at: 0, fault: Fault::Unknown(unknown) }))
    }
}

/// The last deadline of a task before so many ticks, if its releases begin at 0.
#[must_use]
pub fn last_before(pace: Pace, ticks: u32) -> Option<u32> {
    let rest = ticks.checked_sub(1)?.checked_sub(pace.deadline)?;
    Some(pace.deadline + pace.period.map_or(0, |period| rest - rest % period.max(1)))
}
