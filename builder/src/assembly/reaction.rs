//! What a module does about a job that is in its way.

/// What is done about a task's job that isn't done when its program needs the task's ports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reaction {
    /// Whether the job goes on; what needs its ports is left out then. It is stopped otherwise.
    pub goes_on: bool,
    /// Drivers that are carried out instead of its outputs, by their indices.
    pub drivers: Vec<usize>,
    /// Whether a mode of the module begins.
    pub switches: bool,
}

impl Reaction {
    /// Whether it is more than to stop the job.
    #[must_use]
    pub fn has_handler(&self) -> bool {
        self.goes_on || !self.drivers.is_empty()
    }
}
