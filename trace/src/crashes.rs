//! Crash records: what the kernel has written down of threads that faulted, put together from its parts.

use std::collections::BTreeMap;

use beryl_abi::crash::{Extent, HEAD, PARTS, PIECE, STACK, STACK_WORDS, WORDS};
use beryl_abi::words::Word;
use beryl_abi::{DecodedNote, Fault, Instant, ThreadId};

use crate::event::{Event, Happening};
use crate::lockstep;
use crate::names::Names;

/// The names of a record's registers, which are a processor's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registers {
    /// Those of the frame, then the others, in the record's order.
    pub written_down: [[&'static str; PIECE]; 2],
    /// In the order in which people read them.
    pub shown: [&'static str; 2 * PIECE],
    /// The one that says where the thread was.
    pub instruction: &'static str,
    /// The one in which a call leaves where it returns to.
    pub link: &'static str,
}

/// What was left of a thread that faulted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crash {
    /// The thread.
    pub thread: ThreadId,
    /// What it did.
    pub fault: Fault,
    /// When.
    pub time: Instant,
    /// The number of the fault since the start, from 1.
    pub number: u32,
    /// How many notes the trace buffer had taken before.
    pub notes: u32,
    /// The stack pointer, as it was before the exception.
    pub stack_pointer: u32,
    /// The registers of the frame, if the thread had room for it where its processor keeps them.
    pub frame: Option<[u32; PIECE]>,
    /// The others, if they are known.
    pub others: Option<[u32; PIECE]>,
    /// The words of its stack, from the stack pointer upwards.
    pub stack: Vec<u32>,
}

impl Crash {
    /// Where the thread was, if that is known.
    #[must_use]
    pub fn instruction(&self, registers: &Registers) -> Option<u32> {
        self.register(registers.instruction, registers)
    }

    /// Where the innermost function returns to, if it hasn't kept that elsewhere.
    #[must_use]
    pub fn link(&self, registers: &Registers) -> Option<u32> {
        self.register(registers.link, registers)
    }

    /// The registers that are known, with their names.
    #[must_use]
    pub fn registers(&self, registers: &Registers) -> Vec<(&'static str, u32)> {
        let known = |name| Some((name, self.register(name, registers)?));
        let all = registers.shown.into_iter().filter_map(known);
        all.chain([("sp", self.stack_pointer)]).collect()
    }

    fn register(&self, name: &str, registers: &Registers) -> Option<u32> {
        let pieces = registers.written_down.iter().zip([self.frame, self.others]);
        let mut known = pieces.filter_map(|(names, words)| Some(names.iter().zip(words?)));
        known.find_map(|mut words| words.find(|(known, _)| **known == name)).map(|(_, word)| word)
    }
}

/// The records that are complete in a trace, in the order in which they were told.
#[must_use]
pub fn crashes(events: &[Event]) -> Vec<Crash> {
    let mut parts: BTreeMap<ThreadId, BTreeMap<u8, [u32; 2]>> = BTreeMap::new();
    let mut whole = Vec::new();
    for event in events {
        let Happening::Note(DecodedNote::Crash { part, first, second }) = event.happening else { continue };
        let own = parts.entry(part.thread).or_default();
        if part.number == 0 {
            own.clear();
        }
        own.insert(part.number, [first, second]);
        if part.number == PARTS - 1 {
            let words: Vec<u32> = std::mem::take(own).into_values().flatten().collect();
            whole.extend(Some(words).filter(|words| words.len() == WORDS).and_then(|words| crash(&words)));
        }
    }
    whole
}

/// The record of these words, if they are one.
fn crash(words: &[u32]) -> Option<Crash> {
    let (pieces, _) = words.as_chunks::<PIECE>();
    let [extent, low, high, address, instruction, notes, stack_pointer, number] =
        *pieces.get(usize::from(HEAD))?;
    let extent = Extent::of(extent).ok()?;
    let stack = words.get(usize::from(STACK) * PIECE..)?;
    let [frame, others, ..] = *pieces else { return None };
    Some(Crash {
        thread: extent.thread,
        fault: Fault { kind: extent.kind, address, instruction },
        time: Instant::from_ticks(u64::from(high) << 32 | u64::from(low)),
        number,
        notes,
        stack_pointer,
        frame: extent.has_frame.then_some(frame),
        others: extent.has_others.then_some(others),
        stack: stack.iter().copied().take(usize::from(extent.stack).min(STACK_WORDS)).collect(),
    })
}

/// The last few happenings before a crash, each with its time and in words.
#[must_use]
pub fn before(crash: &Crash, events: &[Event], most: usize, names: &Names) -> Vec<(Instant, String)> {
    let is_it = |event: &Event| {
        matches!(event.happening, Happening::Fault { thread, .. } if thread == crash.thread)
            && event.time <= crash.time
    };
    let end = events.iter().rposition(is_it).unwrap_or(0);
    let told = events[..end].iter().rev().filter(|event| is_told(event)).take(most);
    let mut told: Vec<_> =
        told.map(|event| (event.time, lockstep::in_words(&event.happening, names))).collect();
    told.reverse();
    told
}

/// Notes of waits and messages are many, and most of them are about others.
fn is_told(event: &Event) -> bool {
    use DecodedNote::{Budget, Event, Lack, Restart};
    match event.happening {
        Happening::Note(note) => matches!(note, Budget { .. } | Event { .. } | Lack { .. } | Restart { .. }),
        _ => true,
    }
}

#[cfg(test)]
mod tests;
