//! Recordings: what the sensors said and what the actuators were told, at logical instants.
//!
//! Two runs of one system with the same sensor values have the same actuator writes, bit for bit, on whatever
//! machine they ran. [`compare`] holds them to it.

mod compare;
mod text;

pub use compare::{Comparison, Difference, Direction, compare};
pub use text::RecordingError;

use crate::clock::LogicalInstant;
use crate::event::Event;
use crate::names::{DriverKind, Names};
use crate::signals::Signals;
use crate::value::ValueType;

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
        let signals = Signals::of(names);
        for moved in events.iter().filter_map(|event| signals.moved(event)) {
            let Some(known) = signals.known(moved.signal) else { continue };
            let list = match known.kind {
                DriverKind::Sensor => &mut recording.sensors,
                _ => &mut recording.actuators,
            };
            let instant = names.tick.logical(moved.instant);
            list.push(Sample { instant, name: known.name.clone(), value: moved.value.to_vec() });
        }
        recording
    }
}

/// The type of a sample's value, if the names tell it.
fn type_of<'a>(sample: &Sample, names: &'a Names) -> Option<&'a ValueType> {
    let signals = Signals::of(names);
    let found = signals.all().find(|(_, known)| known.name == sample.name);
    found.map(|(_, known)| &known.value)
}

/// The value of a sample in words, if its type is known, else as bytes.
fn readable(sample: &Sample, known: Option<&ValueType>) -> String {
    known.map_or_else(|| crate::value::hex(&sample.value), |known| known.describe(&sample.value))
}

#[cfg(test)]
mod tests;
