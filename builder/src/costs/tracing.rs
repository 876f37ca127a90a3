//! What telling costs: a system with `[trace]` is counted as if all classes were on, whatever is on from the start.
//!
//! Each trigger becomes a note at most, which the kernel keeps in its buffer: the thread that reads it may
//! choose classes while the system runs, and so may whoever is at the other end of its line. What threads
//! tell by calls of their own or write into a journal, and what calls take longer while anybody listens, are
//! part of their execution times, as all calls are. What stands in a journal is read where the kernel is
//! entered next, be it for somebody more urgent, and whether or not anybody has promised how much that is: so
//! each step is charged for a full one.

use super::kind::Kind;
use crate::assembly::Assembly;

/// Instructions of a note: the question whether anybody wants it, four words in the buffer, and what steps
/// that tell take longer than others.
const NOTE: u64 = 79;

/// Instructions by which any step takes longer that looks into a journal, and for each event there.
const LOOK: u64 = 45;
const EVENT: u64 = 50;

/// How many notes a step of each kind may tell: of the kernel's entry or what has happened, of who wakes by
/// it, of a switch, and where user code goes on; and the end of a job that it is done and what its thread
/// waits for after it. A driver tells its value, of which four notes are kept, in the time of two, since
/// nothing is asked for each.
fn notes_of(kind: Kind) -> u64 {
    match kind {
        Kind::Sorting | Kind::EMachine | Kind::Decision => 2,
        Kind::Release => 3,
        Kind::Driver => 4,
        Kind::Alarm | Kind::Completion | Kind::Job | Kind::Call => 5,
    }
}

/// What a step tells only where the proof doesn't hold: a miss and an overrun. Any job may end so of which
/// nothing is proved.
const OF_VIOLATIONS: u64 = 2;

fn notes(assembly: &Assembly, count: u64) -> u64 {
    if assembly.objects.trace.is_some() { count * NOTE } else { 0 }
}

/// Instructions that a step of a kind takes longer: what it tells, and what the interrupted thread has
/// written down by itself, of which there is the most.
pub(super) fn in_a_step(assembly: &Assembly, kind: Kind) -> u64 {
    let violations = if kind == Kind::Call { OF_VIOLATIONS } else { 0 };
    notes(assembly, notes_of(kind) + violations) + journals(assembly)
}

fn journals(assembly: &Assembly) -> u64 {
    match (assembly.largest_journal(), assembly.objects.trace) {
        (0, _) | (_, None) => 0,
        (places, Some(_)) => LOOK + u64::from(places) * EVENT,
    }
}
