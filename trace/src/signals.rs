//! Signals: the sensors and actuators of a system, each with all the drivers that move its value.
//!
//! A driver is a row of the kernel's tables. An actuator that is fed from two places, in two modes or two
//! programs, has two drivers of the same name. Views of a run use signals, so that no value is left out.

use std::collections::BTreeMap;

use beryl_abi::{DriverId, Instant};

use crate::event::{Event, Happening};
use crate::names::{DriverKind, DriverName, Names};

/// The index of a signal: sensors and actuators in the order of their first drivers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SignalId(pub usize);

/// The signals of a system.
#[derive(Clone, Debug)]
pub struct Signals<'a> {
    all: Vec<&'a DriverName>,
    of_driver: Vec<Option<SignalId>>,
}

/// A value read from a sensor or written to an actuator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved<'e> {
    /// The signal.
    pub signal: SignalId,
    /// The logical instant.
    pub instant: Instant,
    /// When it was really done.
    pub time: Instant,
    /// The value, as laid out in memory.
    pub value: &'e [u8],
}

impl<'a> Signals<'a> {
    /// The signals in the names.
    #[must_use]
    pub fn of(names: &'a Names) -> Signals<'a> {
        let mut signals = Signals { all: Vec::new(), of_driver: Vec::with_capacity(names.drivers.len()) };
        let mut known: BTreeMap<(&str, DriverKind), SignalId> = BTreeMap::new();
        for driver in &names.drivers {
            let signal = is_signal(driver.kind).then(|| {
                *known.entry((driver.name.as_str(), driver.kind)).or_insert_with(|| {
                    signals.all.push(driver);
                    SignalId(signals.all.len() - 1)
                })
            });
            signals.of_driver.push(signal);
        }
        signals
    }

    /// All signals, each with its first driver; its other drivers have the same name and kind.
    pub fn all(&self) -> impl ExactSizeIterator<Item = (SignalId, &'a DriverName)> {
        self.all.iter().enumerate().map(|(position, known)| (SignalId(position), *known))
    }

    /// The number of signals.
    #[must_use]
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// The first driver of a signal.
    #[must_use]
    pub fn known(&self, signal: SignalId) -> Option<&'a DriverName> {
        self.all.get(signal.0).copied()
    }

    /// The signal that a driver moves; `None` for copies and guards.
    #[must_use]
    pub fn of_driver(&self, driver: DriverId) -> Option<SignalId> {
        self.of_driver.get(driver.index()).copied().flatten()
    }

    /// The signal value that an event moves, if any.
    #[must_use]
    pub fn moved<'e>(&self, event: &'e Event) -> Option<Moved<'e>> {
        let Happening::Driver { driver, instant, value } = &event.happening else { return None };
        let signal = self.of_driver(*driver)?;
        let value = self.known(signal)?.value.own(value);
        Some(Moved { signal, instant: *instant, time: event.time, value })
    }
}

fn is_signal(kind: DriverKind) -> bool {
    matches!(kind, DriverKind::Sensor | DriverKind::Actuator)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::ValueType;

    #[test]
    fn a_signal_is_all_drivers_of_its_name_and_kind() {
        let mut names = Names::parse(include_str!("../tests/names.json")).expect("names");
        let driver = |name: &str, kind| DriverName { name: name.into(), kind, value: ValueType::Int };
        names.drivers = vec![
            driver("motor", DriverKind::Actuator),
            driver("motor", DriverKind::Copy),
            driver("motor", DriverKind::Sensor),
            driver("motor", DriverKind::Actuator),
        ];
        let signals = Signals::of(&names);
        let of = [0, 1, 2, 3, 4].map(|driver| signals.of_driver(DriverId(driver)).map(|signal| signal.0));
        assert_eq!(of, [Some(0), None, Some(1), Some(0), None]);
        assert_eq!(
            signals.all().map(|(_, known)| known.kind).collect::<Vec<_>>(),
            [DriverKind::Actuator, DriverKind::Sensor]
        );
    }
}
