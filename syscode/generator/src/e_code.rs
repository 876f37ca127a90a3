//! E code: one block an instant of the hyperperiod. Outputs of what ends, inputs of what begins, releases.

use beryl_abi::DriverId;
use beryl_syscode::Instruction;
use beryl_syscode::instruction::phase;

use crate::emit::{Emitter, task_id};
use crate::error::GenerateError;
use crate::tasks::TaskSet;

/// Writes the blocks; the start jumps over the outputs, since no task has ended yet.
pub(crate) fn write(emitter: &mut Emitter, set: &TaskSet) -> Result<(), GenerateError> {
    let (instants, hyperperiod) = (set.instants()?, set.hyperperiod()?);
    let start = emitter.put(Instruction::Jump { address: 0 });
    let first = emitter.here();
    let mut hole = None;
    for (index, instant) in instants.iter().enumerate() {
        let here = emitter.here();
        if let Some(hole) = hole {
            emitter.fill(hole, here);
        }
        let runs = runs(set, *instant);
        runs.iter().for_each(|(first, count)| call(emitter, *first, *count));
        if index == 0 {
            let here = emitter.here();
            emitter.fill(start, here);
        }
        emitter.put(Instruction::Phase { phase: phase::RELEASES });
        runs.iter().for_each(|(first, count)| call(emitter, set.tasks.len() + first, *count));
        for (first, count) in &runs {
            release(emitter, set, *first, *count)?;
        }
        let next = instants.get(index + 1).copied().unwrap_or(hyperperiod);
        let delay = emitter.duration(next - instant)?;
        hole = Some(emitter.put(Instruction::Future { delay, address: first }));
        emitter.put(Instruction::Return {});
    }
    Ok(())
}

/// Tasks that are due, as rows of neighbours with one period and one deadline.
fn runs(set: &TaskSet, instant: u64) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (index, task) in set.tasks.iter().enumerate() {
        if !instant.is_multiple_of(task.period) {
            continue;
        }
        let times = |index: usize| set.tasks.get(index).map(|task| (task.period, task.deadline));
        match runs.last_mut() {
            Some((first, count)) if *first + *count == index && times(*first) == times(index) => *count += 1,
            _ => runs.push((index, 1)),
        }
    }
    runs
}

fn call(emitter: &mut Emitter, driver: usize, count: usize) {
    let first = DriverId(u16::try_from(driver).unwrap_or(u16::MAX));
    match u8::try_from(count) {
        Ok(count) if count > 1 => emitter.put(Instruction::Calls { first, count }),
        _ => emitter.put(Instruction::Call { driver: first }),
    };
}

fn release(emitter: &mut Emitter, set: &TaskSet, task: usize, count: usize) -> Result<(), GenerateError> {
    let deadline = emitter.duration(set.tasks.get(task).map_or(1, |task| task.deadline))?;
    match u8::try_from(count) {
        Ok(count) if count > 1 => {
            emitter.put(Instruction::Releases { first: task_id(task), deadline, count })
        }
        _ => emitter.put(Instruction::Release { task: task_id(task), deadline }),
    };
    Ok(())
}
