//! The plant: the helicopter in its wind, with its sensors and the record of its flight.

use crate::envelope::{Departure, Excursion, HOVER};
use crate::gusts::Gusts;
use crate::noise::{Quantity, normal};
use crate::physics::{STEP, State};
use core::time::Duration;

/// Integration steps between two samples of the trajectory: 20 ms.
const STEPS_BETWEEN_SAMPLES: u64 = 20;

/// How the sensors err.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// Standard deviation of a position fix, each axis; m.
    pub fix: f64,
    /// Standard deviation of the pitch; rad.
    pub pitch: f64,
}

impl Noise {
    /// Sensors without error.
    pub const NONE: Noise = Noise { fix: 0.0, pitch: 0.0 };
    /// Sensors as good as a model helicopter's: differential satellite positioning, a small inertial unit.
    pub const USUAL: Noise = Noise { fix: 0.02, pitch: 0.002 };
}

/// A point of the trajectory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Time since the start.
    pub instant: Duration,
    /// The true state.
    pub state: State,
}

/// A model helicopter that starts at rest at the hover point.
#[derive(Clone, Debug)]
pub struct Plant {
    seed: u64,
    noise: Noise,
    gusts: Gusts,
    state: State,
    command: [f64; 2],
    steps: u64,
    worst: Excursion,
    departure: Option<Departure>,
    trajectory: Vec<Sample>,
}

impl Plant {
    /// A plant whose sensors have the usual noise, drawn from `seed`.
    pub fn new(seed: u64, gusts: Gusts) -> Plant {
        Plant::with_noise(seed, gusts, Noise::USUAL)
    }

    /// A plant whose sensors have this noise, drawn from `seed`.
    pub fn with_noise(seed: u64, gusts: Gusts, noise: Noise) -> Plant {
        let state = State::HOVERING;
        Plant {
            seed,
            noise,
            gusts,
            state,
            command: [state.thrust, state.tilt],
            steps: 0,
            worst: Excursion::default(),
            departure: None,
            trajectory: vec![Sample { instant: Duration::ZERO, state }],
        }
    }

    /// Flies on until `instant`, counted from the start, in whole steps of 1 ms; an instant in the past changes
    /// nothing.
    pub fn advance_to(&mut self, instant: Duration) {
        while Duration::from_millis(self.steps + 1) <= instant {
            let wind = self.gusts.at(self.steps as f64 * STEP);
            self.state = self.state.step(self.command, wind);
            self.steps += 1;
            self.record();
        }
    }

    /// A noisy position fix: forward and up of the hover point, m. Two at one instant are equal.
    pub fn fix(&self) -> [f32; 2] {
        let forward = self.state.x + self.noise.fix * self.draw(Quantity::Forward);
        let up = self.state.z + self.noise.fix * self.draw(Quantity::Up);
        [forward as f32, up as f32]
    }

    /// The noisy pitch: rad, nose down is positive. Two at one instant are equal.
    pub fn attitude(&self) -> f32 {
        (self.state.pitch + self.noise.pitch * self.draw(Quantity::Pitch)) as f32
    }

    /// Commands the rotor, from now on: thrust by mass in m/s², tilt of its disc in rad.
    pub fn command(&mut self, command: [f32; 2]) {
        self.command = command.map(f64::from);
    }

    /// Where the helicopter truly is, and how it moves.
    pub fn state(&self) -> State {
        self.state
    }

    /// The largest distances from the hover point so far, seen at every step.
    pub fn worst(&self) -> Excursion {
        self.worst
    }

    /// The first step that ended outside the bounds of [`HOVER`], if one did.
    pub fn departure(&self) -> Option<Departure> {
        self.departure
    }

    /// The flight so far: a sample at the start and one every 20 ms.
    pub fn trajectory(&self) -> &[Sample] {
        &self.trajectory
    }

    fn draw(&self, quantity: Quantity) -> f64 {
        normal(self.seed, quantity, self.steps)
    }

    fn record(&mut self) {
        let instant = Duration::from_millis(self.steps);
        let State { x, z, .. } = self.state;
        self.worst = self.worst.including(x, z);
        if self.departure.is_none() && !HOVER.contains(x, z) {
            self.departure = Some(Departure { instant, x, z });
        }
        if self.steps.is_multiple_of(STEPS_BETWEEN_SAMPLES) {
            self.trajectory.push(Sample { instant, state: self.state });
        }
    }
}
