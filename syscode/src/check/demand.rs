//! Time safety of tasks that the bands schedule, by a certificate: a bound for the busy period, with
//! checkpoints.
//!
//! Carrying programs out side by side ([`time`](mod@super::time)) takes as long as their common hyperperiod.
//! This check reads each program by itself, once round, for the least distance between two releases of each
//! task and the time that each job has until its ports are touched. From then on it looks only at the numbers
//! that come with the programs. Finding them takes a search (`beryl-generator`); checking one is a sum over
//! the tasks.
//!
//! For each rank in turn, with everything of lower ranks and all losses as if they came at once:
//!
//! - *Earliest deadline.* A number L, and numbers below it in falling order. All work that may come in L is
//!   done in L, so no busy period is longer. For each of the numbers, either all work that is due up to it,
//!   plus the work that goes first up to the next number, fits into that next number, and then it does so at
//!   all points between the two; or nothing is due between them. (Zhang and Burns, *Schedulability analysis
//!   for real-time systems with EDF scheduling*, IEEE Transactions on Computers 58(9), 2009, find such points
//!   in this way.)
//! - *Fixed priority.* A number for each task, in order, at most the time that its jobs have. The task's own
//!   work, and all work that goes first and may come in that time, is done in it.
//!
//! **Exact class.** Programs with one trigger each, no threads, no guards, no completion entries. An event
//! (`when`) may come at any time from the next tick on; the program has to let time pass before it waits for
//! another. The numbers assume that tasks are released together and as often as they may be: where that can't
//! happen, programs may be refused without need. Memory: five words for each task.
//!
//! **Steps** are short: an instruction, a driver or a task of a run, or eight tasks or losses. Their number
//! is bounded before the first one ([`most_steps`]): it grows with the code, and with the numbers of the
//! certificate times tasks and losses.
//!
//! ```text
//!            for each program                        for each rank
//!   Clear --> Scan --> Walk <--> Touch, Release --> Rank --> Sum: busy, due, fits --> accepted
//!              weight   |  ^                         |  ^--- Fixed <--> Sum: response
//!                       v  |                         +--^ no task of this rank
//!                       Pass, Forget: time has passed, the program's end
//! ```

mod ranks;
mod walk;
mod work;

use super::time::{Breach, Fault, Image, Unknown};
use crate::container::Container;
use ranks::{Sum, What};
use walk::Walk;
use work::Paces;

pub use walk::LAPS;
pub use work::{coming, due, last_before, lost};

/// A task's known times, all in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// The least distance between two releases; none if it is never released twice.
    pub period: Option<u32>,
    /// The time by which its jobs have to be done: their deadline, which decides what goes first.
    pub deadline: u32,
}

/// The source of a certificate's numbers.
pub trait Numbers {
    /// A number, in ticks.
    fn number(&self, place: u16) -> Option<u32>;
}

impl Numbers for [u32] {
    fn number(&self, place: u16) -> Option<u32> {
        self.get(usize::from(place)).copied()
    }
}

impl Numbers for Container<'_> {
    fn number(&self, place: u16) -> Option<u32> {
        self.certified(place)
    }
}

/// The result of a step.
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
    /// Something that the code does, or it is outside the class.
    Code(Breach),
    /// The certificate doesn't show that the tasks of a rank are done in time.
    Certificate {
        /// The rank.
        rank: u8,
        /// The number's place in the certificate.
        number: u16,
    },
}

/// What is done next, usually from some task on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Stage {
    Clear(u8),
    /// Counts how many steps the code of a program takes, once round.
    Scan,
    /// The code of a program.
    Walk,
    /// Drivers from one up to another.
    Touch {
        driver: u16,
        end: u16,
    },
    /// Releases from one task up to another.
    Release {
        task: u8,
        end: u8,
        deadline: u8,
    },
    /// Time passes up to the next instant.
    Pass(u8),
    /// The releases of this program are forgotten before the next program.
    Forget(u8),
    /// Whether the rank has a task.
    Rank(u8),
    /// A sum at a number.
    Sum,
    /// A task of a fixed-priority rank.
    Fixed(u8),
    /// All ranks are done in time.
    Accepted,
}

/// The check, to be kept between steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Demand {
    stage: Stage,
    /// The walk through a program.
    walk: Walk,
    /// The current sum.
    sum: Sum,
    /// How many numbers have been used.
    used: u16,
}

/// Words of memory for each task.
pub const WORDS: usize = 5;
/// Tasks or losses in one step.
const CHUNK: u8 = 8;

impl Demand {
    /// Before the first step.
    pub const BEGIN: Demand =
        Demand { stage: Stage::Clear(0), walk: Walk::at(0, 0, 0), sum: Sum::of(What::Busy, 0, 0), used: 0 };

    /// One step. The arguments are those of the steps before.
    pub fn step(
        &mut self,
        image: &impl Image,
        certificate: &(impl Numbers + ?Sized),
        memory: &mut [u32],
    ) -> Outcome {
        match (Turn { image, certificate, paces: Paces(memory), check: self }).perform() {
            Ok(()) if self.stage == Stage::Accepted => Outcome::Accepted,
            Ok(()) => Outcome::Again,
            Err(stop) => Outcome::Refused(self.refusal(stop)),
        }
    }

    /// Where it was refused: at an instruction, or at a number that is wrong or missing.
    fn refusal(&self, stop: Stop) -> Refusal {
        match stop {
            Stop::Code(fault) => Refusal::Code(self.walk.breach(fault)),
            Stop::Certificate => {
                Refusal::Certificate { rank: self.sum.rank(), number: self.used.saturating_sub(1) }
            }
        }
    }

    /// Checks to the end; returns how many steps it took.
    ///
    /// # Errors
    /// Why the programs are refused.
    pub fn run(
        mut self,
        image: &impl Image,
        certificate: &(impl Numbers + ?Sized),
        memory: &mut [u32],
    ) -> Result<u32, Refusal> {
        let mut steps = 0_u32;
        // bound: `most_steps`
        loop {
            steps = steps.saturating_add(1);
            match self.step(image, certificate, memory) {
                Outcome::Again => {}
                Outcome::Accepted => return Ok(steps),
                Outcome::Refused(refusal) => return Err(refusal),
            }
        }
    }

    /// Only reads the programs, for a tool that searches for a certificate.
    ///
    /// # Errors
    /// What is wrong with their code.
    pub fn paces(
        image: &impl Image,
        memory: &mut [u32],
        mut tell: impl FnMut(u8, Pace),
    ) -> Result<(), Breach> {
        let mut demand = Demand::BEGIN;
        // bound: `most_steps`
        while !matches!(demand.stage, Stage::Rank(_)) {
            if let Outcome::Refused(Refusal::Code(breach)) = demand.step(image, [].as_slice(), memory) {
                return Err(breach);
            }
        }
        let paces = Paces(memory);
        (0..image.tasks()).for_each(|task| tell(task, paces.pace(task)));
        Ok(())
    }
}

/// The most steps that a check takes, whatever the code and the numbers: for tools and tests.
#[must_use]
pub fn most_steps(image: &impl Image, numbers: u16) -> u64 {
    let (tasks, ranks) = (u64::from(image.tasks()), u64::from(image.ranks()));
    let losses = (0..=u8::MAX).map_while(|row| image.loss(row)).fold(0, |count: u64, _| count + 1);
    let chunks = |items: u64| items / u64::from(CHUNK) + 1;
    let reading = (0..image.programs()).map(|program| {
        let (length, weight) = walk::size(image, program);
        // Each instruction once, then the laps; the step that finds that these don't suffice; the end.
        length + 1 + u64::from(LAPS) * weight + 1 + chunks(tasks)
    });
    let clear = tasks + 1;
    // Whether there is a task, and each task of a fixed-priority rank; the end.
    let ranks = ranks * (chunks(tasks) + tasks + 1) + 1;
    // At each number, the sums of what is due and what fits.
    let numbers = u64::from(numbers) * 2 * chunks(tasks + losses);
    clear + reading.sum::<u64>() + ranks + numbers
}

struct Turn<'x, 'm, I, N: ?Sized> {
    check: &'x mut Demand,
    image: &'x I,
    certificate: &'x N,
    paces: Paces<'m>,
}

/// Why the check stops, in few bytes: most functions here may return it.
#[derive(Clone, Copy)]
enum Stop {
    /// Something is wrong with the walk's current instruction.
    Code(Fault),
    /// The last number that was used is wrong.
    Certificate,
}

/// The result of a step: the next stage is noted, or the check stops.
type Go = Result<(), Stop>;

impl<I: Image, N: Numbers + ?Sized> Turn<'_, '_, I, N> {
    fn perform(&mut self) -> Go {
        match self.check.stage {
            Stage::Clear(task) => self.clear(task),
            Stage::Scan => self.scan(),
            Stage::Walk => self.walk(),
            Stage::Touch { driver, end } => self.touch(driver, end),
            Stage::Release { task, end, deadline } => self.release(task, end, deadline),
            Stage::Pass(task) => self.pass(task, false),
            Stage::Forget(task) => self.pass(task, true),
            Stage::Rank(task) => self.rank(task),
            Stage::Sum => self.sum(),
            Stage::Fixed(task) => self.fixed(task),
            Stage::Accepted => Ok(()),
        }
    }

    /// Goes on to a stage.
    fn to(&mut self, stage: Stage) -> Go {
        self.check.stage = stage;
        Ok(())
    }

    fn clear(&mut self, task: u8) -> Go {
        if usize::from(self.image.tasks()) * WORDS > self.paces.0.len() {
            return self.breach(Fault::Memory);
        }
        if task >= self.image.tasks() {
            return self.begin(0);
        }
        self.paces.clear(task);
        self.to(Stage::Clear(task + 1))
    }

    fn unknown<T>(&self, unknown: Unknown) -> Result<T, Stop> {
        self.breach(Fault::Unknown(unknown))
    }

    fn breach<T>(&self, fault: Fault) -> Result<T, Stop> {
        Err(Stop::Code(fault))
    }
}
