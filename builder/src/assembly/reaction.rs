//! What a module does about a job that is in its way.

use beryl_abi::Duration;

/// What is done about a task's job that isn't done when its program needs the task's ports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reaction {
    /// Whether the job goes on; what needs its ports is left out then. It is stopped otherwise.
    pub goes_on: bool,
    /// Drivers that are carried out instead of its outputs, by their indices.
    pub drivers: Vec<usize>,
    /// Whether a mode of the module begins.
    pub switches: bool,
    /// How many releases are left out for one job at most; it is stopped then.
    pub most: Option<u8>,
    /// How what was left out is made up for, if it is.
    pub catch_up: Option<CatchUp>,
}

/// How releases are made up for that came while a job went on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatchUp {
    /// How many at most.
    pub most: u8,
    /// The drivers that copy the task's inputs.
    pub inputs: Vec<usize>,
    /// From a release to its deadline.
    pub due: Duration,
}

impl Reaction {
    /// Whether it is more than to stop the job.
    #[must_use]
    pub fn has_handler(&self) -> bool {
        self.goes_on || !self.drivers.is_empty()
    }
}
