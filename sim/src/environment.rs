//! Environments: what is at the other end of sensors and actuators.

use beryl_abi::Instant;
use beryl_abi::environment::Channel;

use crate::simulation::Tick;

/// Logical time since the start of the system, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nanoseconds(u64);

impl Nanoseconds {
    /// So many nanoseconds after the start.
    #[must_use]
    pub const fn new(nanoseconds: u64) -> Nanoseconds {
        Nanoseconds(nanoseconds)
    }

    /// Nanoseconds since the start.
    #[must_use]
    pub const fn count(self) -> u64 {
        self.0
    }

    /// The instant, rounded down to whole nanoseconds; saturates.
    pub(crate) fn of(instant: Instant, tick: Tick) -> Nanoseconds {
        let product = u128::from(instant.ticks()) * u128::from(tick.nanoseconds);
        Nanoseconds(u64::try_from(product / u128::from(tick.ticks.max(1))).unwrap_or(u64::MAX))
    }
}

/// A plant, a network, a recording: whatever the system senses and acts on.
///
/// `instant` is always the logical instant whose drivers are being carried out, so an environment
/// can't see how fast the processor is. Instants never go back.
pub trait Environment {
    /// Gives a sensor's value; `value` is what it was until now, and as long as the port.
    fn read(&mut self, instant: Nanoseconds, channel: Channel, value: &mut [u8]);
    /// Takes an actuator's value.
    fn write(&mut self, instant: Nanoseconds, channel: Channel, value: &[u8]);
    /// The run is over: a report of it, or what went wrong.
    ///
    /// # Errors
    /// Whatever the environment demands of the system and didn't get, in words.
    fn finish(&mut self, instant: Nanoseconds) -> Result<String, String>;
}

/// Sensors keep their first value, actuators do nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Environment for Silent {
    fn read(&mut self, _instant: Nanoseconds, _channel: Channel, _value: &mut [u8]) {}

    fn write(&mut self, _instant: Nanoseconds, _channel: Channel, _value: &[u8]) {}

    fn finish(&mut self, _instant: Nanoseconds) -> Result<String, String> {
        Ok(String::new())
    }
}

/// Which way a value went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From a sensor into the system.
    Read,
    /// From the system to an actuator.
    Write,
}

/// One value that crossed the border between system and environment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// The logical instant.
    pub instant: Nanoseconds,
    /// Which way.
    pub direction: Direction,
    /// Which sensor or actuator.
    pub channel: Channel,
    /// The value's bytes, little endian.
    pub value: Vec<u8>,
}

/// An environment and all that was exchanged with it.
pub(crate) struct Border {
    environment: Box<dyn Environment>,
    tick: Tick,
    pub(crate) accesses: Vec<Access>,
}

impl Border {
    pub(crate) fn new(environment: Box<dyn Environment>, tick: Tick) -> Border {
        Border { environment, tick, accesses: Vec::new() }
    }

    pub(crate) fn read(&mut self, instant: Instant, channel: Channel, mut value: Vec<u8>) -> Vec<u8> {
        let instant = Nanoseconds::of(instant, self.tick);
        self.environment.read(instant, channel, &mut value);
        self.accesses.push(Access { instant, direction: Direction::Read, channel, value: value.clone() });
        value
    }

    pub(crate) fn write(&mut self, instant: Instant, channel: Channel, value: Vec<u8>) {
        let instant = Nanoseconds::of(instant, self.tick);
        self.environment.write(instant, channel, &value);
        self.accesses.push(Access { instant, direction: Direction::Write, channel, value });
    }

    pub(crate) fn finish(&mut self, instant: Instant) -> Result<String, String> {
        self.environment.finish(Nanoseconds::of(instant, self.tick))
    }
}

#[cfg(test)]
mod tests {
    use super::{Nanoseconds, Tick};
    use beryl_abi::Instant;

    #[test]
    fn instants_become_nanoseconds() {
        let at = |ticks, tick| Nanoseconds::of(Instant::from_ticks(ticks), tick).count();
        assert_eq!(at(250_000, Tick::of_nanoseconds(40)), 10_000_000);
        assert_eq!(at(100, Tick { nanoseconds: 125, ticks: 3 }), 4_166);
        assert_eq!(at(u64::MAX, Tick::of_nanoseconds(40)), u64::MAX);
    }
}
