//! Schedules: the S code of bands that are scheduled by code.
//!
//! Each such band has a program of its own. It is made by running a scheduler over a hyperperiod with the longest
//! execution times, and writing down what ran (`beryl-generator`). Unless the description asks for another, that is
//! earliest deadline first. If jobs take less time, none of them ends later than in that run.
//!
//! The schedule is made as if all jobs took longer by the same factor. The factor makes up for what drivers, the
//! kernel's steps, also those of the schedule itself, and the bands above may take of the shortest block. Every
//! block is a multiple of the shortest one. So in each block each job gets what the schedule gives it there,
//! whenever the processor is taken away within the block. A job that must be done before its logical execution time
//! ends is done by the last end of a shortest block up to then.

use std::collections::BTreeSet;

use beryl_abi::{Duration, ThreadId};
use beryl_generator::{GenerateError, Scheme, Task, TaskSet, keeps_deadlines, schedule};
use beryl_syscode::Instruction;

use crate::assembly::Assembly;
use crate::code::{CodeError, Program, check_structure};
use crate::costs::Costed;
use crate::description::{self, Placed};
use crate::load;
use crate::quantity::Nanoseconds;

/// The programs of a system's bands that are scheduled by code, in the order of the bands.
///
/// # Errors
/// [`CodeError::Unscheduled`] for the first band that has no schedule.
pub fn schedules(costed: &Costed) -> Result<Vec<Program>, CodeError> {
    let programs = costed.assembly.bands_by_code().map(|band| {
        let program = program(costed, band)?;
        check(costed, &program, band)?;
        Ok(program)
    });
    programs.collect()
}

fn check(costed: &Costed, program: &Program, band: usize) -> Result<(), CodeError> {
    check_structure(&costed.assembly, program).map_err(|reason| CodeError::Unscheduled {
        band: costed.assembly.bands[band].name.clone(),
        reason: format!("its program breaks a rule of its own: {reason}"),
    })
}

fn program(costed: &Costed, band: usize) -> Result<Program, CodeError> {
    let assembly = &costed.assembly;
    let name = assembly.schedule_name(band);
    let unscheduled = |reason| CodeError::Unscheduled { band: assembly.bands[band].name.clone(), reason };
    if let Some(reason) = irregular(assembly, band) {
        return Err(unscheduled(reason));
    }
    let refused = |reason: GenerateError| unscheduled(in_words(reason, costed.tick()));
    let set = TaskSet::new(&name, tasks(costed, band).map_err(unscheduled)?);
    let scheme = scheme(costed, band);
    if scheme == Scheme::RateMonotonic {
        keeps_deadlines(&set).map_err(refused)?;
    }
    let program = schedule(&set, scheme).map_err(refused)?;
    let threads: Vec<_> = set.tasks.iter().map(|task| thread_of(assembly, &task.name)).collect();
    Ok(Program {
        handler: None,
        module: name,
        code: program.code.iter().map(|word| renamed(*word, &threads)).collect(),
        durations: program.durations,
        start: program.start,
        completions: Vec::new(),
        conditions: program.conditions,
        read_again: BTreeSet::new(),
        threads: program.thread_places,
        certificate: Vec::new(),
        band: Some(band),
        modes: Vec::new(),
    })
}

/// The scheme that the description asks for.
fn scheme(costed: &Costed, band: usize) -> Scheme {
    let slice = |slice: Placed<Nanoseconds>| slice.value.get() / u64::from(costed.tick().max(1));
    match costed.description.bands.get(band).map(|band| band.scheme).unwrap_or_default() {
        description::Scheme::EarliestDeadline => Scheme::PreemptiveEdf,
        description::Scheme::NonPreemptive => Scheme::NonPreemptiveEdf,
        description::Scheme::RateMonotonic => Scheme::RateMonotonic,
        description::Scheme::TimeSliced(length) => Scheme::TimeSliced(slice(length)),
        description::Scheme::ThreadPerTask(length) => Scheme::ThreadPerTask(slice(length)),
    }
}

/// A schedule is made for tasks that are released at equal distances from the start on.
fn irregular(assembly: &Assembly, band: usize) -> Option<String> {
    let members = || assembly.tasks().filter(|(thread, _)| thread.band == band);
    if let Some((thread, _)) = members().find(|(_, task)| task.logical == Duration::FOREVER) {
        return Some(format!(
            "no mode of the image releases task `{}`, so a schedule has no place for it; take a band whose policy is \"dynamic\" or \
             \"fixed\" for it",
            thread.name
        ));
    }
    let (thread, module) = members()
        .filter_map(|(thread, task)| Some((thread, assembly.modules.get(task.module)?)))
        .find(|(_, module)| !module.is_regular())?;
    Some(format!(
        "task `{}` belongs to module `{}`, which switches modes or uses slots, so that its releases don't come at equal \
         distances from the start on; take a band whose policy is \"dynamic\" or \"fixed\" for it",
        thread.name, module.name
    ))
}

/// Why there is no schedule, in the terms of a description.
fn in_words(reason: GenerateError, tick: u32) -> String {
    match reason {
        GenerateError::Missed { task, deadline } => format!(
            "task `{task}` isn't done {} after the start of a hyperperiod if all jobs take as long as they may, with drivers \
             and the kernel; shorten a task, or take a band whose policy is \"dynamic\"",
            Nanoseconds::new(deadline.saturating_mul(tick.into()))
        ),
        GenerateError::Slice { slice, period } => format!(
            "slices of {} don't fill a period of {}; choose a slice of which all periods of the band's tasks are a number",
            Nanoseconds::new(slice.saturating_mul(tick.into())),
            Nanoseconds::new(period.saturating_mul(tick.into()))
        ),
        other => other.to_string(),
    }
}

/// The tasks of a band, made longer by what others may take of the processor.
fn tasks(costed: &Costed, band: usize) -> Result<Vec<Task>, String> {
    let Some(block) = load::block(costed, band) else { return Err(GenerateError::Empty.to_string()) };
    let lost = load::lost(costed, band, block);
    let left = block.saturating_sub(lost);
    let in_time = |ticks: u64| Nanoseconds::new(ticks.saturating_mul(costed.tick().into()));
    let members = costed.assembly.tasks().filter(|(thread, _)| thread.band == band);
    let tasks = members.map(|(thread, task)| {
        let bound = longer(thread.worst.ticks(), block, left);
        let nothing_left = || {
            format!(
                "of each {}, the time that the periods of its tasks have in common, drivers, the kernel and the bands above may take {}; \
                 choose periods that have more in common, or take a band whose policy is \"dynamic\"",
                in_time(block),
                in_time(lost)
            )
        };
        let due = due(task.due(task.logical).ticks(), block).ok_or_else(|| {
            format!(
                "task `{}` must be done {} after its release, and what a schedule gives is certain every {} only; put the band \
                 into slices that are shorter (`schedule = \"time-sliced\"`), or take a band whose policy is \"dynamic\" or \"fixed\"",
                thread.name,
                in_time(task.due(task.logical).ticks()),
                in_time(block)
            )
        });
        let task = Task::new(&thread.name, task.logical.ticks(), bound.ok_or_else(nothing_left)?);
        Ok(task.due(due?))
    });
    tasks.collect()
}

/// The last end of a block up to so long after a release, which is at the beginning of one; none if there is none.
fn due(deadline: u64, block: u64) -> Option<u64> {
    let blocks = deadline.checked_div(block)?;
    (blocks > 0).then(|| blocks.saturating_mul(block))
}

/// So many ticks of work if only `left` of each `block` is there for it. Nothing if nothing is left.
fn longer(worst: u64, block: u64, left: u64) -> Option<u64> {
    let work = u128::from(worst).checked_mul(block.into())?;
    u64::try_from(work.checked_add(left.checked_sub(1)?.into())? / u128::from(left)).ok()
}

fn thread_of(assembly: &Assembly, name: &str) -> ThreadId {
    let index = assembly.threads.iter().position(|thread| thread.name == name);
    ThreadId(index.and_then(|index| u8::try_from(index).ok()).unwrap_or(u8::MAX))
}

/// An instruction that names a task by its thread, not by its place in the set.
fn renamed(word: u32, threads: &[ThreadId]) -> u32 {
    let thread = |task: ThreadId| threads.get(task.index()).copied().unwrap_or(ThreadId::NONE);
    match Instruction::decode(word) {
        Some(Instruction::Dispatch { task }) => Instruction::Dispatch { task: thread(task) }.encode(),
        Some(Instruction::DispatchUntil { task, until, otherwise }) => {
            Instruction::DispatchUntil { task: thread(task), until, otherwise }.encode()
        }
        _ => word,
    }
}
