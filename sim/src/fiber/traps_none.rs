//! No traps: on this system faults of application code end the simulation as they end any program.

use std::io;
use std::time::Duration;

use crate::place::Place;

/// Only keeps the requested limit.
pub(crate) struct Traps {
    limit: Duration,
}

impl Traps {
    /// Nothing to set up.
    pub(crate) fn new(limit: Duration) -> io::Result<Traps> {
        Ok(Traps { limit })
    }

    /// The processor time that a segment may use; not measured here.
    pub(crate) fn limit(&self) -> Duration {
        self.limit
    }
}

/// An instruction as a place in this program: none is ever caught here.
pub(super) fn place(_instruction: usize) -> Option<Place> {
    None
}
