//! Time-sliced S code: slices of one length, each for the task with the earliest deadline at its beginning.

use beryl_syscode::Instruction;

use crate::emit::{Emitter, Hole, task_id};
use crate::error::GenerateError;
use crate::schedule::{Choice, Segment, earliest_deadline};
use crate::tasks::{MOST_INSTANTS, TaskSet};

/// Slices of one length, merged where one task has several in a row.
fn slices(set: &TaskSet, slice: u64) -> Result<Vec<Segment>, GenerateError> {
    let hyperperiod = set.hyperperiod()?;
    let odd = set.tasks.iter().find(|task| slice == 0 || !task.period.is_multiple_of(slice));
    if let Some(task) = odd {
        return Err(GenerateError::Slice { slice, period: task.period });
    }
    if usize::try_from(hyperperiod / slice).map_or(true, |slices| slices > MOST_INSTANTS) {
        return Err(GenerateError::Long { most: MOST_INSTANTS });
    }
    let mut slices: Vec<Segment> = Vec::new();
    for segment in earliest_deadline(set, Choice::Sliced(slice))? {
        let end = segment.begin + slice;
        match slices.last_mut() {
            Some(last)
                if (last.task, last.released, last.end)
                    == (segment.task, segment.released, segment.begin) =>
            {
                last.end = end;
            }
            _ => slices.push(Segment { end, ..segment }),
        }
    }
    Ok(slices)
}

/// One thread for all tasks.
pub(crate) fn write_one(
    emitter: &mut Emitter,
    set: &TaskSet,
    slice: u64,
    forks: &[Hole],
) -> Result<(), GenerateError> {
    let slices = slices(set, slice)?;
    let begin = emitter.here();
    forks.iter().for_each(|fork| emitter.fill(*fork, begin));
    write_slices(emitter, &slices, set.hyperperiod()?)?;
    emitter.again(begin);
    Ok(())
}

/// A thread for each task, idle in the others' slices.
pub(crate) fn write_each(
    emitter: &mut Emitter,
    set: &TaskSet,
    slice: u64,
    forks: &[Hole],
) -> Result<(), GenerateError> {
    let slices = slices(set, slice)?;
    for (task, fork) in forks.iter().enumerate() {
        let begin = emitter.here();
        emitter.fill(*fork, begin);
        let own: Vec<_> = slices.iter().filter(|slice| slice.task == task).copied().collect();
        write_slices(emitter, &own, set.hyperperiod()?)?;
        emitter.again(begin);
    }
    Ok(())
}

fn write_slices(emitter: &mut Emitter, slices: &[Segment], hyperperiod: u64) -> Result<(), GenerateError> {
    let mut now = 0;
    for slice in slices {
        if slice.begin > now {
            let until = emitter.clock(slice.begin)?;
            emitter.put(Instruction::Idle { until });
        }
        let until = emitter.clock(slice.end)?;
        emitter.put(Instruction::DispatchUntil { task: task_id(slice.task), until, otherwise: 0 });
        now = slice.end;
        let until = emitter.clock(now)?;
        emitter.put(Instruction::Idle { until });
    }
    if now < hyperperiod {
        let until = emitter.clock(hyperperiod)?;
        emitter.put(Instruction::Idle { until });
    }
    Ok(())
}
