//! No traps: on this system faults of application code end the simulation as they end any program.

use std::io;
use std::time::Duration;

/// Nothing to hold but what was asked for.
pub(crate) struct Traps {
    limit: Duration,
}

impl Traps {
    /// Nothing to set up.
    pub(crate) fn new(limit: Duration) -> io::Result<Traps> {
        Ok(Traps { limit })
    }

    /// The processor time that a segment may use; isn't measured.
    pub(crate) fn limit(&self) -> Duration {
        self.limit
    }
}
