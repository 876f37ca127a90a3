//! The environment: the plants at the other end of the simulated system's sensors and rotors.

use crate::formation::{ENVELOPE, Formation, Helicopter};
use beryl_abi::environment::Channel;
use beryl_sim::{Environment, Nanoseconds};
use helicopter_plant::{Gusts, SetupError};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// The table of gusts in the example's folder.
const GUSTS: &str = "gust.csv";

/// Three helicopters in the gusts of the example in `folder`, their sensors' noise drawn from `seed`.
///
/// # Errors
///
/// The folder has no readable table of gusts.
pub fn environment(seed: u64, folder: &Path) -> Result<Flight, SetupError> {
    let file = folder.join(GUSTS);
    match fs::read_to_string(&file).map(|text| Gusts::parse(&text)) {
        Ok(Ok(gusts)) => Ok(Flight::new(Formation::new(seed, &gusts))),
        Ok(Err(problem)) => Err(SetupError::Gusts { file, problem }),
        Err(reason) => Err(SetupError::File { file, reason }),
    }
}

/// A flight under the control of the simulated system.
#[derive(Clone, Debug)]
pub struct Flight {
    formation: Formation,
    /// The first access that the helicopters have no sensor or actuator for.
    misuse: Option<String>,
}

/// What a helicopter has on a channel.
enum Device {
    Gps,
    Attitude,
    Rotor,
}

impl Flight {
    /// A flight of this formation.
    pub fn new(formation: Formation) -> Flight {
        Flight { formation, misuse: None }
    }

    /// The helicopters that fly.
    pub fn formation(&self) -> &Formation {
        &self.formation
    }

    fn misused(&mut self, access: &str, channel: Channel, length: usize) {
        let found = format!("{access} of {length} bytes on channel {}", channel.number());
        self.misuse.get_or_insert(format!(
            "{found}; each helicopter has sensors on a channel (8 bytes) and the next (4 bytes), and a rotor on the one \
             behind them (8 bytes): from 0 the leader, from 3 the left one, from 6 the right one"
        ));
    }
}

impl Environment for Flight {
    fn read(&mut self, instant: Nanoseconds, channel: Channel, value: &mut [u8]) {
        self.formation.advance_to(since_start(instant));
        match (on(channel), value.len()) {
            (Some((who, Device::Gps)), 8) => value.copy_from_slice(&bytes(self.formation.fix(who))),
            (Some((who, Device::Attitude)), 4) => {
                value.copy_from_slice(&self.formation.attitude(who).to_le_bytes());
            }
            (_, length) => self.misused("a read", channel, length),
        }
    }

    fn write(&mut self, instant: Nanoseconds, channel: Channel, value: &[u8]) {
        self.formation.advance_to(since_start(instant));
        match (on(channel), value) {
            (Some((who, Device::Rotor)), &[a, b, c, d, e, f, g, h]) => {
                self.formation.command(who, [[a, b, c, d], [e, f, g, h]].map(f32::from_le_bytes));
            }
            (_, value) => self.misused("a write", channel, value.len()),
        }
    }

    fn finish(&mut self, instant: Nanoseconds) -> Result<String, String> {
        let flown = since_start(instant);
        self.formation.advance_to(flown);
        if let Some(misuse) = self.misuse.take() {
            return Err(misuse);
        }
        match self.formation.departure() {
            Some(departure) => Err(departure.to_string()),
            None => Ok(format!(
                "formation kept for {:.3} s: at most {:.3} m off at the left, {:.3} m at the right (bound {ENVELOPE:.1} m); \
                 the leader is {:+.1} m forward, {:+.1} m up",
                flown.as_secs_f64(),
                self.formation.worst(Helicopter::Left),
                self.formation.worst(Helicopter::Right),
                self.formation.state(Helicopter::Leader).x,
                self.formation.state(Helicopter::Leader).z,
            )),
        }
    }
}

/// Whose device is on a channel: the channels of `app/src/drivers.rs`.
fn on(channel: Channel) -> Option<(Helicopter, Device)> {
    let number = channel.number();
    let who = match number / 3 {
        0 => Helicopter::Leader,
        1 => Helicopter::Left,
        2 => Helicopter::Right,
        _ => return None,
    };
    let device = match number % 3 {
        0 => Device::Gps,
        1 => Device::Attitude,
        _ => Device::Rotor,
    };
    Some((who, device))
}

fn since_start(instant: Nanoseconds) -> Duration {
    Duration::from_nanos(instant.count())
}

fn bytes(pair: [f32; 2]) -> [u8; 8] {
    let [[a, b, c, d], [e, f, g, h]] = pair.map(f32::to_le_bytes);
    [a, b, c, d, e, f, g, h]
}
