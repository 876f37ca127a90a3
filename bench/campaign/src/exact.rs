//! Exact tests: without costs in proof and run, whatever an exact test refuses misses, and whatever it
//! accepts doesn't.

use anyhow::{Result, ensure};
use beryl_analysis::{Failure, KernelCosts, System, Ticks, prove};
use beryl_builder::Project;
use beryl_builder::proof::system;
use beryl_sim::{Costs, ExecutionTimes};

use crate::trial::{Run, project, see};
use crate::written::{Kind, draw};

/// How many lists were accepted and refused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdicts {
    /// Without a miss.
    pub accepted: u64,
    /// With one.
    pub refused: u64,
}

/// Draws this many lists of periodic threads that start together, from a seed on, and runs each on the
/// kernel.
pub fn exact(from: u64, count: u64) -> Result<Verdicts> {
    let mut verdicts = Verdicts::default();
    for seed in from..from.saturating_add(count) {
        let project = project(&draw(seed, Kind::Exact))?;
        let seen = see(&project, Run { times: ExecutionTimes::Worst, costs: Costs::None, seed })?;
        let misses = seen.late > 0 || !seen.undone.is_empty();
        match prove(&without_costs(&project)) {
            Ok(_) => {
                ensure!(!misses, "seed {seed}: the exact test accepts, and {} jobs are late", seen.late);
                verdicts.accepted += 1;
            }
            // An overload may take longer than a run to show.
            Err(Failure::Overload { .. }) => {}
            Err(failure) => {
                ensure!(misses, "seed {seed}: the exact test refuses ({failure}), and nobody is late");
                verdicts.refused += 1;
            }
        }
    }
    Ok(verdicts)
}

/// The input of the analysis, for a kernel that takes no time.
fn without_costs(project: &Project) -> System {
    let mut system = system(project);
    system.costs = KernelCosts::default();
    system.interference.clear();
    let tasks = system.bands.iter_mut().flat_map(|band| &mut band.tasks);
    tasks.for_each(|task| task.overhead = Ticks::ZERO);
    system
}
