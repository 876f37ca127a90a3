//! `[cmsis]`: CMSIS-RTOS2 for functions in C of one process, and how large the pools are that its calls take from.

mod pools;

use super::diagnostic::{Problem, Reporter};
use super::members::Members;
use super::priorities::{self, Begins};
use super::section::Section;
use super::uses::Known;
use super::value::{Between, UpTo, Value, Wrong, wrong_kind};
use super::{Placed, Use, code};
use crate::quantity::Bytes;
use beryl_abi::{BandId, ProcessId};
use miette::SourceSpan;
use toml::de::DeValue;

pub use pools::names;

/// The table.
pub(super) const TABLE: &str = "cmsis";
pub(super) const KEYS: &[&str] = &[
    "process",
    "band",
    "priorities",
    "threads",
    "stack",
    "mutexes",
    "semaphores",
    "event_flags",
    "queues",
    "memory_pools",
    "timers",
    "uses",
];
const ROOM: &[&str] = &["count", "size"];

/// The kernel's priority for `osPriorityNormal`, with which threads begin where nothing else is said.
const NORMAL: u8 = 12;
/// The kernel's priorities for all of the standard's, from `osPriorityIdle` to `osPriorityISR`.
const ALL_PRIORITIES: [u8; 2] = [1, 28];
/// Threads of a pool may all wait at one object, whose queue has room for so many.
const MOST_THREADS: u8 = 16;

/// The pools of CMSIS-RTOS2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cmsis {
    /// Where the table stands.
    pub place: SourceSpan,
    /// The process whose functions have the interface.
    pub process: Placed<ProcessId>,
    /// The band of its threads, a fixed one.
    pub band: Placed<BandId>,
    /// The least and the most urgent of the kernel's priorities that they may have.
    pub priorities: [u8; 2],
    /// How many threads there may be at once, with the one that begins and the one of the timers; at least one.
    pub threads: u8,
    /// The stack of each.
    pub stack: Placed<Bytes>,
    /// How many mutexes there may be at once.
    pub mutexes: u8,
    /// How many semaphores.
    pub semaphores: u8,
    /// How many groups of event flags.
    pub event_flags: u8,
    /// For each message queue, what it has room for.
    pub queues: Vec<Room>,
    /// For each memory pool, what it has room for.
    pub memory_pools: Vec<Room>,
    /// How many timers there may be at once.
    pub timers: u8,
    /// What the threads use beside what the pools are made of.
    pub uses: Vec<Placed<Use>>,
}

/// Room for messages or blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// How many; positive.
    pub count: u16,
    /// Bytes of each; positive.
    pub size: u16,
}

/// How many threads.
struct Threads(u8);

impl Value for Threads {
    const EXAMPLE: &'static str = "4";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        if value.as_integer().is_none() {
            return Err(wrong_kind(value, "a whole number"));
        }
        match UpTo::<MOST_THREADS>::read(value) {
            Ok(UpTo(count)) if count > 0 => Ok(Threads(count)),
            _ => Err(Wrong {
                code: code::RANGE,
                reason: "is out of range: all of them may wait in one queue".to_owned(),
                help: format!("write a number from 1 to {MOST_THREADS}, for which a queue has room"),
                instead: Some(MOST_THREADS.to_string()),
            }),
        }
    }
}

/// The pools, but for what their threads use beside.
pub(super) fn cmsis(
    section: &Section<'_>,
    members: &Members<'_>,
    has_c: bool,
    reporter: &mut Reporter,
) -> Option<Cmsis> {
    if !has_c {
        refuse_without_code(section, reporter);
    }
    let process = members.process(section, reporter);
    let band = members.fixed_band(section, reporter);
    let threads: Option<Placed<Threads>> = section.required("threads", reporter);
    let stack = section.required("stack", reporter);
    let priorities = priorities(section, reporter);
    let mut count = |key| section.optional::<UpTo<254>>(key, reporter).map_or(0, |count| count.value.0);
    let [mutexes, semaphores, event_flags, timers] =
        ["mutexes", "semaphores", "event_flags", "timers"].map(&mut count);
    Some(Cmsis {
        place: section.place,
        priorities,
        mutexes,
        semaphores,
        event_flags,
        queues: rooms("queues", section, reporter),
        memory_pools: rooms("memory_pools", section, reporter),
        timers,
        uses: Vec::new(),
        process: process?,
        band: band?,
        threads: threads?.value.0,
        stack: stack?,
    })
}

impl Cmsis {
    /// What the threads use beside, which may be named when all objects are known.
    pub(super) fn read_uses(&mut self, section: &Section<'_>, known: &Known<'_>, reporter: &mut Reporter) {
        self.uses = known.resolve(section.texts("uses", reporter), reporter);
    }
}

fn priorities(section: &Section<'_>, reporter: &mut Reporter) -> [u8; 2] {
    let who = Begins { priority: NORMAL, who: "a thread of osPriorityNormal", otherwise: "" };
    priorities::range(section, None, Some(who), reporter).unwrap_or(ALL_PRIORITIES)
}

fn rooms(key: &str, section: &Section<'_>, reporter: &mut Reporter) -> Vec<Room> {
    let rows = section.rows(key, "{ count = 4, size = 12 }", ROOM, reporter);
    let room = |row: &Section<'_>| {
        let count: Option<Placed<Between<1, { u16::MAX }>>> = row.required("count", reporter);
        let size: Option<Placed<Between<1, { u16::MAX }>>> = row.required("size", reporter);
        Some(Room { count: count?.value.0, size: size?.value.0 })
    };
    rows.iter().filter_map(room).collect()
}

fn refuse_without_code(section: &Section<'_>, reporter: &mut Reporter) {
    reporter.report(Problem {
        code: code::MISSING,
        place: section.place,
        message: "[cmsis] is for functions in C, and there is no [c]".to_owned(),
        label: "nobody calls it".to_owned(),
        help: "add [c] with `sources = [\"app/main.c\"]`, one of which has `#include \"cmsis_os2.h\"` and `int main(void)`"
            .into(),
    });
}
