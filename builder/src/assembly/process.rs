//! Processes, and the native functions that their driver threads run.

use beryl_abi::Duration;
use beryl_kernel::Restart;
use beryl_timing::{Condition, Type};

use super::CellId;
use crate::quantity::Bytes;

/// A process.
#[derive(Clone, Debug)]
pub struct Process {
    /// Its name.
    pub name: String,
    /// The native functions that its driver thread runs, in the order of their numbers.
    pub functions: Vec<Function>,
    /// Its driver thread, if it has native drivers.
    pub driver_thread: Option<usize>,
    /// Whether a fault stops only the thread.
    pub stops_thread_only: bool,
    /// How often it begins anew after a fault, if it does.
    pub restarts: Option<Restart>,
    /// Each of two rooms for code that takes the place of its own; nothing if it can't be replaced.
    pub room: Bytes,
    /// The most that its variables may take.
    pub memory: Bytes,
    /// The names of its devices.
    pub devices: Vec<String>,
    /// How many events have room in its journal; 0 if it has none.
    pub journal: u32,
    /// The lock that its threads take where libraries ask for a critical section.
    pub critical_section: Option<usize>,
    /// Whether it is compiled for floating point in hardware.
    pub is_floating: bool,
}

/// A native function that a driver thread runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Its name in the application.
    pub name: String,
    /// What it is given.
    pub shape: Shape,
    /// The least time it takes.
    pub best: Duration,
    /// The most time it may take.
    pub worst: Duration,
}

/// What a native function of a driver thread is given.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A getter: a value of this type to fill.
    Fills(Type),
    /// A setter: a value of this type to look at.
    Takes(Type),
    /// A guard: values to look at, always the same ones. It answers yes or no.
    Decides(Vec<CellId>),
    /// A condition of the timing program, which the glue asks itself: its arguments, always the same ones.
    Holds {
        /// What is asked, by the numbers of the arguments.
        condition: Condition,
        /// Where the arguments are.
        cells: Vec<CellId>,
    },
}
