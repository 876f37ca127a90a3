//! The environment: a stage on a rail, which somebody pushes out of its place once.
#![forbid(unsafe_code)]

use std::convert::Infallible;
use std::path::Path;

use beryl_abi::environment::Channel;
use beryl_sim::{Environment, Nanoseconds};
use relay::{MOTOR, PLACE};

/// How far the stage is pushed, in nanometers, and when: a microsecond behind an instant at which `place` is read.
const PUSHED: i32 = 400_000;
const WHEN: Nanoseconds = Nanoseconds::new(385_001_000);

/// The stage moves in steps of a millisecond, each by so many nanometers for what the motor pushes.
const STEP: u64 = 1_000_000;
const EACH: i32 = 25;
/// Nanometers in what the sensor counts in.
const MICROMETER: i32 = 1000;

/// The stage; seed and folder make no difference.
///
/// # Errors
/// None.
pub fn environment(_seed: u64, _folder: &Path) -> Result<Stage, Infallible> {
    Ok(Stage { steps: 0, place: 1000 * MICROMETER, push: 0, is_pushed: false, answered: None })
}

/// The stage.
#[derive(Clone, Debug)]
pub struct Stage {
    /// How many steps it has moved.
    steps: u64,
    /// Where it is, in nanometers.
    place: i32,
    /// How hard the motor pushes.
    push: i32,
    /// Whether somebody has pushed it.
    is_pushed: bool,
    /// When the motor was told something else for the first time after that.
    answered: Option<Nanoseconds>,
}

impl Stage {
    /// Moves until an instant.
    fn move_until(&mut self, instant: Nanoseconds) {
        let steps = instant.count() / STEP;
        for _ in self.steps..steps {
            self.place = self.place.saturating_add(self.push.saturating_mul(EACH));
        }
        self.steps = self.steps.max(steps);
        if instant >= WHEN && !self.is_pushed {
            self.is_pushed = true;
            self.place = self.place.saturating_add(PUSHED);
        }
    }
}

impl Environment for Stage {
    fn read(&mut self, instant: Nanoseconds, channel: Channel, value: &mut [u8]) {
        self.move_until(instant);
        if channel == PLACE
            && let Some(first) = value.first_chunk_mut()
        {
            *first = (self.place / MICROMETER).to_le_bytes();
        }
    }

    fn write(&mut self, instant: Nanoseconds, channel: Channel, value: &[u8]) {
        self.move_until(instant);
        if channel == MOTOR
            && let Some(push) = value.first_chunk()
        {
            let push = i32::from_le_bytes(*push);
            if self.is_pushed && push != self.push && self.answered.is_none() {
                self.answered = Some(instant);
            }
            self.push = push;
        }
    }

    fn finish(&mut self, _instant: Nanoseconds) -> Result<String, String> {
        let Some(answered) = self.answered else { return Ok("nobody has answered the push".to_owned()) };
        let late = answered.count().saturating_sub(WHEN.count()) / 1000;
        Ok(format!("the push was answered {late} us later; the stage is at {} um", self.place / MICROMETER))
    }
}
