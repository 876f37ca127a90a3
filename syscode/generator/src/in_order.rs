//! Non-preemptive S code: jobs one after the other, each to its end, and none before its release.

use beryl_syscode::Instruction;

use crate::emit::{Emitter, Hole, task_id};
use crate::error::GenerateError;
use crate::schedule::{Choice, earliest_deadline};
use crate::tasks::TaskSet;

/// The order of jobs that the scheduler chose.
pub(crate) fn write(emitter: &mut Emitter, set: &TaskSet, forks: &[Hole]) -> Result<(), GenerateError> {
    set.instants()?;
    let segments = earliest_deadline(set, Choice::ToTheEnd)?;
    let begin = emitter.here();
    forks.iter().for_each(|fork| emitter.fill(*fork, begin));
    let mut awaited = 0;
    for segment in segments {
        if segment.released > awaited {
            awaited = segment.released;
            let until = emitter.clock(awaited)?;
            emitter.put(Instruction::Idle { until });
        }
        emitter.put(Instruction::Dispatch { task: task_id(segment.task) });
    }
    let until = emitter.clock(set.hyperperiod()?)?;
    emitter.put(Instruction::Idle { until });
    emitter.again(begin);
    Ok(())
}
