//! What a sensor, an actuator, a port or a state message was over time: all its values in a run, in the order of their instants.

use beryl_abi::Instant;
use serde::Serialize;

use crate::event::Event;
use crate::names::Names;
use crate::ports::Ports;
use crate::signals::Signals;
use crate::value::{Leaf, ValueType};

/// A value of more numbers than this is shown as a text only.
pub const MOST_LEAVES: usize = 16;

/// What has values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// A sensor or an actuator.
    Signal,
    /// A port.
    Port,
    /// A state message.
    State,
}

/// A sensor, an actuator, a port or a state message, with all its values.
#[derive(Clone, Debug)]
pub struct Sampled<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it is.
    pub origin: Origin,
    /// The type of its values.
    pub value: &'a ValueType,
    /// Its values, by their instants.
    pub samples: Vec<Sample<'a>>,
}

/// One value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample<'a> {
    /// The logical instant from which it counts; of a state message, which has none, when it was found there.
    pub instant: Instant,
    /// When it was really moved.
    pub time: Instant,
    /// As laid out in memory; perhaps only the first of its bytes, perhaps none of them.
    pub bytes: &'a [u8],
}

impl<'a> Sampled<'a> {
    /// All sensors and actuators, then all ports, then all traced state messages, also those that had no value.
    #[must_use]
    pub fn all(events: &'a [Event], names: &'a Names) -> Vec<Sampled<'a>> {
        let (signals, ports) = (Signals::of(names), Ports::of(names));
        let empty = |name: &'a str, origin, value| Sampled { name, origin, value, samples: Vec::new() };
        let of_signals = signals.all().map(|(_, known)| empty(&known.name, Origin::Signal, &known.value));
        let of_ports = names.ports.iter().map(|port| empty(&port.name, Origin::Port, &port.value));
        let of_states = names.states.iter().map(|state| empty(&state.name, Origin::State, &state.value));
        let mut all: Vec<Sampled<'a>> = of_signals.chain(of_ports).chain(of_states).collect();
        let first_state = signals.count() + names.ports.len();
        for event in events {
            if let Some(moved) = signals.moved(event)
                && let Some(own) = all.get_mut(moved.signal.0)
            {
                own.samples.push(Sample { instant: moved.instant, time: moved.time, bytes: moved.value });
            }
            for one in ports.published(event) {
                if let Some(own) = all.get_mut(signals.count() + one.port) {
                    let bytes = one.bytes.unwrap_or_default();
                    own.samples.push(Sample { instant: one.instant, time: one.time, bytes });
                }
            }
            if let Some(found) = names.found(event)
                && let Some(own) = all.get_mut(first_state + found.state)
            {
                own.samples.push(Sample { instant: found.time, time: found.time, bytes: found.bytes });
            }
        }
        all.iter_mut().for_each(|own| own.samples.sort_by_key(|sample| sample.instant));
        all
    }

    /// The numbers in its values; none if they are too many.
    #[must_use]
    pub fn leaves(&self) -> Vec<Leaf> {
        self.value.leaves(MOST_LEAVES).unwrap_or_default()
    }

    /// A value in words; `None` if the trace doesn't have all of it.
    #[must_use]
    pub fn describe(&self, sample: &Sample<'_>) -> Option<String> {
        match self.origin {
            Origin::Port | Origin::State => self.value.describe_first(sample.bytes),
            Origin::Signal => Some(self.value.describe(sample.bytes)),
        }
    }
}
