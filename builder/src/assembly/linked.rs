//! What of other nodes a system reads, and what of its own they read.

use std::collections::BTreeSet;

use beryl_abi::link;
use beryl_timing::{Basic, Type};

use super::{Assembly, CellId, Cells, Home};

/// What a part of a system of several nodes has to do with the others. Links have their numbers in the whole system.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Links {
    /// Those that end there.
    pub arrivals: Vec<Arrival>,
    /// Those that begin there.
    pub departures: Vec<Departure>,
    /// What modules and threads on other nodes are called: names don't depend on where something is.
    pub elsewhere: BTreeSet<String>,
}

/// A sensor of a part that gives what arrives.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrival {
    /// The module of the part.
    pub module: usize,
    /// The sensor in it.
    pub sensor: usize,
    /// The link.
    pub link: usize,
    /// What it gives before anything has arrived.
    pub initial: Vec<u8>,
}

/// An output of a part that is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Departure {
    /// The module of the part.
    pub module: usize,
    /// The task in it.
    pub task: usize,
    /// The port of that.
    pub port: usize,
    /// The link.
    pub link: usize,
}

/// An output of a task that other nodes read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaving {
    /// The link, by its number in the whole system.
    pub link: usize,
    /// The task's thread.
    pub task: usize,
    /// What the task has computed.
    pub from: CellId,
    /// From when on that counts.
    pub stamp: CellId,
    /// Where the task puts both.
    pub cell: CellId,
    /// Bytes of the value, in whole words.
    pub length: u32,
}

/// What has come from another node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arriving {
    /// The link, by its number in the whole system.
    pub link: usize,
    /// Where it is put.
    pub cell: CellId,
    /// Bytes of the value, in whole words.
    pub length: u32,
}

/// The type of an instant.
pub(super) const INSTANT: Type = Type::basic(Basic::Long);

impl Cells {
    /// The memory of a link, in which a value counts from the start on.
    pub(super) fn add_link(&mut self, home: Home, length: u32, initial: &[u8]) -> CellId {
        let size = link::size(length);
        let mut image = vec![0; usize::try_from(size).unwrap_or_default()];
        let place = usize::try_from(link::value(0, length)).unwrap_or_default();
        image.iter_mut().skip(place).zip(initial).for_each(|(to, from)| *to = *from);
        self.add(home, Type::array(Basic::Long, size / 8), Some(image))
    }
}

impl Assembly {
    /// Whether it has to do with other nodes.
    #[must_use]
    pub fn is_linked(&self) -> bool {
        !self.leaving.is_empty() || !self.arriving.is_empty()
    }
}
