//! The parts of a description that can be read, before the rules about all of them are checked.

use super::assertions::Asserted;
use super::cmsis::Cmsis;
use super::in_c::CodeInC;
use super::{
    Band, BoardUse, Bus, Driver, Group, KernelCosts, Node, Objects, Partitions, Placed, Process, Replicas,
    Sleep, System, Task, Thread,
};

/// All parts that can be read.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) system: Option<System>,
    pub(super) c: CodeInC,
    pub(super) cmsis: Option<Cmsis>,
    pub(super) board: Option<BoardUse>,
    pub(super) processes: Vec<Process>,
    pub(super) bands: Vec<Band>,
    pub(super) groups: Vec<Group>,
    pub(super) tasks: Vec<Task>,
    pub(super) drivers: Vec<Driver>,
    pub(super) threads: Vec<Thread>,
    pub(super) objects: Objects,
    pub(super) sleeps: Vec<Sleep>,
    pub(super) partitions: Option<Partitions>,
    pub(super) costs: KernelCosts,
    pub(super) nodes: Vec<Node>,
    pub(super) bus: Option<Bus>,
    pub(super) replicas: Vec<Replicas>,
    pub(super) asserted: Vec<Asserted>,
    pub(super) units: Vec<(Placed<String>, String)>,
    /// See [`Description::lines`](super::Description::lines).
    pub(super) lines: Vec<(u16, u16)>,
    /// See [`Description::console`](super::Description::console).
    pub(super) console: [Option<u16>; 2],
}
