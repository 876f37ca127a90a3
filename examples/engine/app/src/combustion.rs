//! Combustion: a mean-value model of a four-stroke engine, without anything of an operating system.
//!
//! The usual one (Hendricks and Sorenson, "Mean Value Modelling of Spark Ignition Engines", SAE 900616,
//! 1990), in parts of the most: the throttle's plate lets air into the manifold, the engine takes it out;
//! torque follows the air, less where mixture or spark are wrong; friction, load and inertia make a speed of
//! it.

use crate::{FULL_PULSE, RATED_SPEED, REST, limit};

/// Length of a step, s.
const STEP: f32 = 0.002;
/// Time constant of the plate's motor, s.
const PLATE_LAG: f32 = 0.02;
/// How long the engine at its rated speed takes for the manifold's volume, s.
const MANIFOLD: f32 = 0.05;
/// Time constant of the mixture's sensor, s.
const SENSOR_LAG: f32 = 0.05;
/// Injectors give less than their map says.
const INJECTORS: f32 = 0.92;
/// Torque of a full load, Nm.
const FULL_TORQUE: f32 = 180.0;
/// Friction when it begins to turn, and what is added up to the rated speed, Nm.
const FRICTION: [f32; 2] = [15.0, 25.0];
/// Moment of inertia, kg m².
const INERTIA: f32 = 0.2;
/// 1/min in rad/s.
const MINUTES: f32 = 60.0 / core::f32::consts::TAU;

/// What the controller tells the engine.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Commands {
    /// Of the throttle's plate, against its rest; -1 to 1.
    pub plate: f32,
    /// Of an injector, ms.
    pub pulse: f32,
    /// Of the spark, degrees before the top.
    pub advance: f32,
}

/// A running engine.
#[derive(Clone, Debug, PartialEq)]
pub struct Engine {
    /// Speed, 1/min.
    pub speed: f32,
    /// Pressure behind the throttle; 1 is the air's.
    pub pressure: f32,
    /// Air by fuel; 1 is as much as burns.
    pub lambda: f32,
    /// Temperature of the coolant, Celsius.
    pub temperature: f32,
    plate: f32,
}

impl Default for Engine {
    /// The starter has just let go.
    fn default() -> Engine {
        Engine { speed: 900.0, pressure: 0.2, lambda: 1.0, temperature: 70.0, plate: 0.04 }
    }
}

impl Engine {
    /// Two milliseconds under these commands and a load's torque (Nm).
    pub fn step(&mut self, commands: Commands, load: f32) {
        let speed = self.speed / RATED_SPEED;
        let wanted = limit(REST + commands.plate, 0.0, 1.0);
        self.plate += STEP / PLATE_LAG * (wanted - self.plate);
        let flow = self.plate * (1.0 - self.pressure) - speed * self.pressure;
        self.pressure = limit(self.pressure + STEP / MANIFOLD * flow, 0.0, 1.0);

        let fuel = INJECTORS * commands.pulse / FULL_PULSE;
        let lambda = limit(self.pressure / fuel, 0.5, 2.0);
        self.lambda += STEP / SENSOR_LAG * (lambda - self.lambda);
        let torque =
            FULL_TORQUE * self.pressure * burnt(lambda) * used(commands.advance, speed, self.pressure);
        let braking = FRICTION[0] + FRICTION[1] * speed + load;
        self.speed =
            limit(self.speed + STEP / INERTIA * MINUTES * (torque - braking), 60.0, 1.2 * RATED_SPEED);
        self.temperature += STEP / 30.0 * (90.0 - self.temperature);
    }
}

/// The part of the air's torque that a mixture gives.
fn burnt(lambda: f32) -> f32 {
    limit(1.0 - 2.5 * (lambda - 0.95) * (lambda - 0.95), 0.0, 1.0)
}

/// The part of it that a spark at `advance` makes use of.
fn used(advance: f32, speed: f32, pressure: f32) -> f32 {
    let error = (advance - (17.0 + 20.0 * speed + 12.0 * (1.0 - pressure))) / 40.0;
    limit(1.0 - error * error, 0.0, 1.0)
}
