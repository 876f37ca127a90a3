//! Generating: S code from the run of the default scheduler, on the target as in the tools.
//!
//! ```text
//!   Recorder: a period of the default scheduler --> Workshop: the module's E code, and a thread --> a container, for a slot
//! ```
//!
//! The paper's partial code (programmable microkernel, section 7), made at run time: a background thread has
//! a period recorded and turns the recording into a program. For each stretch between two releases, a thread
//! dispatches the jobs that ran there, in their order; after them, the jobs that were released earlier and
//! may still be at work, since they may take longer another time, each in the position of its deadline. So a
//! job that took less than it may is not forgotten. Tasks that weren't released in the recorded period aren't
//! named, and stay with the default scheduler.
//!
//! A running schedule may be [reordered], so that fewer of its jobs are preempted.
//!
//! Nothing here guarantees that such a schedule meets its deadlines: the [check of time](crate::check::time)
//! decides that, with all execution times up to the bounds. If it refuses the program, nothing changes.

mod buffer;
mod jobs;
mod pools;
mod recording;
mod reorder;
mod stretches;
mod tasks;

use core::fmt;

use beryl_abi::ThreadId;

use crate::condition::Condition;
use crate::container::{Container, Content};
use crate::instruction::Instruction;

pub use buffer::Buffer;
pub use pools::Workshop;
use pools::{Draft, elsewhere};
pub use recording::{Note, Recorded, Recorder, Recording};
pub use reorder::{Kept, Reordering, preemptions};

/// Why there is no program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unwritten {
    /// The recording isn't complete.
    Unfinished,
    /// Something went wrong in the recorded period: a task was late or was stopped, or another program took
    /// over.
    Spoiled,
    /// More happened in the period than there is room for.
    Crowded,
    /// No task of the module was released in the period.
    Nothing,
    /// The module's program has threads, completion entries or handlers of its own.
    NotPlain,
    /// More jobs may be at work at one time than can be handled.
    Jobs,
    /// There isn't enough memory for the instructions, durations or conditions, or they have no free number.
    Pools,
    /// The container is longer than the room for it.
    Long,
}

impl Unwritten {
    /// The reason in words.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Unwritten::Unfinished => "the recorded period isn't over",
            Unwritten::Spoiled => "something went wrong in the recorded period",
            Unwritten::Crowded => "more happened in the period than there is room to record",
            Unwritten::Nothing => "no task of the module was released in the recorded period",
            Unwritten::NotPlain => "the module's program has threads, completion entries or handlers already",
            Unwritten::Jobs => "more jobs may be at work at one time than are looked at",
            Unwritten::Pools => "there is no memory for its instructions, durations or conditions",
            Unwritten::Long => "it is longer than the room for it",
        }
    }
}

impl fmt::Display for Unwritten {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

/// A block of S code: tasks one after the other, none beyond the time of a condition; then the processor
/// idles until then. None if there are too many for one block.
pub fn block(tasks: &[ThreadId], until: u8) -> Option<impl Iterator<Item = Instruction> + '_> {
    let count = u8::try_from(tasks.len()).ok()?;
    // The address after the rest of the block and its `idle`.
    let dispatch = move |(task, ahead): (&ThreadId, u8)| Instruction::DispatchUntil {
        task: *task,
        until,
        otherwise: ahead,
    };
    let ahead = (1..=count).rev();
    Some(tasks.iter().zip(ahead).map(dispatch).chain([Instruction::Idle { until }]))
}

/// Writes a program for a module: the module's own E code, and a thread that repeats the recorded period.
/// Returns the length of the container.
///
/// # Errors
/// Why there is none; then the content of `out` is meaningless.
pub fn generate(
    recording: &Recording<'_>,
    module: &Container<'_>,
    workshop: Workshop<'_>,
    out: &mut [u8],
) -> Result<usize, Unwritten> {
    reordered(recording, module, Kept::NONE, workshop, out)
}

/// The same, but that nobody is preempted at the instants that are kept.
///
/// # Errors
/// Why there is none; then the content of `out` is meaningless.
pub fn reordered(
    recording: &Recording<'_>,
    module: &Container<'_>,
    kept: Kept,
    workshop: Workshop<'_>,
    out: &mut [u8],
) -> Result<usize, Unwritten> {
    let stretches = reorder::stretches(recording, module)?;
    let mut draft = Draft::new(workshop);
    let fork = write_reactions(&mut draft, module)?;
    let begin = draft.here()?;
    draft.replace(fork, Instruction::Fork { address: begin });
    stretches.each(kept, |tasks, until| {
        let clock = draft.clock(until)?;
        block(tasks, clock)
            .ok_or(Unwritten::Jobs)?
            .try_for_each(|instruction| draft.put(instruction).map(drop))
    })?;
    draft.put(Instruction::Fork { address: begin })?;
    draft.put(Instruction::Return {})?;
    let content = Content {
        code: draft.code(),
        durations: draft.durations(),
        conditions: draft.conditions(),
        trigger_places: module.trigger_places(),
        thread_places: 1,
        ..Content::default()
    };
    let mut buffer = Buffer::new(out);
    module.write_another(&content, &mut buffer);
    buffer.length().ok_or(Unwritten::Long)
}

/// Writes the module's own code after a fork whose target is filled in later; returns the fork's position.
fn write_reactions(draft: &mut Draft<'_>, module: &Container<'_>) -> Result<usize, Unwritten> {
    let is_plain = module.thread_places() == 0
        && module.completions().next().is_none()
        && module.handlers().next().is_none();
    if !is_plain {
        return Err(Unwritten::NotPlain);
    }
    module.durations().try_for_each(|duration| draft.add_duration(duration))?;
    module.conditions().try_for_each(|condition| draft.add_condition(condition))?;
    let fork = draft.put(Instruction::Return {})?;
    let moved = 1 + u16::from(module.start() != 0);
    if module.start() != 0 {
        draft.put(Instruction::Jump { address: module.start().saturating_add(moved) })?;
    }
    for word in module.code() {
        let instruction = Instruction::decode(word).ok_or(Unwritten::NotPlain)?;
        draft.put(elsewhere(instruction, moved))?;
    }
    Ok(fork)
}

/// The condition that this much time has passed.
fn clock(number: u8) -> Condition {
    Condition::Clock(number)
}
