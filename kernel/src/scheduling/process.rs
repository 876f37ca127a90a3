//! The state of a process.

use crate::table::Blank;

/// The state of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProcessState {
    /// One of its threads faulted, and all of them were stopped.
    pub(crate) stopped: bool,
}

impl Blank for ProcessState {
    const BLANK: ProcessState = ProcessState { stopped: false };
}
