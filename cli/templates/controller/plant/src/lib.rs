//! The tank: the environment of the simulation. Water runs out of it, the faster the more there is, and the pump fills it.
#![forbid(unsafe_code)]

use std::path::Path;

use beryl_abi::environment::Channel;
use beryl_sim::{Environment, Nanoseconds};

// The channels of `app/src/lib.rs`.
const LEVEL: u32 = 0;
const PUMP: u32 = 1;

/// What the controller should keep to, in um, and from when on, in ns.
const WANTED: f64 = 100_000.0;
const BOUND: f64 = 5_000.0;
const SETTLED: u64 = 6_000_000_000;

/// The tank. All numbers are in um and seconds.
#[derive(Clone, Debug, Default)]
pub struct Tank {
    level: f64,
    pump: f64,
    /// Up to when it has been worked out, in ns.
    at: u64,
    /// The farthest from what is wanted, once it should have settled.
    farthest: f64,
}

/// The tank; seed and folder make no difference.
///
/// # Errors
/// None.
pub fn environment(_seed: u64, _folder: &Path) -> Result<Tank, std::convert::Infallible> {
    Ok(Tank::default())
}

impl Tank {
    fn advance(&mut self, now: u64) {
        const STEP: u64 = 1_000_000;
        while self.at < now {
            let seconds = STEP.min(now - self.at) as f64 * 1e-9;
            self.level += (self.pump - 0.3 * self.level) * seconds;
            self.at += STEP.min(now - self.at);
            if self.at >= SETTLED {
                self.farthest = self.farthest.max((self.level - WANTED).abs());
            }
        }
    }
}

impl Environment for Tank {
    fn read(&mut self, instant: Nanoseconds, channel: Channel, value: &mut [u8]) {
        self.advance(instant.count());
        if channel.number() == LEVEL && value.len() == 4 {
            value.copy_from_slice(&(self.level as i32).to_le_bytes());
        }
    }

    fn write(&mut self, instant: Nanoseconds, channel: Channel, value: &[u8]) {
        self.advance(instant.count());
        if let (PUMP, Ok(bytes)) = (channel.number(), value.try_into()) {
            self.pump = i32::from_le_bytes(bytes).into();
        }
    }

    /// A run in which the level isn't held fails, with the reason.
    fn finish(&mut self, instant: Nanoseconds) -> Result<String, String> {
        self.advance(instant.count());
        let said = format!("the level is {:.1} mm", self.level / 1000.0);
        match self.farthest > BOUND {
            true => Err(format!("{said}; it was {:.1} mm off", self.farthest / 1000.0)),
            false => Ok(said),
        }
    }
}
