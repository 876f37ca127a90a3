//! Environments without a plant: sensors from a table or from functions of time, actuators that are looked at, interrupts
//! at given instants.
//!
//! ```
//! use std::convert::Infallible;
//! use std::path::Path;
//!
//! use beryl_abi::environment::Channel;
//! use beryl_sim::Signals;
//!
//! pub fn environment(_seed: u64, _folder: &Path) -> Result<Signals, Infallible> {
//!     let lamp = |instant: beryl_sim::Nanoseconds, on: u8| match on {
//!         1 if instant.count() > 2_000_000_000 => Err("the lamp is on behind 2 s".to_owned()),
//!         _ => Ok(()),
//!     };
//!     Ok(Signals::new()
//!         .sensor(Channel::new(0), |instant| (instant.count() / 1_000_000) as i32)
//!         .actuator(Channel::new(1), lamp))
//! }
//! ```

use std::path::Path;

use beryl_abi::Line;
use beryl_abi::environment::Channel;
use beryl_user::port::{self, Plain};

pub use beryl_table::{Table, TableError};

use crate::environment::{Environment, Nanoseconds};

/// Gives a value, unless it is longer or shorter than the place for it: then it says how long it would be.
type Sensor = Box<dyn FnMut(Nanoseconds, &mut [u8]) -> Result<(), usize>>;
/// Takes a value; says what is wrong with it.
type Actuator = Box<dyn FnMut(Nanoseconds, &[u8]) -> Result<(), String>>;

/// Sensors, actuators and interrupts, one by one. Of several for one channel the first is asked.
#[derive(Default)]
pub struct Signals {
    sensors: Vec<(Channel, Sensor)>,
    actuators: Vec<(Channel, Actuator)>,
    tables: Vec<Table>,
    /// In the order of their instants.
    interrupts: Vec<(Nanoseconds, Line)>,
    /// How many values were read and written.
    exchanged: [u64; 2],
    /// What went wrong first.
    wrong: Option<String>,
}

impl Signals {
    /// Nothing at all: sensors keep their values, actuators go nowhere.
    #[must_use]
    pub fn new() -> Signals {
        Signals::default()
    }

    /// What a table says; see [`Table`].
    ///
    /// # Errors
    ///
    /// As [`Table::read`].
    pub fn read(path: &Path) -> Result<Signals, TableError> {
        Ok(Signals::new().table(Table::read(path)?))
    }

    /// A sensor whose value is a function of time.
    #[must_use]
    pub fn sensor<T: Plain>(
        mut self,
        channel: Channel,
        mut value: impl FnMut(Nanoseconds) -> T + 'static,
    ) -> Signals {
        let sensor = move |instant, place: &mut [u8]| {
            if place.len() != size_of::<T>() {
                return Err(size_of::<T>());
            }
            place.copy_from_slice(port::bytes(&value(instant)));
            Ok(())
        };
        self.sensors.push((channel, Box::new(sensor)));
        self
    }

    /// An actuator whose values are looked at. The first error fails the run, and is its report.
    #[must_use]
    pub fn actuator<T: Plain + Default>(
        mut self,
        channel: Channel,
        mut look: impl FnMut(Nanoseconds, T) -> Result<(), String> + 'static,
    ) -> Signals {
        let actuator = move |instant, bytes: &[u8]| {
            if bytes.len() != size_of::<T>() {
                return Err(unfit("a write", channel, bytes.len(), size_of::<T>()));
            }
            let mut value = T::default();
            port::change(&mut value, |place| place.copy_from_slice(bytes));
            look(instant, value)
        };
        self.actuators.push((channel, Box::new(actuator)));
        self
    }

    /// Interrupts on a line, in any order.
    #[must_use]
    pub fn interrupts_at(mut self, line: Line, instants: impl IntoIterator<Item = Nanoseconds>) -> Signals {
        self.interrupts.extend(instants.into_iter().map(|instant| (instant, line)));
        self.in_order()
    }

    /// The columns of a table.
    #[must_use]
    pub fn table(mut self, table: Table) -> Signals {
        self.interrupts.extend(table.interrupts());
        self.tables.push(table);
        self.in_order()
    }

    /// Interrupts come one by one: what is due together is a nanosecond apart, the lowest line first.
    fn in_order(mut self) -> Signals {
        self.interrupts.sort_by_key(|(instant, line)| (*instant, line.0));
        self.interrupts.dedup();
        let mut last = 0;
        for (instant, _) in &mut self.interrupts {
            *instant = Nanoseconds::new(instant.count().max(last + 1));
            last = instant.count();
        }
        self
    }

    fn look_up(&self, instant: Nanoseconds, channel: Channel, value: &mut [u8]) -> Result<(), String> {
        let Some((parts, length)) = self.tables.iter().find_map(|table| table.parts(channel, instant)) else {
            return Err(format!("a read on channel {}, for which there is no sensor", channel.number()));
        };
        if length != value.len() {
            return Err(unfit("a read", channel, value.len(), length));
        }
        for (start, part) in parts {
            value[start..start + part.len()].copy_from_slice(part);
        }
        Ok(())
    }
}

fn unfit(access: &str, channel: Channel, found: usize, length: usize) -> String {
    format!("{access} of {found} bytes on channel {}, whose values have {length}", channel.number())
}

impl Environment for Signals {
    fn read(&mut self, instant: Nanoseconds, channel: Channel, value: &mut [u8]) {
        self.exchanged[0] += 1;
        let sensor = self.sensors.iter_mut().find(|(other, _)| *other == channel);
        let given = match sensor {
            Some((_, sensor)) => {
                sensor(instant, value).map_err(|length| unfit("a read", channel, value.len(), length))
            }
            None => self.look_up(instant, channel, value),
        };
        if let Err(reason) = given {
            self.wrong.get_or_insert(reason);
        }
    }

    fn write(&mut self, instant: Nanoseconds, channel: Channel, value: &[u8]) {
        self.exchanged[1] += 1;
        let actuator = self.actuators.iter_mut().find(|(other, _)| *other == channel);
        if let Some(Err(reason)) = actuator.map(|(_, actuator)| actuator(instant, value)) {
            self.wrong.get_or_insert(reason);
        }
    }

    fn interrupts(&mut self, after: Nanoseconds) -> Option<(Nanoseconds, Line)> {
        let next = self.interrupts.partition_point(|(instant, _)| *instant <= after);
        self.interrupts.get(next).copied()
    }

    fn finish(&mut self, _instant: Nanoseconds) -> Result<String, String> {
        let [read, written] = self.exchanged;
        let said = format!("{read} values were read, {written} written");
        match self.wrong.take() {
            Some(reason) => Err(format!("{reason}\n{said}")),
            None => Ok(said),
        }
    }
}

#[cfg(test)]
mod tests;
