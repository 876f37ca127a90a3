//! Sensors that several programs read: once an instant, whoever comes first.
//!
//! What a program reads itself it reads once, since its code says so. Programs don't know of each other, so the kernel notes
//! what was read at the last instant at which something was.

use beryl_abi::{Instant, Moment};

/// Which shared sensors were read, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Sensors {
    instant: Instant,
    /// A bit each: see [`DriverKind::Getter`](crate::rows::drivers::DriverKind::Getter).
    read: u32,
}

impl Sensors {
    /// Nothing was read.
    pub const BLANK: Sensors = Sensors { instant: Instant::START, read: 0 };

    /// Whether a sensor was read at an instant; one that isn't shared never was.
    pub fn have_been_read(&self, shared: u32, instant: Instant) -> bool {
        self.instant == instant && self.read & shared != 0
    }

    /// A sensor was read. Others of earlier instants are forgotten.
    pub fn note(&mut self, shared: u32, instant: Instant) {
        let read = if self.instant == instant { self.read } else { 0 };
        *self = Sensors { instant, read: read | shared };
    }

    /// Nobody asks any more what was read before a moment.
    pub fn forget_before(&mut self, now: Moment) {
        if self.instant.moment() != now || self.read == 0 {
            *self = Sensors::BLANK;
        }
    }
}
