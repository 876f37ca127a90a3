//! What telling costs: a system with `[trace]` is counted as if all classes were on, whatever is on from the start.
//!
//! Each trigger becomes a note at most, which the kernel keeps in its buffer: the thread that reads it may choose classes while
//! the system runs, and so may whoever is at the other end of its line. What threads tell by calls of their own or write into a journal, and what calls take
//! longer while anybody listens, are part of their execution times, as all calls are. What stands in a journal is read where the kernel is entered next,
//! be it for somebody more urgent, and whether or not anybody has promised how much that is: so each step is charged for a full one.

use super::costs::instructions;
use crate::Project;
use crate::assembly::Assembly;

/// Instructions of a note: the question whether anybody wants it, four words in the buffer, and what steps that tell take longer than others.
const NOTE: u64 = 79;

/// Instructions by which any step takes longer that looks into a journal, and for each event there.
const LOOK: u64 = 45;
const EVENT: u64 = 50;

/// Notes that any step tells: of the kernel's entry or what has happened, of who wakes by it, and of a switch.
const OF_A_STEP: u64 = 3;
/// Those of the end of a job beside these: that it is done, what its thread waits for after it, and a lent place that comes back. Misses and
/// overruns aren't among them: where there are any, no proof holds.
const OF_A_COMPLETION: u64 = 3;
/// Those of a driver: its value, of which four notes are kept, in the time of two, since nothing is asked for each.
const OF_A_DRIVER: u64 = 2;

fn notes(assembly: &Assembly, count: u64) -> u64 {
    if assembly.objects.trace.is_some() { count * NOTE } else { 0 }
}

/// Instructions that any step takes longer: what it tells, and what the interrupted thread has written down by itself, of which there is the most.
pub(super) fn in_a_step(assembly: &Assembly) -> u64 {
    notes(assembly, OF_A_STEP) + journals(assembly)
}

fn journals(assembly: &Assembly) -> u64 {
    match (assembly.largest_journal(), assembly.objects.trace) {
        (0, _) | (_, None) => 0,
        (places, Some(_)) => LOOK + u64::from(places) * EVENT,
    }
}

/// Instructions by which the step of a completion is longer than others; see [`super::job_step`].
#[must_use]
pub fn at_completions(assembly: &Assembly) -> u64 {
    notes(assembly, OF_A_COMPLETION)
}

/// Instructions by which the step of a driver is longer than others.
#[must_use]
pub fn of_drivers(assembly: &Assembly) -> u64 {
    notes(assembly, OF_A_DRIVER)
}

/// Instructions of what a step tells only where the proof doesn't hold: a miss and an overrun.
#[must_use]
pub fn of_violations(assembly: &Assembly) -> u64 {
    notes(assembly, 2)
}

/// The time that a completion takes longer, in ticks.
pub(super) fn completion(project: &Project) -> u64 {
    instructions(project, at_completions(&project.assembly))
}

/// The time that a driver takes longer, in ticks.
pub(super) fn driver(project: &Project) -> u64 {
    instructions(project, of_drivers(&project.assembly))
}
