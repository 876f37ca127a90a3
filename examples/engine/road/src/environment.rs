//! The environment: road, wheel and referee at the other end of the simulated system.

use std::convert::Infallible;
use std::path::Path;

use beryl_abi::Line;
use beryl_abi::environment::Channel;
use beryl_sim::{Environment, Nanoseconds};

use crate::{Referee, Road, Wheel};

// The channels of `app/src/wheel.rs`.
const ROAD: u32 = 0;
const TOOTH: u32 = 1;
/// The crank's line.
const CRANK: Line = Line(10);
/// Nanoseconds in a minute, by the teeth of the wheel.
const MINUTE: f32 = 60e9 / 20.0;

/// A drive.
#[derive(Clone, Debug)]
pub struct Drive {
    road: Road,
    wheel: Wheel,
    referee: Referee,
    /// The first access that the road has nothing for.
    misuse: Option<String>,
}

/// A drive on the road of this seed.
///
/// # Errors
///
/// None.
pub fn environment(seed: u64, _folder: &Path) -> Result<Drive, Infallible> {
    let (wheel, referee) = (Wheel::default(), Referee::default());
    Ok(Drive { road: Road::new(seed), wheel, referee, misuse: None })
}

impl Drive {
    fn misused(&mut self, access: &str, channel: Channel, length: usize) {
        let found = format!("{access} of {length} bytes on channel {}", channel.number());
        self.misuse.get_or_insert(format!(
            "{found}; there are lever and road on channel {ROAD} (8 bytes), and the wheel on channel {TOOTH} (4 bytes)"
        ));
    }
}

impl Environment for Drive {
    fn read(&mut self, instant: Nanoseconds, channel: Channel, value: &mut [u8]) {
        match (channel.number(), value.len()) {
            (ROAD, 8) => {
                let values = [self.road.asked(instant), self.road.torque(instant)];
                value.copy_from_slice(values.map(f32::to_le_bytes).as_flattened());
            }
            (_, length) => self.misused("a read", channel, length),
        }
    }

    fn write(&mut self, instant: Nanoseconds, channel: Channel, value: &[u8]) {
        let (TOOTH, &[a, b, c, d]) = (channel.number(), value) else {
            return self.misused("a write", channel, value.len());
        };
        let distance = i32::from_le_bytes([a, b, c, d]).max(1);
        self.wheel.turn(instant, distance.unsigned_abs().into());
        self.referee.see(&self.road, instant, MINUTE / distance as f32);
    }

    fn interrupts(&mut self, after: Nanoseconds) -> Option<(Nanoseconds, Line)> {
        self.wheel.tooth_after(after).map(|instant| (instant, CRANK))
    }

    fn finish(&mut self, _instant: Nanoseconds) -> Result<String, String> {
        match self.misuse.take() {
            Some(misuse) => Err(misuse),
            None => self.referee.verdict(),
        }
    }
}
