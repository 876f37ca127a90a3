//! The machines of a system, and what is between them.

use super::Placed;
use beryl_abi::ProcessId;

use crate::board::Board;
use crate::quantity::{Bytes, Nanoseconds};

/// A machine, or a core of one, with a kernel of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its name.
    pub name: Placed<String>,
    /// Its board, if it isn't that of `[board]`.
    pub board: Option<&'static Board>,
    /// The number of its machine: what is on one machine sees the same memory.
    pub machine: usize,
    /// Whether it is a core; and of which node, where there are nodes.
    pub core_of: Option<Option<String>>,
}

impl Node {
    /// Whether it is a core.
    #[must_use]
    pub fn is_core(&self) -> bool {
        self.core_of.is_some()
    }

    /// What it is, in a word.
    #[must_use]
    pub fn word(&self) -> &'static str {
        if self.is_core() { "core" } else { "node" }
    }

    /// What all of these are, in a word or two.
    #[must_use]
    pub fn word_of(all: &[Node]) -> &'static str {
        match (all.iter().all(Node::is_core), all.iter().any(Node::is_core)) {
            (true, true) => "core",
            (false, true) => "node or core",
            _ => "node",
        }
    }
}

/// A module that several machines carry out at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replicas {
    /// The module, as the timing program calls it.
    pub module: Placed<String>,
    /// The processes of its replicas: three, five or seven.
    pub processes: Vec<Placed<ProcessId>>,
}

/// A bus on which one node at a time sends, and all others hear it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bus {
    /// How long a frame takes without any bytes, from the instant at which its values are taken until those of an
    /// empty one would have been put down everywhere.
    pub frame: Placed<Nanoseconds>,
    /// How much longer for each byte.
    pub byte: Placed<Nanoseconds>,
    /// The most bytes in a frame, if there is a limit.
    pub most: Option<Placed<Bytes>>,
    /// How wrong clocks of nodes may be; nothing if all are driven by one.
    pub clocks: Option<Clocks>,
}

/// How wrong clocks of nodes may be, and how they are kept together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clocks {
    /// By how much each may be too fast or too slow, in parts per million; at most 1000.
    pub drift: Placed<u32>,
    /// The node by whose frames all others set their clocks, if any.
    pub set_by: Option<Placed<usize>>,
    /// So many of these frames may be lost one after another.
    pub lost: u64,
    /// By how much the arrival of a frame may be read wrongly, either way.
    pub reading: Nanoseconds,
}
