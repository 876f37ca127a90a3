//! Time safety and time sharing, for all execution times up to the bounds at once.
//!
//! E code says at which instants tasks are released and ports are touched; between two such instants, S code runs tasks in
//! an order that doesn't depend on the clock. So the check goes from instant to instant and keeps, for each place at which a thread may
//! stand, how much of each job may be left at most. A job that may be done earlier only moves its thread on: both outcomes of a
//! timeout are followed where both are possible, and of two ways to one place the worse one stands for both, if one is. It ends when what it keeps is what it
//! was before: then everything repeats.
//!
//! ```text
//!           due                 nothing due           all wait
//!   React ------> React (E code) ----------> Settle ----------> Pass -----> React
//!     |             one instruction a step     threads, at      from this instant to the next: jobs that
//!     |                                        this instant     threads hold, then the policy's
//!     +--> accepted: as it was before
//! ```
//!
//! **Exact class.** Programs whose triggers are on time only, without guards, and whose tasks are all the policy's, or all dispatched, each by one
//! thread at a time; whose threads fork behind a timeout. If jobs may take anything from nothing to their bound, and there is memory enough, such
//! a program is refused only if some execution times break it. With guards, other triggers and moments that depend on execution times a program is refused
//! with the reason ([`Fault::Unknown`]); where threads dispatch a part of the tasks, perhaps without need.
//!
//! The program must have passed the check of [structure](super::structure).

mod pass;
mod reaction;
mod settle;
mod state;

use core::fmt;

use crate::container::Container;
use pass::{Passing, Walk};
use state::State;

/// Who runs tasks that no thread dispatches, where no thread holds one: also while threads idle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Nobody.
    None,
    /// The earliest deadline.
    EarliestDeadline,
    /// The lowest number.
    FixedPriority,
}

/// What the check has to know beside the program.
#[derive(Clone, Copy, Debug)]
pub struct Image<'a> {
    /// The longest execution time of each task, in ticks.
    pub bounds: &'a [u32],
    /// For each driver, a bit for each task whose ports it touches; rows of whole bytes, the lowest bit first.
    pub touches: &'a [u8],
    /// Who runs tasks that no thread dispatches.
    pub policy: Policy,
}

impl Image<'_> {
    /// Whether a driver touches a task's ports (paper, section 2: the matrix of bits).
    #[must_use]
    pub fn is_touched(&self, driver: usize, task: usize) -> bool {
        let row = self.bounds.len().div_ceil(8);
        self.touches.get(driver * row + task / 8).is_some_and(|byte| byte >> (task % 8) & 1 == 1)
    }
}

/// What may go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A driver touches ports of a task, or releases it, while it may be at work: the task.
    Safety(usize),
    /// Two threads may hold tasks at one time.
    Share,
    /// More threads than places, of those that triggers begin.
    Threads,
    /// The program is outside of the class that this check can decide.
    Unknown(Unknown),
    /// More tasks, triggers or places of threads than the checker has memory for.
    Memory,
    /// Nothing has repeated itself for as many instants as the check was given, or one instant takes too many steps.
    Long,
}

/// What the check can't decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// A guard: what it says isn't known.
    Guard,
    /// A trigger on anything but time: how often it comes isn't known.
    Event,
    /// A thread that begins another, or a driver in a thread, at a moment that depends on execution times.
    Moment,
    /// A task that two threads dispatch.
    Shared,
}

/// Where and when a program may go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Breach {
    /// The instruction.
    pub address: usize,
    /// The instant, in ticks from the start.
    pub at: u64,
    /// What may go wrong there.
    pub fault: Fault,
}

impl fmt::Display for Breach {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "instruction {} at {}: ", self.address, self.at)?;
        match self.fault {
            Fault::Safety(task) => write!(out, "task {task} may still be at work"),
            Fault::Share => write!(out, "two threads may hold tasks"),
            Fault::Threads => write!(out, "there may be more threads than places"),
            Fault::Memory => write!(out, "the checker has too little memory for this program"),
            Fault::Long => write!(out, "nothing has repeated itself yet"),
            Fault::Unknown(Unknown::Guard) => write!(out, "what a guard says isn't known"),
            Fault::Unknown(Unknown::Event) => write!(out, "how often the trigger comes isn't known"),
            Fault::Unknown(Unknown::Moment) => write!(out, "the moment depends on execution times"),
            Fault::Unknown(Unknown::Shared) => write!(out, "two threads dispatch this task"),
        }
    }
}

impl core::error::Error for Breach {}

/// What is proved of an accepted program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// How many instants were looked at before everything repeated itself.
    pub instants: u32,
    /// How many steps it took.
    pub steps: u32,
}

/// What a step came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// There is more to do.
    Again,
    /// The program is accepted.
    Accepted(Proof),
    /// The program is refused.
    Refused(Breach),
}

/// Where the check stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Before the start: reading the code once.
    Scan(usize),
    /// The same for entries of completions.
    Completions(usize),
    /// At an instant: triggers that are due.
    React,
    /// In E code.
    Code(usize),
    /// Threads, one position at a time.
    Settle,
    /// To the next instant.
    Pass(Passing),
}

/// The check of a program's time. It needs about `8 * TASKS * (PLACES + 2)` bytes.
#[derive(Clone, Debug)]
pub struct Time<'a, const TASKS: usize, const PLACES: usize> {
    container: Container<'a>,
    image: Image<'a>,
    stage: Stage,
    now: u64,
    state: State<TASKS, PLACES>,
    /// What was kept at an earlier instant, and when that was.
    before: State<TASKS, PLACES>,
    before_at: u64,
    /// Steps since the last instant: however strange a program is, its check ends.
    at_once: usize,
    /// When the program last changed its mode.
    changed: Option<u64>,
    /// The thread that is followed to the next instant.
    walk: Option<Walk<TASKS>>,
    /// Tasks that some thread dispatches.
    dispatched: [bool; TASKS],
    /// The longest time that a thread waits for.
    longest: u64,
    proof: Proof,
    patience: u32,
}

impl<'a, const TASKS: usize, const PLACES: usize> Time<'a, TASKS, PLACES> {
    /// A check that hasn't begun; it gives up after so many instants.
    #[must_use]
    pub fn new(container: Container<'a>, image: Image<'a>, patience: u32) -> Time<'a, TASKS, PLACES> {
        let mut state = State::BLANK;
        state.begin(container.start());
        let proof = Proof { instants: 0, steps: 0 };
        let before = State::BLANK;
        Time {
            container,
            image,
            stage: Stage::Scan(0),
            now: 0,
            state,
            before,
            before_at: 0,
            at_once: 0,
            changed: None,
            walk: None,
            dispatched: [false; TASKS],
            longest: 0,
            proof,
            patience,
        }
    }

    /// Checks to the end.
    ///
    /// # Errors
    /// Where and when the program may go wrong first.
    pub fn run(mut self) -> Result<Proof, Breach> {
        // bound: patience, times the code
        loop {
            match self.step() {
                Outcome::Again => {}
                Outcome::Accepted(proof) => return Ok(proof),
                Outcome::Refused(breach) => return Err(breach),
            }
        }
    }

    /// One step: an instruction, or one pass over tasks and places.
    pub fn step(&mut self) -> Outcome {
        self.proof.steps = self.proof.steps.saturating_add(1);
        self.at_once = self.at_once.saturating_add(1);
        if self.at_once > 64 * (self.container.length() + TASKS + PLACES) {
            return Outcome::Refused(Breach { address: 0, at: self.now, fault: Fault::Long });
        }
        let answer = match self.stage {
            Stage::Scan(address) => self.scan(address).map(Some),
            Stage::Completions(index) => self.completion(index).map(Some),
            Stage::React => self.react(),
            Stage::Code(address) => self.code(address).map(Some),
            Stage::Settle => self.settle().map(Some),
            Stage::Pass(passing) => self.pass(passing).map(Some),
        };
        match answer {
            Ok(Some(stage)) => {
                self.stage = stage;
                Outcome::Again
            }
            Ok(None) => Outcome::Accepted(self.proof),
            Err(breach) => Outcome::Refused(breach),
        }
    }

    fn breach<T>(&self, address: usize, fault: Fault) -> Result<T, Breach> {
        Err(Breach { address, at: self.now, fault })
    }

    /// Whether everything is as it was at an instant before. One state is kept, and replaced at instants twice as far apart
    /// each time, so that it is at last one that comes again (Brent's method).
    fn is_repeated(&mut self) -> bool {
        if self.proof.instants > 0 && self.state.is_like(self.now, &self.before, self.before_at, self.longest)
        {
            return true;
        }
        if self.proof.instants.is_power_of_two() {
            self.before = self.state;
            self.before_at = self.now;
        }
        self.proof.instants += 1;
        false
    }
}
