//! Ports: the outputs of tasks, visible to all from the instants at which they are published.

use beryl_abi::{DriverId, Instant};
use serde::{Deserialize, Serialize};

use crate::event::{Event, Happening};
use crate::names::Names;
use crate::value::ValueType;

/// A port's name, and how its values get into a trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PortName {
    /// The names of its task and port.
    pub name: String,
    /// The type of its values.
    pub value: ValueType,
    /// The drivers that write it.
    pub writers: Vec<Writer>,
}

/// A driver that writes a port, perhaps among others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Writer {
    /// The driver's number.
    pub driver: u16,
    /// Where the port's value begins within the driver's, in bytes.
    pub offset: u32,
}

/// A published value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Published<'a> {
    /// The index of the port in the names.
    pub port: usize,
    /// The logical instant from which it is visible.
    pub instant: Instant,
    /// When it was really published.
    pub time: Instant,
    /// The bytes from the beginning of the value on; `None` if the trace has only the first part of the
    /// published value, and this is beyond it.
    pub bytes: Option<&'a [u8]>,
}

/// Finds the ports that a driver writes without searching all ports each time.
pub struct Ports<'a> {
    names: &'a Names,
    /// For each driver, the indices of its ports and where their values begin.
    of_driver: Vec<Vec<(usize, u32)>>,
}

impl<'a> Ports<'a> {
    /// The ports of a system.
    #[must_use]
    pub fn of(names: &'a Names) -> Ports<'a> {
        let mut of_driver: Vec<Vec<(usize, u32)>> = vec![Vec::new(); names.drivers.len()];
        for (port, known) in names.ports.iter().enumerate() {
            for writer in &known.writers {
                if let Some(own) = of_driver.get_mut(DriverId(writer.driver).index()) {
                    own.push((port, writer.offset));
                }
            }
        }
        Ports { names, of_driver }
    }

    /// The ports that an event publishes; for most events none.
    pub fn published(&self, event: &'a Event) -> impl Iterator<Item = Published<'a>> {
        let (driver, instant, bytes) = match &event.happening {
            Happening::Driver { driver, instant, value } => (driver.index(), *instant, value.as_slice()),
            _ => (usize::MAX, event.time, [].as_slice()),
        };
        let ports = self.of_driver.get(driver).map(Vec::as_slice).unwrap_or_default();
        ports.iter().map(move |(port, offset)| {
            let offset = usize::try_from(*offset).unwrap_or(usize::MAX);
            Published { port: *port, instant, time: event.time, bytes: bytes.get(offset..) }
        })
    }

    /// A published value in words; `None` if the trace doesn't have all of it.
    #[must_use]
    pub fn describe(&self, one: &Published<'_>) -> Option<String> {
        self.names.ports.get(one.port)?.value.describe_first(one.bytes?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        let mut names = Names::parse(include_str!("../tests/names.json")).expect("names");
        let port = |name: &str, kind: &str, writers: &[(u16, u32)]| PortName {
            name: name.into(),
            value: ValueType::try_from(kind.to_owned()).expect("a type"),
            writers: writers
                .iter()
                .map(|(driver, offset)| Writer { driver: *driver, offset: *offset })
                .collect(),
        };
        names.ports = vec![
            port("navigate.at", "{ byte x; double y; }[2]", &[(2, 0)]),
            port("navigate.fix", "float", &[(2, 20), (0, 0)]),
        ];
        names
    }

    #[test]
    fn a_driver_publishes_each_port_at_its_place() {
        let names = names();
        let ports = Ports::of(&names);
        let told = |driver, value: Vec<u8>| {
            let at = Instant::from_ticks(25);
            let happening = Happening::Driver { driver: DriverId(driver), instant: at, value };
            let event = Event { time: Instant::from_ticks(30), happening };
            let published = ports.published(&event).map(|one| (one.port, ports.describe(&one)));
            published.collect::<Vec<_>>()
        };
        let mut bytes = vec![0; 24];
        bytes[20..].copy_from_slice(&1.5_f32.to_le_bytes());
        let record = "[{x: 0, y: 0}, {x: 0, y: 0}]".to_owned();
        assert_eq!(told(2, bytes.clone()), [(0, Some(record.clone())), (1, Some("1.5".to_owned()))]);
        // A board sends only the beginning of a long value.
        assert_eq!(told(2, bytes[..20].to_vec()), [(0, Some(record)), (1, None)]);
        assert_eq!(told(0, vec![0, 0, 0x20, 0x40]), [(1, Some("2.5".to_owned()))]);
        assert_eq!(told(1, vec![0; 4]), []);
        assert_eq!(told(999, vec![0; 4]), []);
    }
}
