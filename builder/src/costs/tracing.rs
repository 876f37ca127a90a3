//! What tracing costs. A system with `[trace]` is counted as if all classes were on, whichever are on at the
//! start: the thread that reads the buffer may choose others while the system runs, and so may whoever is at
//! the other end of its line.
//!
//! Each trace point becomes one note at most, which the kernel keeps in its buffer. Events that threads tell by
//! calls or write into a journal are part of their execution times. So is the time by which calls take longer
//! while somebody listens. The kernel reads a journal when it is entered next, perhaps for a more urgent
//! thread, and nobody declares how many events are in it. So every step is charged for a full journal, and for
//! all state messages of one thread that are traced.

use super::kind::Kind;
use crate::assembly::Assembly;

/// Instructions of a note: the question whether anybody wants it, the four words in the buffer, and whatever
/// else makes a step that tells something longer.
const NOTE: u64 = 79;

/// Instructions by which a step takes longer if it looks into a journal, and for each event that it finds there.
const LOOK: u64 = 45;
const EVENT: u64 = 50;

/// Instructions by which a step takes longer if it looks for state messages that are traced, for each that there
/// is, and for each that the thread has written, with eight words of its value.
const SEARCH: u64 = 60;
const TRACED: u64 = 20;
const WRITTEN: u64 = 400;

/// How many notes a step of each kind may tell: that the kernel was entered or what has happened, which thread
/// wakes, that threads are switched, and where user code goes on. The end of a job also tells that the job is
/// done, and what its thread waits for next. A driver tells its value in four notes, which take the time of
/// two, since it isn't asked for each whether anybody wants it.
fn notes_of(kind: Kind) -> u64 {
    match kind {
        Kind::Sorting | Kind::EMachine | Kind::Decision | Kind::Search => 2,
        Kind::Release | Kind::Stop => 3,
        Kind::Driver => 4,
        Kind::Alarm | Kind::Completion | Kind::Job | Kind::Call => 5,
    }
}

/// Notes that a step tells only where the proof doesn't hold: of a miss and of an overrun. Jobs that aren't in
/// the proof may end like this.
const OF_VIOLATIONS: u64 = 2;

fn notes(assembly: &Assembly, count: u64) -> u64 {
    if assembly.objects.trace.is_some() { count * NOTE } else { 0 }
}

/// Instructions by which tracing makes a step of a kind longer: for the notes that the step tells, and for a
/// full journal of the interrupted thread.
pub(super) fn in_a_step(assembly: &Assembly, kind: Kind) -> u64 {
    let violations = if kind == Kind::Call { OF_VIOLATIONS } else { 0 };
    notes(assembly, notes_of(kind) + violations) + journals(assembly) + followed(assembly)
}

fn journals(assembly: &Assembly) -> u64 {
    match (assembly.largest_journal(), assembly.objects.trace) {
        (0, _) | (_, None) => 0,
        (places, Some(_)) => LOOK + u64::from(places) * EVENT,
    }
}

/// A thread may have written all of its messages before the kernel is entered.
fn followed(assembly: &Assembly) -> u64 {
    match (assembly.followed().len(), assembly.objects.trace) {
        (0, _) | (_, None) => 0,
        (all, Some(_)) => SEARCH + count(all) * TRACED + count(assembly.most_followed()) * WRITTEN,
    }
}

fn count(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}
