//! Systems whose modules switch modes: the most that each module can require, over all paths through its
//! modes.
//!
//! [`crate::prove`] takes tasks that are released at equal distances for ever. It covers a module with
//! several modes only if all modes are counted as running at once. Here each module is a graph: its instants,
//! the events due at each, and the switches between modes. It yields two curves, over all paths of the
//! module:
//!
//! - *requests*: the most work that is released in a window of some length, of at least some urgency;
//! - *demand*: the most work of a band that is both released and due in a window of some length.
//!
//! At the instant of a switch no job of its module is at work, so each job belongs to one mode, and switches
//! cut a window into stretches of single modes: its content is a sum over consecutive modes, never over
//! simultaneous ones. Modules switch independently, so their curves are added, whatever their relative phase.
//!
//! The tests on the curves are those for streams: a job of a fixed band is done within the shortest window
//! with room for it and the requests of everything as urgent; the jobs of a dynamic band meet their deadlines
//! if the due work of each window is done in it, below the requests of the bands above. *Safe*: the curves
//! are sums of maxima. Digraphs of tasks and their curves are from Stigge, Ekberg, Guan and Yi, *The digraph
//! real-time task model* (2011).

mod bands;
mod curve;
#[cfg(test)]
pub(crate) mod plain;
mod row;
mod steps;

use crate::failure::{Failure, Fault};
use crate::model::System;
use crate::proof::Proof;
use crate::rhythm::Rhythm;
use crate::schedule::TaskIndex;
use crate::ticks::Ticks;

/// A system with modules that switch modes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Modal {
    /// All tasks, in their bands. Of tasks released by a module below, only name, execution time and priority
    /// count. The drivers are only those that no module below calls.
    pub system: System,
    /// The modules that switch modes, or don't release at equal distances.
    pub modules: Vec<Module>,
}

/// A module as a graph of modes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Module {
    /// Its modes. It may start in any of them.
    pub modes: Vec<Mode>,
}

/// A mode.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mode {
    /// The length after which everything repeats; positive.
    pub period: Ticks,
    /// Logical execution times of tasks; those of one task are in order and don't overlap.
    pub jobs: Vec<Job>,
    /// Work above all bands, by its instant in the period: more than 0, at most the period.
    pub calls: Vec<(Ticks, Ticks)>,
    /// Work above all bands at the start of the mode, or at an instant with a release: less than the period.
    pub begins: Vec<(Ticks, Ticks)>,
    /// Work above all bands when it is entered, beside what begins then.
    pub enters: Ticks,
    /// Its switches.
    pub switches: Vec<Switch>,
}

/// A job in a period of a mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// The task.
    pub task: TaskIndex,
    /// The release; less than the period.
    pub start: Ticks,
    /// The deadline; after the release, at most the period.
    pub end: Ticks,
}

/// A switch to another mode. No job is at work then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    /// When it is tested.
    pub tested: Rhythm,
    /// The mode that begins.
    pub target: usize,
}

/// Proves that every deadline holds, whatever paths the modules take.
///
/// *Safe* for strictly periodic tasks with constrained deadlines and the given offsets, and modules as above;
/// offsets only determine which instants of these tasks coincide. Response times and margins are those of the
/// logical execution time that leaves the least margin.
///
/// # Errors
/// [`Failure::Invalid`]; [`Failure::TimesTooLarge`]; [`Failure::Overload`] and [`Failure::NotProved`], which
/// don't imply that any run misses; [`Failure::TooLong`] if the modules have too many paths.
pub fn prove(modal: &Modal) -> Result<Proof, Failure> {
    modal.validate()?;
    bands::prove(modal)
}

/// Whether [`prove`] proves it; faster, since it computes no details.
///
/// # Errors
/// [`Failure::TimesTooLarge`].
pub(crate) fn holds(modal: &Modal) -> Result<bool, Failure> {
    match modal.validate() {
        Ok(()) => bands::holds(modal),
        Err(_) => Ok(false),
    }
}

impl Modal {
    /// Whether a module releases the task.
    fn is_modal(&self, task: TaskIndex) -> bool {
        let jobs = self.modules.iter().flat_map(|module| &module.modes).flat_map(|mode| &mode.jobs);
        jobs.into_iter().any(|job| job.task == task)
    }

    fn validate(&self) -> Result<(), Failure> {
        self.system.validate()?;
        let fault = Fault::DeadlineOutOfRange;
        if let Some(task) = self.system.tasks().find(|task| task.deadline > task.period) {
            return Err(Failure::Invalid { name: task.name.clone(), fault });
        }
        for (index, module) in self.modules.iter().enumerate() {
            let faults = module.modes.iter().filter_map(|mode| self.fault(mode, module.modes.len()));
            if let Some(fault) = faults.into_iter().next() {
                return Err(Failure::Invalid { name: format!("module {index}"), fault });
            }
        }
        Ok(())
    }

    fn fault(&self, mode: &Mode, modes: usize) -> Option<Fault> {
        let known = |task: TaskIndex| {
            self.system.bands.get(task.band).is_some_and(|band| task.task < band.tasks.len())
        };
        let outside = |job: &Job| !known(job.task) || job.start >= job.end || job.end > mode.period;
        let called = mode.calls.iter().any(|(at, _)| *at == Ticks::ZERO || *at > mode.period);
        if mode.period == Ticks::ZERO || mode.switches.iter().any(|switch| !switch.tested.fits(mode.period)) {
            Some(Fault::NoPeriod)
        } else if mode.switches.iter().any(|switch| switch.target >= modes) {
            Some(Fault::NoSuchMode)
        } else if mode.jobs.iter().any(outside)
            || called
            || mode.begins.iter().any(|(at, _)| *at >= mode.period)
        {
            Some(Fault::WindowOutOfRange)
        } else {
            None
        }
    }
}
