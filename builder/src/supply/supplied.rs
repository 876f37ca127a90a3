//! What the programs of a slot's module have of the processor.

use beryl_syscode::check::time::{Loss, Policy, Task};
use beryl_syscode::check::weight::Costs;

/// What a module's programs have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Supply {
    /// All delays of its programs are numbers of this, in ticks.
    pub grain: u32,
    /// For each task of the image the longest time of a job, with the kernel's steps for it, and its rank.
    pub times: Vec<Task>,
    /// Who runs of each rank.
    pub policies: Vec<Policy>,
    /// What each driver of the image takes, with the kernel's steps for it.
    pub drivers: Vec<u32>,
    /// What any other instruction takes.
    pub instruction: u32,
    /// The most that the code of one instant may take.
    pub most: u32,
    /// The most of that that threads may take; as much behind each completion of a job.
    pub threads: u32,
    /// What is lost; first, to the instants of the module itself, and to what is less urgent.
    pub losses: Vec<Loss>,
}

impl Supply {
    /// As the check of weight wants it.
    #[must_use]
    pub fn costs(&self) -> Costs<'_> {
        let Supply { instruction, most, threads, .. } = *self;
        Costs { drivers: &self.drivers, instruction, most, threads }
    }
}
