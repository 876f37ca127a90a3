//! A simulation: what is run, how, and its outcome.

use std::fmt;

use beryl_abi::{Duration, Instant, Range};
use beryl_kernel::{Sizes, System};

use crate::calls::Calls;
use crate::console::{ConsoleLines, Printed};
use crate::costs::Costs;
use crate::environment::{Access, Environment, Nanoseconds};
use crate::error::SimulationError;
use crate::hostile::Misdeeds;
use crate::peer::{Nobody, Peer};
use crate::place::Placed;
use crate::processor::Processor;
use crate::scenario::Scenario;
use crate::times::ExecutionTimes;
use crate::trace::{Counts, Stop};

/// A system with its code and its environment, ready to run once.
pub struct Simulation<'a, S: Sizes> {
    /// The kernel's tables.
    pub system: &'static System<S>,
    /// The code of the threads that exist, in the order of the thread table.
    pub threads: &'a [ThreadCode],
    /// The memory in which ports lie.
    pub memory: Memory<'a>,
    /// How long a tick of kernel time is.
    pub tick: Tick,
    /// The lines that the console raises.
    pub console: ConsoleLines,
    /// The other end of sensors and actuators.
    pub environment: Box<dyn Environment>,
}

/// A range of target addresses that application code and kernel share.
#[derive(Clone, Copy, Debug)]
pub struct Memory<'a> {
    /// The first address; a multiple of eight.
    pub base: u32,
    /// Number of bytes.
    pub size: u32,
    /// The initial content: bytes by address. The rest is zero.
    pub image: &'a [(u32, &'a [u8])],
}

/// The length of a tick: this many nanoseconds are this many ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tick {
    /// Nanoseconds.
    pub nanoseconds: u32,
    /// Ticks in that time; at least one.
    pub ticks: u32,
}

impl Tick {
    /// A tick of whole nanoseconds.
    #[must_use]
    pub const fn of_nanoseconds(nanoseconds: u32) -> Tick {
        Tick { nanoseconds, ticks: 1 }
    }

    /// How many nanoseconds behind the start an instant is, rounded down; saturates.
    pub(crate) fn nanoseconds(self, instant: Instant) -> Nanoseconds {
        let product = u128::from(instant.ticks()) * u128::from(self.nanoseconds);
        Nanoseconds::new(u64::try_from(product / u128::from(self.ticks.max(1))).unwrap_or(u64::MAX))
    }

    /// The first tick at or after so many nanoseconds behind the start; saturates.
    pub(crate) fn instant(self, since: Nanoseconds) -> Instant {
        let product = u128::from(since.count()) * u128::from(self.ticks);
        let ticks = product.div_ceil(u128::from(self.nanoseconds.max(1)));
        Instant::from_ticks(u64::try_from(ticks).unwrap_or(u64::MAX))
    }
}

/// A thread's code and how long it takes.
#[derive(Clone, Copy)]
pub struct ThreadCode {
    /// Its name, for messages.
    pub name: &'static str,
    /// Its entry; none for the idle thread.
    pub entry: Option<extern "C" fn() -> !>,
    /// The least time of a job of a task or of a periodic thread, or of what a free thread does
    /// between two system calls.
    pub best: Duration,
    /// The most time of the same.
    pub worst: Duration,
    /// Bytes of stack. A fiber has at least 256 KiB.
    pub stack: usize,
    /// Its stack in the system's memory: messages that it hands to the kernel pass through it, and its
    /// last eight bytes are the words that the thread shares with the kernel.
    pub memory: Range,
    /// The most that all random parts of a job take together: the shortest time of any section that
    /// it enters, if it has any.
    pub hold: Duration,
    /// The ceiling that it takes for a critical section: 0 if it keeps nobody out, none if it may enter none.
    pub section: Option<u8>,
    /// For a driver thread: the least and the most time of each of its functions, by number.
    pub drivers: &'static [(Duration, Duration)],
}

impl fmt::Debug for ThreadCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("ThreadCode").field(&self.name).finish()
    }
}

/// How a simulation is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The end of the run: whatever is due at this instant or later doesn't happen.
    pub until: Instant,
    /// How execution times are chosen.
    pub times: ExecutionTimes,
    /// How long the kernel's steps take.
    pub costs: Costs,
    /// The processor time of this machine after which a segment counts as endless; zero for never.
    pub watchdog: std::time::Duration,
    /// The event that ends the run early; none if it always goes on to its end.
    pub stop: Option<Stop>,
    /// Whether the kernel records what it does. Without records nothing can end the run early.
    pub records: bool,
    /// Whether each thread's stack is closed to the others, as on a board. Costs two calls of the operating
    /// system whenever another thread's code goes on.
    pub borders: bool,
}

impl Options {
    /// A run until `until` with worst-case times, kernel steps that take no time, records, no borders, and
    /// ten seconds for the watchdog.
    #[must_use]
    pub const fn until(until: Instant) -> Options {
        Options {
            until,
            times: ExecutionTimes::Worst,
            costs: Costs::None,
            watchdog: std::time::Duration::from_secs(10),
            stop: None,
            records: true,
            borders: false,
        }
    }
}

/// The outcome of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The kernel's records in their binary form ([`beryl_abi::record`]), as a board writes them.
    pub trace: Vec<u8>,
    /// How many records of each kind there are.
    pub counts: Counts,
    /// The environment's report at the end.
    pub environment: Result<String, String>,
    /// Every sensor value read and actuator value written, in order.
    pub accesses: Vec<Access>,
    /// The system calls that were made.
    pub calls: Calls,
    /// What the hostile process did, if there was one.
    pub misdeeds: Misdeeds,
    /// The system's memory at the end.
    pub memory: Vec<u8>,
    /// Everything that the application printed or sent through the console device; bytes that aren't text are
    /// replaced.
    pub console: String,
    /// The same line by line: when each began, and the thread that began it.
    pub printed: Vec<Printed>,
    /// Where faults happened, as far as that is known.
    pub places: Vec<Placed>,
}

/// Runs a simulation. The same simulation and options give the same outcome.
///
/// # Errors
/// See [`SimulationError`]. Faults of application code are not among them.
pub fn run<S: Sizes>(simulation: Simulation<'_, S>, options: &Options) -> Result<Outcome, SimulationError> {
    run_with(simulation, Box::new(Nobody), options)
}

/// As [`run`], with a peer at the other end of the console's line.
///
/// # Errors
/// See [`SimulationError`].
pub fn run_with<S: Sizes>(
    simulation: Simulation<'_, S>,
    peer: Box<dyn Peer>,
    options: &Options,
) -> Result<Outcome, SimulationError> {
    run_planned(simulation, peer, options, &Scenario::default())
}

/// As [`run_with`], with a scenario.
///
/// # Errors
/// See [`SimulationError`].
pub fn run_planned<S: Sizes>(
    simulation: Simulation<'_, S>,
    peer: Box<dyn Peer>,
    options: &Options,
    scenario: &Scenario,
) -> Result<Outcome, SimulationError> {
    let (outcome, endless) = run_as_far_as_it_goes(simulation, peer, options, scenario)?;
    endless.map_or(Ok(outcome), Err)
}

/// The same, with what ended the run if a thread's code doesn't end: the outcome has all that came before.
pub(crate) fn run_as_far_as_it_goes<S: Sizes>(
    simulation: Simulation<'_, S>,
    peer: Box<dyn Peer>,
    options: &Options,
    scenario: &Scenario,
) -> Result<(Outcome, Option<SimulationError>), SimulationError> {
    Processor::new(simulation, peer, options, scenario)?.run()
}
