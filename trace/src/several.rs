//! A run of several kernels: which they are, what goes from one to another, and what has become of the frames that carried
//! it. `beryl sim` and `beryl run` leave it beside the results of the system, as `NAME.kernels.json`.

mod messages;

use std::path::PathBuf;

use beryl_abi::frame::Fate;
use serde::{Deserialize, Serialize};

pub use messages::{Message, messages};

use crate::clock::{LogicalInstant, Nanoseconds};

/// A recorded run of several kernels.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Several {
    /// What the system is called.
    pub system: String,
    /// What has a kernel here, in a word: `node` or `core`.
    pub word: String,
    /// The kernels, in the order of the system.
    pub kernels: Vec<Kernel>,
    /// The values that cross, by their numbers.
    pub crossings: Vec<Crossing>,
    /// After this the frames begin again; zero where no bus carries anything.
    pub cycle: Nanoseconds,
    /// The frames of a cycle, in their order.
    pub frames: Vec<Frame>,
    /// A letter for each frame of the run, in their order: what has become of it ([`Fate`]).
    pub fates: String,
}

/// One of several kernels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// What it is, in words.
    pub title: String,
    /// The number of its machine: what kernels of one machine tell each other goes through memory.
    pub machine: usize,
    /// Its trace, seen from the folder in which this is told.
    pub trace: PathBuf,
}

/// A value that goes from a task of one kernel to tasks of others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crossing {
    /// What it is called.
    pub value: String,
    /// Who sends: its kernel's number, and its name there.
    pub from: (usize, String),
    /// Who reads.
    pub to: Vec<(usize, String)>,
    /// How long behind its job's release it counts; nothing if that depends on the mode.
    pub counts_after: Option<Nanoseconds>,
}

/// What a kernel sends once a cycle; times from its beginning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// The number of its kernel.
    pub kernel: usize,
    /// When its values are taken.
    pub start: Nanoseconds,
    /// When they have arrived.
    pub end: Nanoseconds,
    /// When they count.
    pub counts: Nanoseconds,
    /// The numbers of the values that it may carry.
    pub crossings: Vec<usize>,
}

/// A frame of the run, and what has become of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Carried<'a> {
    /// The frame.
    pub frame: &'a Frame,
    /// When its cycle began.
    pub cycle: LogicalInstant,
    /// What has become of it.
    pub fate: Fate,
}

impl Carried<'_> {
    /// When it was on the bus.
    #[must_use]
    pub fn span(&self) -> (LogicalInstant, LogicalInstant) {
        (self.cycle.after(self.frame.start), self.cycle.after(self.frame.end))
    }
}

impl Several {
    /// The frames that were sent, in their order.
    pub fn carried(&self) -> impl Iterator<Item = Carried<'_>> {
        let slots = (0_u64..).flat_map(|cycle| self.frames.iter().map(move |frame| (cycle, frame)));
        let told = self.fates.chars().map(|letter| Fate::of_letter(letter).unwrap_or_default());
        let carried = slots.zip(told).map(|((cycle, frame), fate)| Carried {
            frame,
            cycle: LogicalInstant::from_nanoseconds(cycle.saturating_mul(self.cycle.number())),
            fate,
        });
        carried.filter(|carried| carried.fate != Fate::Unsent)
    }

    /// Whether two kernels see the same memory.
    fn are_near(&self, one: usize, other: usize) -> bool {
        let machine = |kernel: usize| self.kernels.get(kernel).map(|kernel| kernel.machine);
        machine(one) == machine(other)
    }
}

#[cfg(test)]
mod tests;
