//! Preemptive S code: between two releases, what the scheduler ran there, in its order.

use crate::emit::{Emitter, Hole};
use crate::error::GenerateError;
use crate::schedule::{Choice, earliest_deadline};
use crate::tasks::TaskSet;

/// One block an instant at which something is released.
pub(crate) fn write(emitter: &mut Emitter, set: &TaskSet, forks: &[Hole]) -> Result<(), GenerateError> {
    let segments = earliest_deadline(set, Choice::Preemptive)?;
    let (instants, hyperperiod) = (set.instants()?, set.hyperperiod()?);
    let begin = emitter.here();
    forks.iter().for_each(|fork| emitter.fill(*fork, begin));
    for (index, instant) in instants.iter().enumerate() {
        let next = instants.get(index + 1).copied().unwrap_or(hyperperiod);
        let runs = segments.iter().filter(|segment| segment.begin < next && segment.end > *instant);
        let tasks: Vec<_> = runs.map(|segment| segment.task).collect();
        emitter.block(&tasks, next)?;
    }
    emitter.again(begin);
    Ok(())
}
