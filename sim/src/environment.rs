//! Environments: the other end of sensors, actuators and interrupt lines.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

use beryl_abi::environment::Channel;
use beryl_abi::{Instant, Line};

use crate::error::SimulationError;
use crate::fingerprint::Digest;
use crate::lines::Lines;
use crate::simulation::Tick;

pub use beryl_table::Nanoseconds;

/// A plant, a network, a recording: anything that the system senses and acts on.
///
/// For a native driver, `instant` is the logical instant at which it is carried out, so the values that
/// drivers exchange don't reveal how fast the processor is. For any other thread it is the instant of its
/// access. Instants never go back on a node; of several nodes, one may ask a little behind another, by as much as their
/// clocks and their steps are apart.
pub trait Environment {
    /// Gives a sensor's value; `value` holds the previous one, and is as long as the port.
    fn read(&mut self, instant: Nanoseconds, channel: Channel, value: &mut [u8]);
    /// Takes an actuator's value.
    fn write(&mut self, instant: Nanoseconds, channel: Channel, value: &[u8]);
    /// The first interrupt after an instant: when, and on which line; none if no more interrupts come.
    ///
    /// It is asked with the last interrupt that was raised, at first with the start. It is asked again after
    /// each read and write, which may have changed the answer. An interrupt that should have come before the
    /// present comes at once. Lines that are raised together are a nanosecond apart. A masked line stays
    /// pending until it is unmasked, and comes once, however often it was raised.
    fn interrupts(&mut self, _after: Nanoseconds) -> Option<(Nanoseconds, Line)> {
        None
    }
    /// Whether the device holds a line up. Such a line comes again whenever it is unmasked, until the device
    /// is served.
    ///
    /// It is asked when the line was raised, and again after each read and write, which may serve the device.
    /// A device that returns none raises its line for a moment only.
    fn level(&mut self, _instant: Nanoseconds, _line: Line) -> Option<bool> {
        None
    }
    /// The run is over: returns a report, or what went wrong.
    ///
    /// # Errors
    /// A requirement of the environment that the system didn't meet, in words.
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

/// The direction of a value.
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
    /// The instant that the environment was given.
    pub instant: Nanoseconds,
    /// Its direction.
    pub direction: Direction,
    /// The sensor or actuator.
    pub channel: Channel,
    /// The value's bytes, little endian.
    pub value: Vec<u8>,
}

/// An environment and everything that was exchanged with it.
pub(crate) struct Border {
    environment: Box<dyn Environment>,
    tick: Tick,
    pub(crate) accesses: Vec<Access>,
    /// The values exchanged: the environment's future is a function of them.
    history: Digest,
    /// The last interrupt that was raised.
    raised: Nanoseconds,
    upcoming: Upcoming,
    /// Lines that it has raised and may hold up.
    levels: BTreeSet<Line>,
}

/// The environment's next interrupt, as far as it is known.
#[derive(Clone, Copy, Debug)]
enum Upcoming {
    /// Nothing: the environment has to be asked.
    Unknown,
    /// There is none.
    None,
    /// When, and on which line.
    Interrupt(Nanoseconds, Line),
}

/// The environment's future is a function of the values exchanged with it.
impl Hash for Border {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (self.history, self.raised).hash(hasher);
    }
}

impl Border {
    pub(crate) fn new(environment: Box<dyn Environment>, tick: Tick) -> Border {
        let (raised, upcoming) = (Nanoseconds::default(), Upcoming::Unknown);
        Border {
            environment,
            tick,
            accesses: Vec::new(),
            history: Digest::default(),
            raised,
            upcoming,
            levels: BTreeSet::new(),
        }
    }

    /// The environment raises a line.
    pub(crate) fn raise_line(&mut self, line: Line, now: Instant, lines: &mut Lines) {
        lines.raise(line);
        if let Some(is_up) = self.environment.level(self.tick.nanoseconds(now), line) {
            self.levels.insert(line);
            lines.hold(line, is_up);
        }
    }

    /// After an exchange: devices that were served have taken their lines back.
    pub(crate) fn hold_lines(&mut self, now: Instant, lines: &mut Lines) {
        for line in &self.levels {
            let level = self.environment.level(self.tick.nanoseconds(now), *line);
            lines.hold(*line, level.unwrap_or_default());
        }
    }

    /// Somebody else has had to do with the environment: its next interrupt may be another one.
    pub(crate) fn look_again(&mut self) {
        self.upcoming = Upcoming::Unknown;
    }

    /// When the next interrupt comes.
    pub(crate) fn next(&mut self) -> Result<Instant, SimulationError> {
        if let Upcoming::Unknown = self.upcoming {
            self.upcoming = self.ask()?;
        }
        Ok(match self.upcoming {
            Upcoming::Interrupt(instant, _) => self.tick.instant(instant),
            Upcoming::Unknown | Upcoming::None => Instant::NEVER,
        })
    }

    /// The line of the interrupt that is due; the next call returns the next one.
    pub(crate) fn raise(&mut self, now: Instant) -> Result<Option<Line>, SimulationError> {
        match (self.next()?.is_due(now), self.upcoming) {
            (true, Upcoming::Interrupt(instant, line)) => {
                (self.raised, self.upcoming) = (instant, Upcoming::Unknown);
                Ok(Some(line))
            }
            _ => Ok(None),
        }
    }

    fn ask(&mut self) -> Result<Upcoming, SimulationError> {
        let after = self.raised;
        match self.environment.interrupts(after) {
            None => Ok(Upcoming::None),
            Some((instant, line)) if instant > after => Ok(Upcoming::Interrupt(instant, line)),
            Some((instant, _)) => Err(SimulationError::Interrupt { after, instant }),
        }
    }

    pub(crate) fn read(&mut self, instant: Instant, channel: Channel, mut value: Vec<u8>) -> Vec<u8> {
        let instant = self.tick.nanoseconds(instant);
        self.environment.read(instant, channel, &mut value);
        self.upcoming = Upcoming::Unknown;
        self.note(Access { instant, direction: Direction::Read, channel, value: value.clone() });
        value
    }

    pub(crate) fn write(&mut self, instant: Instant, channel: Channel, value: Vec<u8>) {
        let instant = self.tick.nanoseconds(instant);
        self.environment.write(instant, channel, &value);
        self.upcoming = Upcoming::Unknown;
        self.note(Access { instant, direction: Direction::Write, channel, value });
    }

    fn note(&mut self, access: Access) {
        self.history.add(&access);
        self.accesses.push(access);
    }

    pub(crate) fn finish(&mut self, instant: Instant) -> Result<String, String> {
        self.environment.finish(self.tick.nanoseconds(instant))
    }
}

#[cfg(test)]
mod tests {
    use super::{Nanoseconds, Tick};
    use beryl_abi::Instant;

    #[test]
    fn instants_become_nanoseconds() {
        let at = |ticks, tick: Tick| tick.nanoseconds(Instant::from_ticks(ticks)).count();
        assert_eq!(at(250_000, Tick::of_nanoseconds(40)), 10_000_000);
        assert_eq!(at(100, Tick { nanoseconds: 125, ticks: 3 }), 4_166);
        assert_eq!(at(u64::MAX, Tick::of_nanoseconds(40)), u64::MAX);
    }

    #[test]
    fn nanoseconds_become_the_first_tick_that_is_not_before_them() {
        let at = |nanoseconds, tick: Tick| tick.instant(Nanoseconds::new(nanoseconds)).ticks();
        assert_eq!([0, 1, 40, 41].map(|count| at(count, Tick::of_nanoseconds(40))), [0, 1, 1, 2]);
        assert_eq!(at(4_166, Tick { nanoseconds: 125, ticks: 3 }), 100);
        assert_eq!(at(u64::MAX, Tick { nanoseconds: 1, ticks: 2 }), u64::MAX);
    }
}
