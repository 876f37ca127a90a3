//! The network's device: the environment of the simulation.
#![forbid(unsafe_code)]

use std::path::Path;

use beryl_abi::Line;
use beryl_abi::environment::Channel;
use beryl_sim::{Environment, Nanoseconds};

/// The line of [interrupt.packet].
const PACKET: Line = Line(10);

/// When it interrupts, and how often it did.
#[derive(Clone, Debug, Default)]
pub struct Wire {
    next: Option<Nanoseconds>,
    interrupts: u32,
}

/// The device; seed and folder make no difference.
///
/// # Errors
/// None.
pub fn environment(_seed: u64, _folder: &Path) -> Result<Wire, std::convert::Infallible> {
    Ok(Wire::default())
}

impl Wire {
    fn advance(&mut self, now: Nanoseconds) {
        if self.next.take_if(|next| *next <= now).is_some() {
            self.interrupts += 1;
        }
    }
}

impl Environment for Wire {
    fn read(&mut self, _instant: Nanoseconds, _channel: Channel, _value: &mut [u8]) {}

    /// The device server says in how many microseconds the next packet comes.
    fn write(&mut self, instant: Nanoseconds, _channel: Channel, value: &[u8]) {
        self.advance(instant);
        let microseconds = value.try_into().map_or(0, i32::from_le_bytes);
        let left = u64::try_from(microseconds).unwrap_or(0).saturating_mul(1000);
        self.next = Some(Nanoseconds::new(instant.count().saturating_add(left)));
    }

    fn interrupts(&mut self, after: Nanoseconds) -> Option<(Nanoseconds, Line)> {
        self.advance(after);
        self.next.map(|next| (next, PACKET))
    }

    fn finish(&mut self, instant: Nanoseconds) -> Result<String, String> {
        self.advance(instant);
        Ok(format!("{} interrupts", self.interrupts))
    }
}
