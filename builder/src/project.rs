//! A project: a system, ready to be proved, simulated or built.

use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;

use beryl_abi::Duration;
use beryl_timing::Model;
use beryl_trace::Units;
use beryl_trace::assertion::Stated;

use crate::assembly::Role;
use crate::certificate::Certified;
use crate::description::BoardUse;
use crate::error::BuildError;
use crate::plan::{self, Linked, Located, Places, Plan, limits};
use crate::quantity::Bytes;
use crate::supply::Supplied;

/// A system, ready to be proved, simulated or built: the values of all stages that made it.
#[derive(Clone, Debug)]
pub struct Project {
    /// Its folder.
    pub folder: PathBuf,
    /// The timing program.
    pub model: Model,
    /// What the description says of its runs.
    pub said: Said,
    /// Where everything in RAM is, and the bound of what the kernel takes of the flash. As long as it is
    /// [open](Project::is_open) whether it fits, the limit is all of the board's flash. Text isn't linked yet, so it
    /// takes nothing here.
    pub plan: Plan,
    /// Where every cell is.
    pub places: Places,
    certified: Certified,
}

/// What a description says of the runs of its system.
#[derive(Clone, Debug, Default)]
pub struct Said {
    /// What must hold in every run.
    pub assertions: Vec<Stated>,
    /// In what values are told.
    pub units: Units,
}

/// What the stages before have made: nobody changes it any more.
impl Deref for Project {
    type Target = Supplied;

    fn deref(&self) -> &Supplied {
        &self.certified
    }
}

impl Project {
    /// A certified system that has its places, with what is said of its runs; in `folder` are its files.
    #[must_use]
    pub fn new(folder: PathBuf, model: Model, said: Said, located: Located, certified: Certified) -> Project {
        let Located { plan, places } = located;
        Project { folder, model, said, plan, places, certified }
    }

    /// The same system with something else in it, for experiments and for questions of what would be; see
    /// [`Certified::with`].
    #[must_use]
    pub fn with(&self, change: impl FnOnce(&mut Supplied)) -> Project {
        Project { certified: self.certified.with(change), ..self.clone() }
    }

    /// The same system on a board that takes two to the power of `speed` nanoseconds an instruction.
    #[must_use]
    pub fn at_speed(&self, speed: u8) -> Project {
        self.with(|system| {
            let board = &mut Arc::make_mut(&mut system.costed.description).board;
            *board = BoardUse { speed, ..*board };
        })
    }

    /// Whether only the compiled kernel can tell if it has room in flash.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.plan.limits != limits(&self.description)
    }

    /// The plan with a kernel of this size in flash, and with the processes as they are linked.
    ///
    /// # Errors
    /// A diagnostic at the limit that is too small.
    pub fn plan_flash(&self, kernel: Bytes, linked: &[Linked]) -> Result<Plan, BuildError> {
        let refused = |failure: plan::Failure| BuildError::Plan(failure.diagnostic(&self.description));
        let plan = Plan { limits: limits(&self.description), ..self.plan.clone() };
        plan.with_flash(kernel, linked).map_err(refused)
    }

    /// The same system after one of its other programs has taken over. That is what is proved before the program is
    /// sent. Nothing if there is no such program.
    #[must_use]
    pub fn after(&self, alternative: usize) -> Option<Project> {
        let row = self.assembly.alternatives.get(alternative)?;
        let program = self.programs.get(row.module).zip(self.alternatives.get(alternative))?.1;
        let (module, body) = (row.module, &row.body);
        Some(self.with(|system| {
            let assembly = Arc::make_mut(&mut system.costed.assembly);
            for (index, thread) in assembly.threads.iter_mut().enumerate() {
                let Role::Task(task) = &mut thread.role else { continue };
                if task.module == module {
                    // No logical execution time is shorter than a slot, and none follows another sooner.
                    task.logical = body.released_every(index).unwrap_or(Duration::FOREVER);
                    task.separation = task.logical;
                }
            }
            assembly.modules[module] = body.clone();
            system.programs[module] = program.clone();
        }))
    }
}
