//! Chains: how long it takes from a sensor through tasks with logical execution times to an actuator.
//!
//! A chain is a list of *stages*, tasks that pass a value on: the first reads a sensor, each other stage
//! reads the output of the one before, and at the end an actuator is updated with the last stage's output. A
//! task reads at the start of its logical execution time and publishes at its end, whatever the processor
//! does, so all of this follows from the program's text. Two times answer a control engineer's questions:
//!
//! - **Latency**: from any instant at which something changes at the sensor, to the first update that follows
//!   from a sample taken after it. The longest latency is also the greatest age of the actuator's value when
//!   it is replaced (Feiertag, Richter, Nordlander, Jonsson, *A compositional framework for end-to-end path
//!   delay calculation of automotive systems*, 2008, call it first to first).
//! - **Age**: at an update, the time since its sample was taken (there: last to last).
//!
//! A stage may read *at once* instead (`crate::synchronous`): what the last activation of the stage before comes to, that of
//! the same instant included. Stages then go in the order of the chain, in no time. Actuators read what is visible all the
//! same, so no response time is in any of this.
//!
//! Model: modules run side by side from instant 0, each in one of its modes. Each time a switch is tested, it
//! is taken or not, independently of everything else; without a guard it is always taken. Activities have no
//! guards, or their guards say yes. The phases of an instant are those of the language: outputs, actuators,
//! switches, releases. In this model the results are *exact*: the longest age is reached, and the longest
//! latency is approached by a change just after a sample. If the modules together have too many states, each
//! is analysed alone, and the sum is *safe*.

mod age;
pub(crate) mod instants;
mod latency;
mod longest;
mod quick;
mod rows;
mod segments;
pub(crate) mod state_graph;

use crate::failure::{Failure, Fault};
use crate::rhythm::Rhythm;
use crate::ticks::Ticks;

use state_graph::{End, Runs};

/// A chain and the modules that it goes through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The module of each stage, then the actuator's: indices into `modules`.
    pub places: Vec<usize>,
    /// The modules, in any order.
    pub modules: Vec<Module>,
}

/// The parts of a module that matter to the chain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Module {
    /// Its modes.
    pub modes: Vec<Mode>,
    /// The mode in which it starts.
    pub start: usize,
}

/// The parts of a mode that matter to the chain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mode {
    /// The length after which everything repeats; positive.
    pub period: Ticks,
    /// The stages that the mode releases, each at most once.
    pub jobs: Vec<Jobs>,
    /// The updates of the chain's actuator.
    pub updates: Option<Updates>,
    /// Whether the actuator is updated with the chain's value when the mode is entered, too, behind the switches.
    pub enters: bool,
    /// In the order in which they are tested. No job is at work at these instants.
    pub switches: Vec<Switch>,
}

/// The jobs of a stage in a mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jobs {
    /// The index of the stage.
    pub stage: usize,
    /// Whether they read the chain's value rather than something else.
    pub carries: bool,
    /// Whether that is what the last activation of the stage before comes to, that of the same instant included, rather
    /// than what is visible. Only within a module, and not of the first stage.
    pub at_once: bool,
    /// Start and end of each logical execution time in a period, in order, without overlap.
    pub windows: Vec<(Ticks, Ticks)>,
}

/// The updates of the chain's actuator in a mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Updates {
    /// When they come.
    pub come: Rhythm,
    /// Whether they use the chain's value rather than something else.
    pub carries: bool,
}

/// A switch to another mode, or back to the start of the same one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    /// When it is tested.
    pub tested: Rhythm,
    /// Whether it is taken whenever it is tested.
    pub always: bool,
    /// The mode that begins.
    pub target: usize,
}

/// The longest value of a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Longest {
    /// In no run does anything arrive.
    Never,
    /// At most this.
    Within(Ticks),
    /// It has no bound: for any length there is a longer run.
    Unbounded,
}

/// The two times of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// From a change at the sensor to the first update that follows from it.
    pub latency: Longest,
    /// The age of a sample at an update that follows from it.
    pub age: Longest,
}

/// How tight a result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Reached, or approached, by a run of the model.
    Exact,
    /// No run of the model takes longer.
    Safe,
}

/// The result for a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Over all runs, with any switches.
    pub switching: Times,
    /// From when each module stays in its mode, the worst over all combinations of modes in which the chain
    /// is whole; `None` if there is no such combination.
    pub staying: Option<Times>,
    /// The same for each combination of modes that is possible and can be kept; empty if modules were
    /// analysed alone.
    pub combinations: Vec<Combination>,
    /// How tight the times are.
    pub class: Class,
}

/// The times of a chain while each module stays in one mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Combination {
    /// The mode of each module.
    pub modes: Vec<usize>,
    /// The times.
    pub times: Times,
}

/// The times of a chain.
///
/// # Errors
/// [`Failure::Invalid`], [`Failure::TimesTooLarge`]; [`Failure::TooLong`] if even a module alone has too many
/// states.
pub fn times(chain: &Chain) -> Result<Found, Failure> {
    chain.validate()?;
    match Runs::of(chain, End::Update) {
        Err(Failure::TooLong) if chain.modules.len() > 1 => segments::times(chain),
        runs => together(&runs?),
    }
}

/// The times of a chain, with each module analysed alone: fast for any number of modules, and safe.
///
/// # Errors
/// As [`times`].
pub fn in_parts(chain: &Chain) -> Result<Found, Failure> {
    chain.validate()?;
    segments::times(chain)
}

/// Analyses all modules together.
fn together(runs: &Runs) -> Result<Found, Failure> {
    let switching = Times { latency: latency::in_all(runs)?, age: age::in_all(runs)? };
    let mut combinations = Vec::new();
    for (modes, states) in runs.kept() {
        let times = Times { latency: latency::among(runs, &states)?, age: age::among(runs, &states)? };
        combinations.push(Combination { modes, times });
    }
    let whole = combinations.iter().map(|row| row.times).filter(Times::is_whole);
    Ok(Found { switching, staying: whole.reduce(Times::or), combinations, class: Class::Exact })
}

impl Times {
    /// Whether every change at the sensor arrives.
    pub fn is_whole(&self) -> bool {
        matches!(self.latency, Longest::Within(_))
    }

    /// The longer of each.
    fn or(self, other: Times) -> Times {
        Times { latency: self.latency.max(other.latency), age: self.age.max(other.age) }
    }
}

impl Chain {
    /// The number of tasks in it.
    pub fn stages(&self) -> usize {
        self.places.len().saturating_sub(1)
    }

    fn validate(&self) -> Result<(), Failure> {
        let invalid = |index: usize, fault| Failure::Invalid { name: format!("module {index}"), fault };
        let unknown = |place: &usize| *place >= self.modules.len();
        if self.places.is_empty()
            || self.stages() > state_graph::MOST_STAGES
            || self.places.iter().any(unknown)
        {
            return Err(invalid(self.modules.len(), Fault::NoSuchModule));
        }
        for (index, module) in self.modules.iter().enumerate() {
            if module.modes.iter().flat_map(|mode| &mode.jobs).any(|jobs| self.is_apart(jobs)) {
                return Err(invalid(index, Fault::AtOnceFromOutside));
            }
            let modes = module.modes.iter().map(|mode| mode.fault(self.stages(), module.modes.len()));
            let start = (module.start >= module.modes.len()).then_some(Fault::NoSuchMode);
            if let Some(fault) = modes.flatten().chain(start).next() {
                return Err(invalid(index, fault));
            }
        }
        Ok(())
    }

    /// Whether jobs read at once what no stage of their module writes.
    fn is_apart(&self, jobs: &Jobs) -> bool {
        let place = |stage: Option<usize>| stage.and_then(|stage| self.places.get(stage));
        let before = place(jobs.stage.checked_sub(1));
        jobs.at_once && (before.is_none() || before != place(Some(jobs.stage)))
    }
}

impl Mode {
    fn fault(&self, stages: usize, modes: usize) -> Option<Fault> {
        let tested = self.switches.iter().map(|switch| &switch.tested);
        let mut rhythms = tested.chain(self.updates.iter().map(|updates| &updates.come));
        let wrong_windows = |jobs: &Jobs| {
            let outside = |(start, end): &(Ticks, Ticks)| start >= end || *end > self.period;
            jobs.stage >= stages
                || jobs.windows.iter().any(outside)
                || jobs.windows.windows(2).any(|pair| pair[0].1 > pair[1].0)
        };
        if self.period == Ticks::ZERO || rhythms.any(|rhythm| !rhythm.fits(self.period)) {
            Some(Fault::NoPeriod)
        } else if self.switches.iter().any(|switch| switch.target >= modes) {
            Some(Fault::NoSuchMode)
        } else if self.jobs.iter().any(wrong_windows) {
            Some(Fault::WindowOutOfRange)
        } else {
            None
        }
    }
}
