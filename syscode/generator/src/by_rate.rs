//! Rate-monotonic S code: at each instant all tasks in the order of decreasing frequency, whether or not
//! something is left of their jobs.

use crate::emit::{Emitter, Hole};
use crate::error::GenerateError;
use crate::tasks::TaskSet;

/// One block an instant at which something is released. Whether deadlines hold is for the checker to see.
pub(crate) fn write(emitter: &mut Emitter, set: &TaskSet, forks: &[Hole]) -> Result<(), GenerateError> {
    let (instants, hyperperiod) = (set.instants()?, set.hyperperiod()?);
    let begin = emitter.here();
    forks.iter().for_each(|fork| emitter.fill(*fork, begin));
    // Tasks are sorted by period.
    let tasks: Vec<_> = (0..set.tasks.len()).collect();
    for index in 0..instants.len() {
        emitter.block(&tasks, instants.get(index + 1).copied().unwrap_or(hyperperiod))?;
    }
    emitter.again(begin);
    Ok(())
}
