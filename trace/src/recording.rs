//! Recordings: the sensor values and actuator writes, at logical instants.
//!
//! Two runs of one system with the same sensor values have the same actuator writes, bit for bit, on any
//! machine. [`compare`] checks that.

mod compare;
mod text;

pub use compare::{Comparison, Difference, Direction, compare};
pub use text::RecordingError;

use crate::clock::LogicalInstant;
use crate::event::Event;
use crate::names::{DriverKind, Names};
use crate::signals::Signals;
use crate::value::ValueType;

/// The values exchanged between a system and the world, each list in trace order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// The values read from sensors.
    pub sensors: Vec<Sample>,
    /// The values written to actuators.
    pub actuators: Vec<Sample>,
}

/// One value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sample {
    /// The logical instant at which it was read or written.
    pub instant: LogicalInstant,
    /// The sensor or actuator.
    pub name: String,
    /// The value, as laid out in memory.
    pub value: Vec<u8>,
}

impl Recording {
    /// The values of all sensor and actuator drivers in a trace.
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

/// The type of a sample's value, if the names have it.
fn type_of<'a>(sample: &Sample, names: &'a Names) -> Option<&'a ValueType> {
    let signals = Signals::of(names);
    let found = signals.all().find(|(_, known)| known.name == sample.name);
    found.map(|(_, known)| &known.value)
}

/// The readable value of a sample if its type is known, otherwise its bytes.
fn readable(sample: &Sample, known: Option<&ValueType>) -> String {
    known.map_or_else(|| crate::value::hex(&sample.value), |known| known.describe(&sample.value))
}

#[cfg(test)]
mod tests;
