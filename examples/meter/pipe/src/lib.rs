//! The water pipe with its wheel: the environment of the simulation.
//!
//! Somebody opens and shuts the tap at fixed times. The wheel raises its line once a pulse; when the pump is
//! told another time from pulse to pulse, that is counted from then.
#![forbid(unsafe_code)]

use std::path::Path;

use beryl_abi::Line;
use beryl_abi::environment::Channel;
use beryl_sim::{Environment, Nanoseconds};

// The channels of `app/src/drivers.rs`.
const VALVE: u32 = 0;
const PUMP: u32 = 1;
const LAMP: u32 = 2;
/// The line of [interrupt.pulse].
const PULSE: Line = Line(10);

/// How far the tap is open, in per mille, from when on, in ns.
const TAP: [(u64, i32); 5] =
    [(0, 0), (100_000_000, 400), (600_000_000, 1000), (1_100_000_000, 700), (1_500_000_000, 0)];

/// The pipe.
#[derive(Clone, Debug, Default)]
pub struct Pipe {
    /// How far the tap is open, from when on.
    tap: &'static [(u64, i32)],
    /// When the next pulse comes, if the wheel turns, in ns.
    next: Option<u64>,
    /// From then to the one after it, in ns.
    interval: u64,
    pulses: u32,
    shown: i32,
    wrong: Option<String>,
}

/// The pipe; seed and folder make no difference.
///
/// # Errors
/// None.
pub fn environment(_seed: u64, _folder: &Path) -> Result<Pipe, std::convert::Infallible> {
    Ok(Pipe::with(&TAP))
}

impl Pipe {
    /// A pipe whose tap is open so far, in per mille, from when on, in ns.
    #[must_use]
    pub fn with(tap: &'static [(u64, i32)]) -> Pipe {
        Pipe { tap, ..Pipe::default() }
    }

    /// The pulses up to an instant have come.
    fn advance(&mut self, now: u64) {
        while let Some(next) = self.next.filter(|next| *next <= now) {
            self.pulses += 1;
            self.next = Some(next.saturating_add(self.interval));
        }
    }

    fn pump(&mut self, now: u64, interval: i32) {
        let interval = u64::try_from(interval).unwrap_or(0).saturating_mul(1000);
        if interval != self.interval {
            self.interval = interval;
            self.next = if interval > 0 { now.checked_add(interval) } else { None };
        }
    }

    fn misused(&mut self, what: &str, channel: Channel) {
        self.wrong.get_or_insert(format!("{what} of channel {} that isn't there", channel.number()));
    }
}

impl Environment for Pipe {
    fn read(&mut self, instant: Nanoseconds, channel: Channel, value: &mut [u8]) {
        self.advance(instant.count());
        let open = self.tap.iter().take_while(|(from, _)| *from <= instant.count()).last();
        match (channel.number(), value.len(), open) {
            (VALVE, 4, Some((_, open))) => value.copy_from_slice(&open.to_le_bytes()),
            _ => self.misused("a read", channel),
        }
    }

    fn write(&mut self, instant: Nanoseconds, channel: Channel, value: &[u8]) {
        self.advance(instant.count());
        match (channel.number(), value) {
            (PUMP, &[a, b, c, d]) => self.pump(instant.count(), i32::from_le_bytes([a, b, c, d])),
            (LAMP, &[a, b, c, d]) => self.shown = i32::from_le_bytes([a, b, c, d]),
            _ => self.misused("a write", channel),
        }
    }

    fn interrupts(&mut self, after: Nanoseconds) -> Option<(Nanoseconds, Line)> {
        self.advance(after.count());
        self.next.map(|next| (Nanoseconds::new(next), PULSE))
    }

    fn finish(&mut self, instant: Nanoseconds) -> Result<String, String> {
        self.advance(instant.count());
        match self.wrong.take() {
            Some(wrong) => Err(wrong),
            None => Ok(format!("{} pulses, the lamp shows {}", self.pulses, self.shown)),
        }
    }
}
