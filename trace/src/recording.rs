//! Recordings: what the sensors said and what the actuators were told, at logical instants.
//!
//! Two runs of one system with the same sensor values have the same actuator writes, bit for bit, on whatever
//! machine they ran. [`compare`] holds them to it.

mod compare;
mod text;

pub use compare::{Comparison, Difference, Direction, compare};
pub use text::RecordingError;

use crate::clock::LogicalInstant;
use crate::event::{Event, Happening};
use crate::names::{DriverKind, Names};

/// The values that crossed the border between a system and the world, each list in the order of the trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// What was read from sensors.
    pub sensors: Vec<Sample>,
    /// What was written to actuators.
    pub actuators: Vec<Sample>,
}

/// One value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sample {
    /// The logical instant at which it was read or written.
    pub instant: LogicalInstant,
    /// The sensor or actuator.
    pub name: String,
    /// The value, as it lies in memory.
    pub value: Vec<u8>,
}

impl Recording {
    /// The values of all drivers of sensors and actuators in a trace.
    #[must_use]
    pub fn of(events: &[Event], names: &Names) -> Recording {
        let mut recording = Recording::default();
        for event in events {
            let Happening::Driver { driver, instant, value } = &event.happening else { continue };
            let Some(known) = names.known_driver(*driver) else { continue };
            let list = match known.kind {
                DriverKind::Sensor => &mut recording.sensors,
                DriverKind::Actuator => &mut recording.actuators,
                DriverKind::Copy | DriverKind::Guard => continue,
            };
            let instant = names.tick.logical(*instant);
            list.push(Sample { instant, name: known.name.clone(), value: value.clone() });
        }
        recording
    }
}

/// The value of a sample in words, if the names tell its type, else as bytes.
fn readable(sample: &Sample, names: &Names) -> String {
    let driver = names.drivers.iter().find(|driver| {
        driver.name == sample.name && matches!(driver.kind, DriverKind::Sensor | DriverKind::Actuator)
    });
    driver.map_or_else(|| crate::value::hex(&sample.value), |driver| driver.value.describe(&sample.value))
}

#[cfg(test)]
mod tests;
