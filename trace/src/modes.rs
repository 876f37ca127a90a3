//! Modes: which mode each module was in, and when it switched.
//!
//! A program reports the address at which it continues at each instant, but no modes. The address is that of
//! an instant's block, and each block belongs to one mode; the block before chose it by testing its switches.
//! So from an instant on, a module is in the mode of the *next* block that it executes: a switch is known
//! once the new mode's first instant has come, and is dated back to when it was taken. For the last stretch
//! of a trace the mode is unknown if its block tested switches.

use std::collections::BTreeMap;

use beryl_abi::{Duration, Instant, ProgramId, ThreadId};
use serde::{Deserialize, Serialize};

use crate::event::{Event, Happening};
use crate::names::Names;
use beryl_abi::DecodedNote;

/// The modes of a module, from its program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModuleModes {
    /// The position of its program.
    pub program: u8,
    /// The threads of its tasks.
    pub tasks: Vec<u8>,
    /// The index of the mode in which it starts.
    pub start: usize,
    /// Its modes, in the order of the text and of their code.
    pub modes: Vec<ModeName>,
}

/// A mode's name, and its place in the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModeName {
    /// Its name.
    pub name: String,
    /// The address of its first block; it extends to the first block of the next mode.
    pub from: u16,
    /// The blocks that test switches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asks: Vec<u16>,
}

impl ModuleModes {
    /// The mode of the block at an address. Code before all blocks leads to the first mode.
    fn mode_at(&self, address: u16) -> Option<(usize, &ModeName)> {
        let behind = self.modes.partition_point(|mode| mode.from <= address);
        let position = behind.checked_sub(1).unwrap_or(self.start);
        self.modes.get(position).map(|mode| (position, mode))
    }

    /// Whether a program that continued at an address may leave its mode at that instant.
    fn asks_at(&self, address: u16) -> bool {
        self.mode_at(address).is_none_or(|(_, mode)| mode.asks.contains(&address.max(mode.from)))
    }
}

/// The state of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Which {
    /// The mode with this index.
    Mode(usize),
    /// Run by another program, in this room, whose modes are unknown.
    Room(u8),
}

/// A stretch of time in which a module was in one mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InMode {
    /// The module's program.
    pub program: ProgramId,
    /// The mode.
    pub mode: Which,
    /// The logical instant at which it began.
    pub from: Instant,
    /// The logical instant at which it ended, or the last one known from the trace.
    pub to: Instant,
}

impl InMode {
    /// The length of the stretch.
    #[must_use]
    pub fn length(&self) -> Duration {
        self.to.since(self.from)
    }
}

/// A mode switch of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModeSwitch {
    /// The module's program.
    pub program: ProgramId,
    /// The old mode.
    pub from: Which,
    /// The new mode.
    pub to: Which,
    /// The logical instant.
    pub at: Instant,
}

/// The modes in a trace; empty if it has no notes of them, or its names list none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Modes {
    /// The stretches, in the order of their beginnings; those of one module don't overlap.
    pub stretches: Vec<InMode>,
}

impl Modes {
    /// Follows a trace.
    #[must_use]
    pub fn of(events: &[Event], names: &Names) -> Modes {
        let modules = names.modes.iter().map(|module| (ProgramId(module.program), Followed::new(module)));
        let mut modules: BTreeMap<ProgramId, Followed<'_>> = modules.collect();
        let mut now = Instant::START;
        for event in events {
            now = now.max(event.time);
            match event.happening {
                Happening::Note(DecodedNote::React { program, address, instant }) => {
                    if let Some(module) = modules.get_mut(&program) {
                        module.go_on(address, instant);
                    }
                }
                Happening::Swap { program, room, .. } => {
                    if let Some(module) = modules.get_mut(&program) {
                        module.take_over(room);
                    }
                }
                // The missing notes may include a switch.
                Happening::Note(DecodedNote::Lost { .. }) => {
                    modules.values_mut().for_each(|module| module.last = None);
                }
                _ => {}
            }
        }
        let ended = modules.into_values().flat_map(|module| module.end(now));
        let mut stretches: Vec<InMode> = ended.collect();
        stretches.sort_by_key(|stretch| (stretch.from, stretch.program));
        Modes { stretches }
    }

    /// The stretches of one module.
    pub fn of_program(&self, program: ProgramId) -> impl DoubleEndedIterator<Item = &InMode> {
        self.stretches.iter().filter(move |stretch| stretch.program == program)
    }

    /// All mode switches, in time order.
    #[must_use]
    pub fn switches(&self) -> Vec<ModeSwitch> {
        let mut last: BTreeMap<ProgramId, InMode> = BTreeMap::new();
        let mut switches = Vec::new();
        for stretch in &self.stretches {
            let before = last.insert(stretch.program, *stretch);
            switches.extend(before.filter(|before| before.to == stretch.from).map(|before| ModeSwitch {
                program: stretch.program,
                from: before.mode,
                to: stretch.mode,
                at: stretch.from,
            }));
        }
        switches
    }

    /// In words: the mode in which a task's job was released, and the first few switches of all modules until
    /// `to`.
    #[must_use]
    pub fn around(&self, task: ThreadId, release: Instant, to: Instant, names: &Names) -> Vec<String> {
        const MOST: usize = 5;
        let own = names.modes.iter().find(|module| module.tasks.contains(&task.0));
        let own = own.map(|module| ProgramId(module.program));
        let own = own.filter(|program| names.has_several_modes(*program)).into_iter();
        let stretch = |program| {
            self.of_program(program).find(|stretch| stretch.from <= release && release < stretch.to)
        };
        let released = own.filter_map(stretch).map(|stretch| {
            let (module, mode) = (names.program(stretch.program), names.mode(stretch.program, stretch.mode));
            format!(
                "released in mode {mode} of {module}, which began at {}",
                names.tick.logical(stretch.from)
            )
        });
        let switches = self.switches();
        let meanwhile = switches.iter().filter(|switch| release < switch.at && switch.at <= to);
        let told = meanwhile.clone().take(MOST).map(|switch| switch.words(names));
        let more = meanwhile.count().saturating_sub(MOST);
        let rest = (more > 0).then(|| format!("and {more} more changes of modes"));
        released.chain(told).chain(rest).collect()
    }
}

impl ModeSwitch {
    /// Time and switch, in one line.
    #[must_use]
    pub fn words(&self, names: &Names) -> String {
        let ModeSwitch { program, from, to, at } = *self;
        let mode = |which| names.mode(program, which);
        format!(
            "at {} {} went from {} to {}",
            names.tick.logical(at),
            names.program(program),
            mode(from),
            mode(to)
        )
    }
}

impl Names {
    /// Whether a module has more than one mode, as far as known.
    #[must_use]
    pub fn has_several_modes(&self, program: ProgramId) -> bool {
        self.modes.iter().any(|module| module.program == program.0 && module.modes.len() > 1)
    }

    /// The index of a mode in its module.
    #[must_use]
    pub fn mode_position(&self, program: ProgramId, name: &str) -> Option<usize> {
        let own = self.modes.iter().find(|module| module.program == program.0)?;
        own.modes.iter().position(|mode| mode.name == name)
    }

    /// The name of a module's mode.
    #[must_use]
    pub fn mode(&self, program: ProgramId, which: Which) -> String {
        let position = match which {
            Which::Room(room) => return format!("the program in room {room}"),
            Which::Mode(position) => position,
        };
        let known = self.modes.iter().find(|module| module.program == program.0);
        let mode = known.and_then(|module| module.modes.get(position));
        mode.map_or_else(|| format!("mode {position}"), |mode| mode.name.clone())
    }
}

/// A module, while following a trace.
struct Followed<'a> {
    names: &'a ModuleModes,
    /// The room of its program: 0 is the image.
    room: u8,
    /// The last instant at which it continued, and the block.
    last: Option<(Instant, u16)>,
    stretches: Vec<InMode>,
}

impl<'a> Followed<'a> {
    fn new(names: &'a ModuleModes) -> Followed<'a> {
        Followed { names, room: 0, last: None, stretches: Vec::new() }
    }

    /// The program continues: since it last did so, it was in the mode of this block.
    fn go_on(&mut self, address: u16, instant: Instant) {
        // At one instant it continues in several phases; the first one is at the beginning of a block.
        if self.last.is_some_and(|(from, _)| from == instant) {
            return;
        }
        if let Some((from, _)) = self.last.replace((instant, address))
            && let Some(mode) = self.mode_at(address)
        {
            self.add(mode, from, instant);
        }
    }

    /// At this instant another program starts from its beginning.
    fn take_over(&mut self, room: u8) {
        self.room = room;
        if let Some((_, address)) = &mut self.last {
            *address = 0;
        }
    }

    fn mode_at(&self, address: u16) -> Option<Which> {
        match self.room {
            0 => self.names.mode_at(address).map(|(position, _)| Which::Mode(position)),
            room => Some(Which::Room(room)),
        }
    }

    fn add(&mut self, mode: Which, from: Instant, to: Instant) {
        let reached = self.stretches.last().map_or(Instant::START, |last| last.to);
        match self.stretches.last_mut() {
            Some(last) if last.mode == mode && last.to == from => last.to = last.to.max(to),
            // Only in a damaged trace does an instant precede one reported earlier.
            _ if from >= to || from < reached => {}
            _ => self.stretches.push(InMode { program: ProgramId(self.names.program), mode, from, to }),
        }
    }

    /// The trace ends.
    fn end(mut self, now: Instant) -> Vec<InMode> {
        if let Some((from, address)) = self.last
            && (self.room != 0 || !self.names.asks_at(address))
            && let Some(mode) = self.mode_at(address)
        {
            self.add(mode, from, now);
        }
        self.stretches
    }
}

#[cfg(test)]
mod tests;
