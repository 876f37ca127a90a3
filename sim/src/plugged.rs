//! The environment of an emulated board: a plugin of the emulator in which the plant answers while the board runs.
//!
//! The board's image is the one that is flashed. Its getters and setters reach a window of memory
//! ([`beryl_abi::environment`]); the emulator tells this plugin of each access to that window, after it and before
//! the next instruction. No virtual time passes meanwhile, however long the plant takes. The window has one place for
//! each channel: a value is put into it before it is read, and taken from it once it has been written.
//!
//! ```text
//!   image --loads, stores--> window, recording (a file that emulator and plugin share)
//!                               |                     |
//!   emulator --each access--> Plugged <--who runs, and the logical instant
//!                               |
//!                            Environment
//! ```

mod arguments;
mod bus;
mod clock;
mod inputs;
mod lines;
mod orders;
mod part;
mod place;
mod plugin;
mod recording;
mod settings;
mod shared_file;
mod turns;

use std::fmt;

use beryl_abi::Instant;
use beryl_abi::environment::{CHANNEL_WORDS, Channel, HEADER_WORDS};

use crate::environment::{Environment, Nanoseconds};
use crate::simulation::Tick;
use clock::Clock;
use lines::{Controller, Lines};
use place::{Done, Place};
pub use plugin::{VERSION, install, install_bus};
use recording::{Heard, Recording};
use settings::Settings;
pub use turns::install_turns;

/// Memory that board and plugin share.
pub(crate) trait Shared {
    /// Fills `bytes` from an address.
    fn read(&self, address: u32, bytes: &mut [u8]) -> Result<(), Broken>;
    /// Leaves `bytes` at an address.
    fn write(&self, address: u32, bytes: &[u8]) -> Result<(), Broken>;

    /// The word at an address.
    fn word(&self, address: u32) -> Result<u32, Broken> {
        let mut bytes = [0; 4];
        self.read(address, &mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }
}

/// Why the run can't go on.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Broken(pub(crate) String);

impl fmt::Display for Broken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Which way an access goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Load,
    Store,
}

/// The plant at the other end of a board's window.
pub(crate) struct Plugged<M, C> {
    environment: Box<dyn Environment>,
    memory: M,
    settings: Settings,
    places: Vec<Place>,
    recording: Recording,
    /// What the environment was given last: instants never go back.
    last: Nanoseconds,
    clock: Clock,
    /// Its interrupts, if they get to the board.
    lines: Option<Lines<C>>,
    /// How many instructions have been carried out when interrupts are looked at next.
    pub(crate) next_look: u64,
}

/// How many instructions are carried out between two looks at interrupts as long as the board has recorded nothing.
const AT_START: u64 = 1000;

impl<M: Shared, C: Controller> Plugged<M, C> {
    pub(crate) fn new(
        settings: Settings,
        memory: M,
        environment: Box<dyn Environment>,
        controller: Option<C>,
    ) -> Result<Plugged<M, C>, Broken> {
        let rows = settings.window + HEADER_WORDS * 4;
        let channels = memory.word(settings.window + 12)?;
        let row = |number: u32| Place::new(&memory, rows + number * CHANNEL_WORDS * 4);
        let places = (0..channels).map(row).collect::<Result<Vec<_>, Broken>>()?;
        let recording = Recording::new(settings.recording.clone());
        let (last, clock) = (Nanoseconds::default(), Clock::new(settings.tick, settings.speed));
        let others = settings.inputs.as_ref().map(|inputs| inputs.others.clone()).unwrap_or_default();
        let lines = controller.map(|controller| Lines::new(controller, others));
        Ok(Plugged { environment, memory, settings, places, recording, last, clock, lines, next_look: 0 })
    }

    /// The board has touched its memory, when it had carried out `count` instructions.
    pub(crate) fn touched(&mut self, access: Access, address: u32, count: u64) -> Result<(), Broken> {
        if address == self.settings.clock {
            self.recording.clock_was_read(count);
            if self.lines.is_some() {
                self.now(count)?;
            }
        } else if self.settings.recording.contains(&address) {
            if access == Access::Store {
                self.recording.grew(address, &self.memory)?;
                self.hear_of_interrupts(count)?;
            }
        } else {
            self.exchange(access, address, count)?;
        }
        Ok(())
    }

    /// Whether the kernel has recorded that an interrupt came, whose line then goes down.
    fn hear_of_interrupts(&mut self, count: u64) -> Result<(), Broken> {
        if self.lines.is_none() {
            return Ok(());
        }
        let now = self.now(count)?;
        if let (Some(now), Some(lines)) = (now, &mut self.lines) {
            for line in self.recording.taken() {
                lines.taken(&mut *self.environment, now, line)?;
            }
        }
        Ok(())
    }

    /// Some code begins, when the board has carried out `count` instructions: interrupts that are due come now.
    pub(crate) fn look(&mut self, count: u64) -> Result<(), Broken> {
        let Some(now) = self.now(count)? else {
            self.next_look = count + AT_START;
            return Ok(());
        };
        let Some(lines) = &mut self.lines else {
            self.next_look = u64::MAX;
            return Ok(());
        };
        let environment = &mut *self.environment;
        while let Some(next) = lines.next(environment) {
            if next > now {
                let left = (next.count() - now.count()) >> self.settings.speed;
                self.next_look = count + left.max(1);
                return Ok(());
            }
            lines.raise(environment, now)?;
        }
        self.next_look = u64::MAX;
        Ok(())
    }

    fn exchange(&mut self, access: Access, address: u32, count: u64) -> Result<(), Broken> {
        let rows = self.settings.window + HEADER_WORDS * 4;
        let Some(distance) = address.checked_sub(rows) else { return Ok(()) };
        let (number, word) = (distance / (CHANNEL_WORDS * 4), distance % (CHANNEL_WORDS * 4) / 4);
        let index = usize::try_from(number).unwrap_or(usize::MAX);
        let Some(done) = self.places.get_mut(index).and_then(|place| place.touched(access, word)) else {
            return Ok(());
        };
        let instant = self.instant(count)?;
        let (channel, place) = (Channel::new(number), &mut self.places[index]);
        match done {
            Done::Asked => {
                self.environment.read(instant, channel, &mut place.value);
                self.memory.write(place.address, &place.value)?;
            }
            Done::Written => {
                self.memory.read(place.address, &mut place.value)?;
                self.environment.write(instant, channel, &place.value);
                place.empty(&self.memory)?;
            }
        }
        self.next_look = 0;
        let now = self.now(count)?;
        match (&mut self.lines, now) {
            (Some(lines), Some(now)) => lines.exchanged(&mut *self.environment, now),
            _ => Ok(()),
        }
    }

    /// Kernel time, once the board has recorded something.
    fn now(&mut self, count: u64) -> Result<Option<Nanoseconds>, Broken> {
        self.clock.hear(self.recording.heard(&self.memory)?);
        Ok(self.clock.now(count))
    }

    /// The instant of an access, as the environment sees it: a driver's is logical.
    fn instant(&mut self, count: u64) -> Result<Nanoseconds, Broken> {
        let Heard { thread, logical, .. } = self.recording.heard(&self.memory)?;
        let tick = Tick::of_nanoseconds(self.settings.tick);
        let instant = match self.settings.drivers.contains(&thread) {
            true => tick.nanoseconds(logical),
            false => self.now(count)?.unwrap_or_default(),
        };
        self.last = self.last.max(instant);
        Ok(self.last)
    }

    /// The run is over.
    pub(crate) fn finish(&mut self) -> Result<String, String> {
        let end = Instant::from_ticks(self.settings.end);
        self.environment.finish(Tick::of_nanoseconds(self.settings.tick).nanoseconds(end))
    }
}

#[cfg(test)]
mod tests;
