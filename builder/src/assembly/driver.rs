//! Drivers: what moves values between ports, the outside and tasks.

use beryl_abi::Duration;

use super::CellId;

/// A driver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Driver {
    /// Its name in traces and listings.
    pub name: String,
    /// What it does.
    pub kind: DriverKind,
    /// Index of the process whose ports it touches or whose code it runs.
    pub process: usize,
    /// The task whose private ports it touches: index of its thread.
    pub task: Option<usize>,
    /// The first cell that it reads.
    pub from: CellId,
    /// The first cell that it writes.
    pub to: CellId,
    /// Bytes that it moves.
    pub length: u32,
}

/// What a driver does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DriverKind {
    /// The kernel publishes a task's outputs.
    Publish,
    /// The kernel copies an input of a task.
    Input,
    /// The kernel gives a port a constant value.
    Constant,
    /// The kernel writes the instant that lies so much ahead.
    Ahead {
        /// How far.
        by: Duration,
    },
    /// The kernel copies what counts of a link.
    Arrival,
    /// The kernel copies an input of a task out of its writer's own output, or lets it be fed.
    Fetch {
        /// The task that writes: index of its thread.
        writer: usize,
        /// The link's number.
        link: usize,
    },
    /// The kernel copies that input when the writer's job is done, if its reader waits for it.
    Feed {
        /// The link's number.
        link: usize,
    },
    /// A native function reads a sensor; its number in its process.
    Getter {
        /// The function's number.
        function: usize,
    },
    /// A native function writes an actuator; its number in its process.
    Setter {
        /// The function's number.
        function: usize,
    },
    /// A native function decides; its number in its process.
    Guard {
        /// The function's number.
        function: usize,
    },
}
