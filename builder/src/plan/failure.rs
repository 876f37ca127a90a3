//! Why there is no plan: what needs how much, what is there, and what to shrink.

use super::{Board, Demand, Device, Limits, Linked, PROCESS_REGIONS, ProcessDemand};
use crate::description::{Description, Diagnostic, MOST_PROCESSES, Problem, code};
use crate::quantity::Bytes;
use std::fmt;

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// A memory is too small for all that must lie in it.
    #[error("the system needs {needed} bytes of {memory}, {allowed} are allowed", allowed = limit.get())]
    TooLittle {
        /// Which memory.
        memory: Memory,
        /// What the description allows.
        limit: Bytes,
        /// What the board has.
        most: Bytes,
        /// What is needed with padding; at least this much, if not even the board has enough.
        needed: u64,
        /// What lies there, without padding, the largest first.
        parts: Vec<Part>,
    },
    /// A process's variables are larger than its own limit.
    #[error("the variables of process `{process}` need {needed} bytes, {allowed} are allowed", allowed = limit.get())]
    ProcessTooLarge {
        /// Its name.
        process: String,
        /// What the description allows it.
        limit: Bytes,
        /// Its data and bss.
        needed: u64,
    },
    /// A process has more devices, shared regions and blocks of state messages than there are regions for them.
    #[error("process `{process}` needs {count} regions for {parts}, there are {most} for them")]
    TooManyRegions {
        /// Its name.
        process: String,
        /// What they are for.
        parts: String,
        /// How many it needs.
        count: usize,
        /// How many it may have.
        most: usize,
    },
    /// More processes than can be numbered.
    #[error("{count} processes are more than the {MOST_PROCESSES} that a system can have")]
    TooManyProcesses {
        /// How many there are.
        count: usize,
    },
}

/// The part that nobody makes smaller but by using less of it.
const KERNEL: &str = "kernel";

/// Which memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// For the image.
    Flash,
    /// For data.
    Ram,
}

/// Something that lies in a memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is, for example "stack of `navigate`".
    pub name: String,
    /// Its size without padding.
    pub size: u64,
}

impl fmt::Display for Memory {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Memory::Flash => "flash",
            Memory::Ram => "RAM",
        })
    }
}

/// Refuses what would have no plan in any memory, however large.
pub(super) fn check(board: &Board, demand: &Demand) -> Result<(), Failure> {
    let count = demand.processes.len();
    if count > MOST_PROCESSES {
        return Err(Failure::TooManyProcesses { count });
    }
    let mut rows = demand.processes.iter().enumerate();
    rows.try_for_each(|(index, process)| check_process(index, process, board, demand))
}

fn check_process(
    index: usize,
    process: &ProcessDemand,
    board: &Board,
    demand: &Demand,
) -> Result<(), Failure> {
    let parts = parts_with_regions(index, process, board, demand);
    let (count, most) = (parts.len(), PROCESS_REGIONS.skip(1).count());
    let name = || process.name.clone();
    match count > most {
        true => Err(Failure::TooManyRegions { process: name(), parts: parts.join(", "), count, most }),
        false => Ok(()),
    }
}

/// What a process needs regions for beside its memory.
fn parts_with_regions(index: usize, process: &ProcessDemand, board: &Board, demand: &Demand) -> Vec<String> {
    let states = (process.states > Bytes::ZERO).then(|| "its state messages".to_owned());
    let shared = demand.shared.iter().filter(|shared| shared.processes.contains(&index));
    let shared = shared.map(|shared| format!("region `{}`", shared.name));
    let is_clock = |device: &Device| process.journal > 0 && device.name == board.clock;
    let devices = process.devices.iter().map(|device| match is_clock(device) {
        true => format!("the clock `{}` for its journal", device.name),
        false => format!("device `{}`", device.name),
    });
    let rooms = (process.room > Bytes::ZERO).then(|| "the rooms for its code".to_owned());
    states.into_iter().chain(shared).chain(devices).chain(rooms).collect()
}

pub(super) fn flash(
    board: &Board,
    limits: Limits,
    size: Bytes,
    processes: &[(&str, Linked)],
    needed: Option<u64>,
) -> Failure {
    let processes = processes.iter().map(|(name, linked)| Part {
        name: format!("process `{name}`"),
        size: sum(&[linked.text, linked.data]),
    });
    too_little(Memory::Flash, board, limits.flash, needed, processes.chain([kernel(size)]).collect())
}

pub(super) fn ram(board: &Board, limits: Limits, demand: &Demand, needed: Option<u64>) -> Failure {
    let processes = demand.processes.iter().map(|process| Part {
        name: format!("process `{}`", process.name),
        size: sum(&[process.ports, process.memory]),
    });
    let stacks = demand
        .processes
        .iter()
        .flat_map(|process| &process.stacks)
        .map(|stack| Part { name: format!("stack of `{}`", stack.thread), size: stack.size.get().into() });
    let part = |name: &str, size: Bytes| Part { name: name.to_owned(), size: size.get().into() };
    let states = demand
        .processes
        .iter()
        .map(|process| part(&format!("state messages of `{}`", process.name), process.states));
    let shared = demand.shared.iter().map(|shared| part(&format!("region `{}`", shared.name), shared.size));
    let parts = processes
        .chain(stacks)
        .chain(states)
        .chain(shared)
        .chain([part("published values", demand.published), part("messages on their way", demand.objects)])
        .chain([kernel(demand.kernel)])
        .collect();
    too_little(Memory::Ram, board, limits.ram, needed, parts)
}

fn too_little(
    memory: Memory,
    board: &Board,
    limit: Bytes,
    needed: Option<u64>,
    mut parts: Vec<Part>,
) -> Failure {
    parts.retain(|part| part.size > 0);
    parts.sort_by_key(|part| std::cmp::Reverse(part.size));
    let least = parts.iter().map(|part| part.size).sum();
    let most = match memory {
        Memory::Flash => board.flash.length(),
        Memory::Ram => board.ram.length(),
    };
    Failure::TooLittle { memory, limit, most, needed: needed.unwrap_or(least), parts }
}

fn kernel(size: Bytes) -> Part {
    Part { name: KERNEL.to_owned(), size: size.get().into() }
}

fn sum(sizes: &[Bytes]) -> u64 {
    sizes.iter().map(|size| u64::from(size.get())).sum()
}

impl Failure {
    /// The failure as a diagnostic at the limit which it breaks.
    #[must_use]
    pub fn diagnostic(&self, description: &Description) -> Diagnostic {
        let named = |name: &str| description.processes.iter().find(|process| process.name.as_str() == name);
        let (code, place, label, help) = match self {
            Failure::TooLittle { memory, limit, most, needed, parts } => {
                let place = match memory {
                    Memory::Flash => description.board.flash.place,
                    Memory::Ram => description.board.ram.place,
                };
                let label = format!("{} bytes too few", needed.saturating_sub(limit.get().into()));
                (code::TOO_LITTLE_MEMORY, Some(place), label, what_to_shrink(*needed, *most, parts))
            }
            Failure::ProcessTooLarge { process, needed, .. } => (
                code::TOO_LITTLE_MEMORY,
                named(process).map(|process| process.memory.place),
                "its limit".to_owned(),
                format!(
                    "raise `memory` in [process.{process}] to \"{needed}\", or make its static variables smaller"
                ),
            ),
            Failure::TooManyRegions { process, most, .. } => (
                code::TOO_MANY,
                named(process).map(|process| process.name.place),
                "this process".to_owned(),
                match named(process).is_some_and(|process| process.journal.is_some()) {
                    true => format!(
                        "leave `journal` away: each event is a system call then; or move a driver or thread to another \
                         process, so that none needs more than {most}"
                    ),
                    false => format!(
                        "move a driver or thread to another process, so that none needs more than {most}"
                    ),
                },
            ),
            Failure::TooManyProcesses { .. } => (
                code::TOO_MANY,
                None,
                "this system".to_owned(),
                "join processes that trust each other".to_owned(),
            ),
        };
        let place = place.unwrap_or(description.system.name.place);
        description.diagnostic(Problem { code, place, message: self.to_string(), label, help: help.into() })
    }
}

/// The parts that take most, what regions add, and the limit that would be enough, if the board has so much.
fn what_to_shrink(needed: u64, most: Bytes, parts: &[Part]) -> String {
    const MOST: usize = 8;
    let shown = parts.iter().take(MOST).map(|part| format!("{} {}", part.name, part.size));
    let rest: u64 = parts.iter().skip(MOST).map(|part| part.size).sum();
    let padding = needed.saturating_sub(parts.iter().map(|part| part.size).sum());
    let others = [("everything else", rest), ("padding", padding)];
    let others =
        others.into_iter().filter(|(_, size)| *size > 0).map(|(name, size)| format!("{name} {size}"));
    let list = shown.chain(others).collect::<Vec<_>>().join(", ");
    let allowed = needed.div_ceil(1024);
    let beyond = needed.saturating_sub(most.get().into());
    let largest = parts.iter().find(|part| part.name != KERNEL);
    let advice = match (largest, allowed.saturating_mul(1024) <= most.get().into()) {
        (Some(part), true) => format!("make {} smaller, or allow \"{allowed}k\"", part.name),
        (None, true) => format!("allow \"{allowed}k\"; the kernel has only what the system uses"),
        (_, false) => format!("the board has {most}, so they have to be {beyond} bytes smaller at least"),
    };
    format!("in bytes: {list}; {advice}")
}
