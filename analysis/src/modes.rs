//! Systems whose modules switch modes: what each module can ask for at most, over all ways through its modes.
//!
//! [`crate::prove`] takes tasks that are released at equal distances for ever. A module with several modes is only
//! covered by it if all its modes are counted as if they ran at a time. Here each module is a graph: its instants, what is
//! due at each, and the switches between them. From it come two curves, over all ways that the module can go:
//!
//! - *requests*: the most work that is released in a window of some length, for all that is at least as urgent as
//!   somebody;
//! - *demand*: the most work of a band that is released and due in a window of some length.
//!
//! A switch is at an instant at which no job of its module is at work, so each job belongs to one mode, and a window is
//! cut by its switches into stretches of single modes: what it holds is a sum over modes that follow each other, never of
//! modes at a time. Modules switch independently, so their curves are added, whatever the distance between their periods.
//!
//! The tests upon the curves are those for streams: a fixed band's job is done within the shortest window that holds
//! it with the requests of all that is as urgent; a dynamic band's jobs meet their deadlines if what is due in each window is
//! done in it beneath the requests of the bands above. *Safe*: the curves are sums of maxima. Digraphs of tasks and their
//! curves are from Stigge, Ekberg, Guan and Yi, *The digraph real-time task model* (2011).

mod bands;
mod curve;
#[cfg(test)]
pub(crate) mod plain;
mod row;
mod steps;

use crate::failure::{Failure, Fault};
use crate::model::System;
use crate::proof::Proof;
use crate::schedule::TaskIndex;
use crate::ticks::Ticks;

/// A system with modules that switch modes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Modal {
    /// All tasks, in their bands. Of those that a module below releases only name, execution time and priority count; of
    /// drivers only those that no module below calls.
    pub system: System,
    /// The modules that switch modes, or don't release at equal distances.
    pub modules: Vec<Module>,
}

/// A module as a graph of modes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Module {
    /// Its modes. It may begin in any.
    pub modes: Vec<Mode>,
}

/// A mode.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mode {
    /// After which everything comes again; positive.
    pub period: Ticks,
    /// Logical execution times of tasks; those of one task are in order and don't overlap.
    pub jobs: Vec<Job>,
    /// What runs above all bands, by its instant in the period: more than 0, at most the period.
    pub calls: Vec<(Ticks, Ticks)>,
    /// What runs above all bands where the mode begins, or one of its releases is at an instant: less than the period.
    pub begins: Vec<(Ticks, Ticks)>,
    /// Where it leads.
    pub switches: Vec<Switch>,
}

/// A job in a period of a mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// Whose.
    pub task: TaskIndex,
    /// The release; less than the period.
    pub start: Ticks,
    /// The deadline; after the release, at most the period.
    pub end: Ticks,
}

/// A change to another mode. No job is at work then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    /// From one test to the next; positive.
    pub every: Ticks,
    /// The mode that begins.
    pub target: usize,
}

/// Proves that every deadline holds, whatever ways the modules go.
///
/// *Safe* for strictly periodic tasks with constrained deadlines and the given offsets, and modules as above; offsets
/// only tell which instants of these tasks are the same. Response times and
/// margins are those of the logical execution time that leaves the least margin.
///
/// # Errors
/// [`Failure::Invalid`]; [`Failure::TimesTooLarge`]; [`Failure::Overload`] and [`Failure::NotProved`], which say nothing of a
/// run that misses; [`Failure::TooLong`] if the modules have too many ways.
pub fn prove(modal: &Modal) -> Result<Proof, Failure> {
    modal.validate()?;
    bands::prove(modal)
}

/// Whether [`prove`] proves it; sooner, since nothing is told of a proof.
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
    /// The tasks that the modules release.
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
        if mode.period == Ticks::ZERO || mode.switches.iter().any(|switch| switch.every == Ticks::ZERO) {
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
