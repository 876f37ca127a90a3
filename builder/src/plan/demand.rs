//! What a system needs of its board's memory: RAM as it is described, flash as it is linked.

use crate::board::Device;
use crate::quantity::Bytes;

/// Everything that must find its place in RAM.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Demand {
    /// Everything of the kernel's own, with its stack.
    pub kernel: Bytes,
    /// Published values: visible ports, written by the kernel only, read by all.
    pub published: Bytes,
    /// What the kernel keeps of messages on their way; user mode can't touch it.
    pub objects: Bytes,
    /// The processes; their order is that of the process table.
    pub processes: Vec<ProcessDemand>,
    /// Memory that processes share.
    pub shared: Vec<SharedDemand>,
}

/// What processes share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SharedDemand {
    /// Its name.
    pub name: String,
    /// The least that it must be.
    pub size: Bytes,
    /// The processes that read and write it, by their positions.
    pub processes: Vec<usize>,
}

/// What a process needs of RAM. Nothing of it depends on how its code is compiled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessDemand {
    /// Its name.
    pub name: String,
    /// Its variables, initialised or not: as much as the description allows them.
    pub memory: Bytes,
    /// The private ports of its tasks and drivers.
    pub ports: Bytes,
    /// How many events have room in its journal.
    pub journal: u32,
    /// Each of two rooms for code that takes the place of its own; nothing if it can't be replaced.
    pub room: Bytes,
    /// State messages that it writes; they lie beside what is published, and all may read them.
    pub states: Bytes,
    /// The stacks of its threads.
    pub stacks: Vec<StackDemand>,
    /// Devices that it uses.
    pub devices: Vec<Device>,
}

/// What a linked process has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Linked {
    /// Code and constants.
    pub text: Bytes,
    /// Initialised variables: in RAM, and in flash what they start with.
    pub data: Bytes,
    /// Variables that start with zero.
    pub zeros: Bytes,
}

/// What a thread needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StackDemand {
    /// The thread's name.
    pub thread: String,
    /// The least that its stack must be.
    pub size: Bytes,
}

/// What the description allows of each memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// From the start of the board's flash.
    pub flash: Bytes,
    /// From the start of the board's RAM.
    pub ram: Bytes,
}
