//! Sensors that several programs read: the first program that needs one reads it, once an instant.
//!
//! Within one program, the system code makes sure of that. Programs don't know of each other, so the kernel
//! notes which sensors were read at the last instant with a reading.

use beryl_abi::{Instant, Moment};

/// Which shared sensors were read, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Sensors {
    instant: Instant,
    /// One bit each: see [`DriverKind::Getter`](crate::rows::drivers::DriverKind::Getter).
    read: u32,
}

impl Sensors {
    /// Nothing was read.
    pub const BLANK: Sensors = Sensors { instant: Instant::START, read: 0 };

    /// Whether a sensor was read at an instant; always no for one that isn't shared.
    pub fn have_been_read(&self, shared: u32, instant: Instant) -> bool {
        self.instant == instant && self.read & shared != 0
    }

    /// A sensor was read. Readings of earlier instants are forgotten.
    pub fn note(&mut self, shared: u32, instant: Instant) {
        let read = if self.instant == instant { self.read } else { 0 };
        *self = Sensors { instant, read: read | shared };
    }

    /// Readings before a moment won't be asked for any more.
    pub fn forget_before(&mut self, now: Moment) {
        if self.instant.moment() != now || self.read == 0 {
            *self = Sensors::BLANK;
        }
    }
}
