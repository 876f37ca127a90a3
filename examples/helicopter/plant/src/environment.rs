//! The environment: the plant at the other end of the simulated system's sensors and rotor.

use crate::envelope::HOVER;
use crate::gusts::{GustError, Gusts};
use crate::plant::Plant;
use beryl_abi::environment::Channel;
use beryl_sim::{Environment, Nanoseconds};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;

/// The table of gusts in the example's folder.
const GUSTS: &str = "gust.csv";

// The channels of `app/src/drivers.rs`.
const GPS: u32 = 0;
const ATTITUDE: u32 = 1;
const ROTOR: u32 = 2;

/// Why the helicopter can't be set up.
#[derive(Debug, Error)]
pub enum SetupError {
    /// The table of gusts can't be read.
    #[error("{}: {reason}; the example needs this table of gusts", file.display())]
    File {
        /// The table's path.
        file: PathBuf,
        /// What the operating system says.
        reason: io::Error,
    },
    /// The table of gusts is wrong.
    #[error("{}: {problem}", file.display())]
    Gusts {
        /// The table's path.
        file: PathBuf,
        /// The line, and what is wrong with it.
        problem: GustError,
    },
}

/// The helicopter in the gusts of the example in `folder`, its sensors' noise drawn from `seed`.
///
/// # Errors
///
/// The folder has no readable table of gusts.
pub fn environment(seed: u64, folder: &Path) -> Result<Flight, SetupError> {
    let file = folder.join(GUSTS);
    match fs::read_to_string(&file).map(|text| Gusts::parse(&text)) {
        Ok(Ok(gusts)) => Ok(Flight::new(Plant::new(seed, gusts))),
        Ok(Err(problem)) => Err(SetupError::Gusts { file, problem }),
        Err(reason) => Err(SetupError::File { file, reason }),
    }
}

/// A flight under the control of the simulated system.
#[derive(Clone, Debug)]
pub struct Flight {
    plant: Plant,
    /// The first access that the helicopter has no sensor or actuator for.
    misuse: Option<String>,
}

impl Flight {
    /// A flight of this plant.
    pub fn new(plant: Plant) -> Flight {
        Flight { plant, misuse: None }
    }

    /// The plant that flies.
    pub fn plant(&self) -> &Plant {
        &self.plant
    }

    fn misused(&mut self, access: &str, channel: Channel, length: usize) {
        let found = format!("{access} of {length} bytes on channel {}", channel.number());
        self.misuse.get_or_insert(format!(
            "{found}; the helicopter has sensors on channels {GPS} (8 bytes) and {ATTITUDE} (4 bytes), and a rotor \
             on channel {ROTOR} (8 bytes)"
        ));
    }
}

impl Environment for Flight {
    fn read(&mut self, instant: Nanoseconds, channel: Channel, value: &mut [u8]) {
        self.plant.advance_to(since_start(instant));
        match (channel.number(), value.len()) {
            (GPS, 8) => value.copy_from_slice(&bytes(self.plant.fix())),
            (ATTITUDE, 4) => value.copy_from_slice(&self.plant.attitude().to_le_bytes()),
            (_, length) => self.misused("a read", channel, length),
        }
    }

    fn write(&mut self, instant: Nanoseconds, channel: Channel, value: &[u8]) {
        self.plant.advance_to(since_start(instant));
        match (channel.number(), value) {
            (ROTOR, &[a, b, c, d, e, f, g, h]) => {
                self.plant.command([[a, b, c, d], [e, f, g, h]].map(f32::from_le_bytes));
            }
            (_, value) => self.misused("a write", channel, value.len()),
        }
    }

    fn finish(&mut self, instant: Nanoseconds) -> Result<String, String> {
        let flown = since_start(instant);
        self.plant.advance_to(flown);
        if let Some(misuse) = self.misuse.take() {
            return Err(misuse);
        }
        match self.plant.departure() {
            Some(departure) => Err(departure.to_string()),
            None => Ok(format!(
                "hover held for {:.3} s: at most {} (bounds {:.1} m and {:.1} m)",
                flown.as_secs_f64(),
                self.plant.worst(),
                HOVER.horizontal,
                HOVER.vertical
            )),
        }
    }
}

fn since_start(instant: Nanoseconds) -> Duration {
    Duration::from_nanos(instant.count())
}

fn bytes(pair: [f32; 2]) -> [u8; 8] {
    let [[a, b, c, d], [e, f, g, h]] = pair.map(f32::to_le_bytes);
    [a, b, c, d, e, f, g, h]
}
