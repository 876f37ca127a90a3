//! Certificates for programs that the bands schedule: the numbers by which the checker sees that deadlines hold.
//!
//! A busy-period bound is found by counting what may come in what has come before, until no more comes; response times
//! likewise. Checkpoints lie as far apart as the check allows: see `beryl_syscode::check::demand`.

use std::fmt;

use beryl_syscode::check::demand::{Demand, Pace, WORDS, coming, due, last_before, lost};
use beryl_syscode::check::time::{Breach, Image, Loss, Policy};

/// Why there is no certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Uncertified {
    /// What the code does, or that it's outside of the class.
    Code(Breach),
    /// More may come than can be done, without end: the rank.
    Overload {
        /// The rank.
        rank: u8,
    },
    /// Jobs may be late.
    Late {
        /// The rank.
        rank: u8,
        /// A task of it that may be.
        task: u8,
        /// So many ticks after everything is released at once.
        at: u32,
    },
    /// Nobody runs the tasks of a rank.
    Idle {
        /// The rank.
        rank: u8,
    },
}

impl fmt::Display for Uncertified {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Uncertified::Code(breach) => write!(out, "{breach}"),
            Uncertified::Overload { rank } => {
                write!(out, "rank {rank} has more work than time; shorten a task or make a period longer")
            }
            Uncertified::Late { rank, task, at } => write!(
                out,
                "task {task} of rank {rank} may have a job that isn't done {at} ticks after all are released at once; shorten a task"
            ),
            Uncertified::Idle { rank } => {
                write!(out, "nobody runs the tasks of rank {rank}; give it a policy")
            }
        }
    }
}

impl std::error::Error for Uncertified {}

/// Longer busy periods aren't looked for, in ticks.
const LONGEST: u64 = 1 << 30;
/// After so many rounds the search for one ends.
const MOST_ROUNDS: usize = 100_000;

/// Finds a certificate for programs.
///
/// # Errors
/// Why there is none.
pub fn certificate(image: &impl Image) -> Result<Vec<u32>, Uncertified> {
    let mut memory = vec![0; WORDS * usize::from(image.tasks())];
    let last = image.ranks().saturating_sub(1);
    let mut rows = Vec::new();
    let tell = |task: u8, pace: Pace| {
        let row = image.task(task);
        rows.push(Row { task, pace, bound: row.bound, rank: row.rank.min(last) });
    };
    Demand::paces(image, &mut memory, tell).map_err(Uncertified::Code)?;
    rows.retain(|row| row.pace.deadline < u32::MAX);
    let losses = (0..=u8::MAX).map_while(|row| image.loss(row)).collect();
    let search = Search { rows, losses };
    let mut numbers = Vec::new();
    for rank in 0..image.ranks() {
        match image.policy(rank) {
            _ if search.members(rank).next().is_none() => {}
            Policy::EarliestDeadline => numbers.extend(search.checkpoints(rank)?),
            Policy::FixedPriority => numbers.extend(search.responses(rank)?),
            Policy::None => return Err(Uncertified::Idle { rank }),
        }
    }
    Ok(numbers)
}

struct Row {
    task: u8,
    pace: Pace,
    bound: u32,
    rank: u8,
}

struct Search {
    rows: Vec<Row>,
    losses: Vec<Loss>,
}

impl Search {
    fn members(&self, rank: u8) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.rank == rank)
    }

    /// All that goes before a rank, and may come in so many ticks.
    fn before(&self, rank: u8, ticks: u32) -> u64 {
        let rows = self.rows.iter().filter(|row| row.rank < rank);
        let rows = rows.map(|row| coming(row.pace, row.bound, ticks));
        rows.chain(self.losses.iter().map(|loss| lost(*loss, ticks))).fold(0, u64::saturating_add)
    }

    /// The first number of ticks in which all work that may come in them is done.
    fn settled(&self, rank: u8, work: impl Fn(u32) -> u64) -> Result<u32, Uncertified> {
        let mut ticks = 1;
        // Where all work takes all time, less and less is gained.
        for _ in 0..MOST_ROUNDS {
            let all = work(ticks);
            match u32::try_from(all) {
                Ok(next) if all <= LONGEST && next > ticks => ticks = next,
                Ok(next) if next <= ticks => return Ok(ticks),
                _ => break,
            }
        }
        Err(Uncertified::Overload { rank })
    }

    /// The busy period, and points at which what is due fits into the next.
    fn checkpoints(&self, rank: u8) -> Result<Vec<u32>, Uncertified> {
        let busy = self.settled(rank, |ticks| self.before(rank + 1, ticks))?;
        let mut numbers = vec![busy];
        let mut at = busy;
        loop {
            let own = self.members(rank).map(|row| due(row.pace, row.bound, at)).fold(0, u64::saturating_add);
            let work = |ticks: u32| own.saturating_add(self.before(rank, ticks));
            let is_due = self.members(rank).find(|row| last_before(row.pace, at + 1) == Some(at));
            let is_well = is_due.is_none() || work(at) <= at.into();
            let below = self.members(rank).filter_map(|row| last_before(row.pace, at)).max();
            if below.is_none() && is_well {
                return Ok(numbers);
            }
            // The first point into which it all fits, and the last one before at which something is due.
            let fit = self.settled(rank, work).ok().filter(|fit| *fit < at);
            let next = fit.into_iter().chain(below.filter(|_| is_well)).min();
            let task = is_due.map_or(u8::MAX, |row| row.task);
            at = next.ok_or(Uncertified::Late { rank, task, at })?;
            numbers.push(at);
        }
    }

    /// The time in which each task's job is done at the latest.
    fn responses(&self, rank: u8) -> Result<Vec<u32>, Uncertified> {
        let mut numbers = Vec::new();
        for (index, row) in self.members(rank).enumerate() {
            let work = |ticks: u32| {
                let above = self.members(rank).take(index).map(|row| coming(row.pace, row.bound, ticks));
                above.fold(self.before(rank, ticks), u64::saturating_add).saturating_add(row.bound.into())
            };
            let response = self.settled(rank, work)?;
            if response > row.pace.deadline {
                return Err(Uncertified::Late { rank, task: row.task, at: row.pace.deadline });
            }
            numbers.push(response);
        }
        Ok(numbers)
    }
}
