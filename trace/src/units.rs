//! Units: in what the values of sensors, actuators and ports are told.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::lookup::{self, NotOne};
use crate::names::Names;
use crate::signals::Signals;
use crate::value::ValueType;

/// The units of a system, by what has them: `rotor`, `attitude.angle`, or a part of a value, `gps.x`, `gps[2]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Units(BTreeMap<String, String>);

impl Units {
    /// Whether nothing has one.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The unit of a part of a value: its own, or that of what it is a part of.
    #[must_use]
    pub fn of(&self, name: &str, path: &str) -> Option<&str> {
        let full = format!("{name}{path}");
        let mut part = full.as_str();
        loop {
            if let Some(unit) = self.0.get(part) {
                return Some(unit);
            }
            part = part.rfind(['.', '[']).filter(|cut| *cut >= name.len()).map(|cut| &part[..cut])?;
        }
    }

    /// What a unit is written for: the name of a sensor, an actuator or a port, or a part of its value.
    ///
    /// # Errors
    /// If nothing has that name, or several have.
    pub fn named(text: &str, names: &Names) -> Result<(), NotOne> {
        let is_part = |(name, kind): &(&str, &ValueType)| {
            text.strip_prefix(name).is_some_and(|path| kind.has_part(path))
        };
        let all = all(names);
        if all.iter().any(is_part) {
            return Ok(());
        }
        let known: BTreeSet<&str> = all.iter().map(|(name, _)| *name).collect();
        lookup::one(
            "sensor, actuator, port or traced state message",
            text,
            known.into_iter().map(|name| (name, ())),
        )
    }

    /// The names of everything that can have a unit.
    #[must_use]
    pub fn known(names: &Names) -> Vec<&str> {
        all(names).into_iter().map(|(name, _)| name).collect()
    }
}

impl FromIterator<(String, String)> for Units {
    fn from_iter<T: IntoIterator<Item = (String, String)>>(all: T) -> Units {
        Units(all.into_iter().collect())
    }
}

/// Sensors, actuators, ports and traced state messages, with the types of their values.
fn all(names: &Names) -> Vec<(&str, &ValueType)> {
    let signals = Signals::of(names);
    let signals = signals.all().map(|(_, known)| (known.name.as_str(), &known.value));
    let ports = names.ports.iter().map(|port| (port.name.as_str(), &port.value));
    let states = names.states.iter().map(|state| (state.name.as_str(), &state.value));
    signals.chain(ports).chain(states).collect()
}

impl ValueType {
    /// Whether a value has the part that is written so behind its name.
    fn has_part(&self, path: &str) -> bool {
        if path.is_empty() {
            return true;
        }
        match self {
            ValueType::Array(element, count) => {
                let part = path.strip_prefix('[').and_then(|rest| rest.split_once(']'));
                part.is_some_and(|(index, rest)| {
                    index.parse::<u32>().is_ok_and(|index| index < *count) && element.has_part(rest)
                })
            }
            ValueType::Record(fields) => path.strip_prefix('.').is_some_and(|rest| {
                let end = rest.find(['.', '[']).unwrap_or(rest.len());
                fields.iter().any(|(name, kind)| *name == rest[..end] && kind.has_part(&rest[end..]))
            }),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ports::PortName;

    fn units(all: &[(&str, &str)]) -> Units {
        all.iter().map(|(name, unit)| ((*name).to_owned(), (*unit).to_owned())).collect()
    }

    #[test]
    fn a_part_has_its_own_unit_or_that_of_the_whole() {
        let units = units(&[("gps", "m"), ("gps.speed", "m/s"), ("wires[2]", "V")]);
        assert_eq!(units.of("gps", ".x"), Some("m"));
        assert_eq!(units.of("gps", ".speed[1]"), Some("m/s"));
        assert_eq!((units.of("wires", "[2]"), units.of("wires", "[1]")), (Some("V"), None));
        // The point in a name is no part of a value.
        assert_eq!(units.of("gps.fix", ""), None);
    }

    #[test]
    fn units_are_of_what_there_is() {
        let mut names = Names::parse(include_str!("../tests/names.json")).expect("names");
        let kind = ValueType::try_from("{ float x; int[2] y; }".to_owned()).expect("a type");
        names.ports = vec![PortName { name: "navigate.fix".into(), value: kind, writers: vec![] }];
        for right in
            ["Control.servo", "navigate.fix", "navigate.fix.x", "navigate.fix.y", "navigate.fix.y[1]"]
        {
            assert_eq!(Units::named(right, &names), Ok(()), "{right}");
        }
        for wrong in
            ["Control.servo.x", "navigate.fix.z", "navigate.fix.y[2]", "navigate.fix[0]", "rotor", ""]
        {
            assert!(matches!(Units::named(wrong, &names), Err(NotOne::None { .. })), "{wrong}");
        }
        let several = Units::named("servo", &names);
        assert!(matches!(several, Err(NotOne::Several { .. })), "{several:?}");
    }
}
