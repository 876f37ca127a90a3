//! The governor: from speed to air, and from air to the throttle's plate.

use beryl_user::period::Period;
use beryl_user::state::{Reader, Writer};

use crate::latest::Latest;
use crate::{RATED_SPEED, REST, limit};

/// Time between two jobs of [`govern`], s.
const STEP: f32 = 0.01;
/// Load by error of the speed, min; at the rated speed. A slower engine answers later, so the gain is less.
const GAIN: f32 = 2.5e-3;
/// The error's sum over time by the error, 1/s.
const SUM_GAIN: f32 = 1.0;
/// Load that an idling engine needs.
const IDLE_LOAD: f32 = 0.15;
/// The speed with which an engine starts, 1/min, until its own is known.
const STARTED: f32 = 900.0;
/// Limits of the load.
const LEAST: f32 = 0.05;
const MOST: f32 = 0.9;

/// A PI law for the speed. What it asks for is load, for torque is nearly proportional to it.
pub struct Governor {
    sum: f32,
}

impl Default for Governor {
    fn default() -> Governor {
        Governor { sum: IDLE_LOAD }
    }
}

impl Governor {
    /// The load for a speed that is aimed at and one that has been measured (1/min), 10 ms after the last.
    pub fn step(&mut self, target: f32, speed: f32) -> f32 {
        let error = target - speed;
        let answer = GAIN * limit(speed / RATED_SPEED, 0.1, 1.0) * error;
        let wanted = self.sum + answer;
        let load = limit(wanted, LEAST, MOST);
        // What the engine can't do must not add up.
        if wanted == load {
            self.sum += STEP * SUM_GAIN * answer;
        }
        load
    }
}

/// The plate's command, against its rest, for a load that is wanted at a speed (1/min). What flows past the
/// plate is what the engine takes in: plate x (1 - load) = speed x load, all as parts of the most.
#[must_use]
pub fn plate_for(load: f32, speed: f32) -> f32 {
    let load = limit(load, LEAST, MOST);
    let open = limit(speed / RATED_SPEED, 0.0, 1.0) * load / (1.0 - load);
    limit(open, 0.0, 1.0) - REST
}

/// Holds the speed at its target.
pub fn govern(mut period: Period, target: Reader<f32>, speed: Reader<[f32; 2]>, mut air: Writer<f32>) -> ! {
    let (mut target, mut speed) = (Latest::new(target, 0.0), Latest::new(speed, [0.0; 2]));
    let mut law = Governor::default();
    loop {
        let [speed, _] = speed.get();
        // Before the first revolution nobody knows the speed.
        air.write(&if speed > 0.0 { law.step(target.get(), speed) } else { IDLE_LOAD });
        period.wait();
    }
}

/// Moves the plate.
pub fn throttle(mut period: Period, air: Reader<f32>, speed: Reader<[f32; 2]>, mut plate: Writer<f32>) -> ! {
    let (mut air, mut speed) = (Latest::new(air, 0.0), Latest::new(speed, [0.0; 2]));
    loop {
        let (air, [speed, _]) = (air.get(), speed.get());
        // Without a governor the plate stays where its springs hold it.
        let command = if air > 0.0 { plate_for(air, if speed > 0.0 { speed } else { STARTED }) } else { 0.0 };
        plate.write(&command);
        period.wait();
    }
}
