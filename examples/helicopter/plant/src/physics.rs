//! Physics: how rotor, gravity and wind move a model helicopter in the vertical plane.
//!
//! The usual model of hover for small motions (Bramwell, "Helicopter Dynamics", chapter on longitudinal
//! stability), with the real sines and cosines kept. Its pitch is unstable by nature: moving forward through the
//! air lifts the nose, which slows the helicopter and sends it backwards, each swing wider than the last.

use crate::gusts::Wind;

/// Length of an integration step, s.
pub(crate) const STEP: f64 = 0.001;

/// Acceleration of gravity, m/s².
const GRAVITY: f64 = 9.81;
/// Horizontal drag by mass, 1/s.
const HORIZONTAL_DRAG: f64 = 0.15;
/// Vertical drag by mass, most of it the rotor's changed inflow, 1/s.
const VERTICAL_DRAG: f64 = 0.5;
/// Pitch acceleration by tilt of the rotor disc, 1/s².
const CYCLIC_MOMENT: f64 = 40.0;
/// Pitch acceleration by pitch rate, 1/s.
const PITCH_DAMPING: f64 = 4.0;
/// Nose-up pitch acceleration by forward air speed, rad/(m s).
const SPEED_MOMENT: f64 = 0.6;
/// Time constant of the thrust (blade pitch and inflow), s.
const THRUST_LAG: f64 = 0.08;
/// Time constant of the rotor disc's tilt (servo and flapping), s.
const TILT_LAG: f64 = 0.05;
/// What the rotor can do at most: thrust by mass, m/s².
const MOST_THRUST: f64 = 20.0;
/// What the rotor can do at most: tilt of its disc to either side, rad.
const MOST_TILT: f64 = 0.3;

/// Where the helicopter is and how it moves. The hover point is the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// Forward of the hover point, m.
    pub x: f64,
    /// Above the hover point, m.
    pub z: f64,
    /// Forward velocity, m/s.
    pub x_velocity: f64,
    /// Upward velocity, m/s.
    pub z_velocity: f64,
    /// Pitch, rad; nose down is positive, so that a positive pitch speeds up forward.
    pub pitch: f64,
    /// Pitch rate, rad/s.
    pub pitch_rate: f64,
    /// Thrust by mass, m/s².
    pub thrust: f64,
    /// Tilt of the rotor disc against the fuselage, rad; forward is positive.
    pub tilt: f64,
}

impl State {
    /// At rest at the hover point, the thrust carrying the weight.
    pub const HOVERING: State = State {
        x: 0.0,
        z: 0.0,
        x_velocity: 0.0,
        z_velocity: 0.0,
        pitch: 0.0,
        pitch_rate: 0.0,
        thrust: GRAVITY,
        tilt: 0.0,
    };

    /// The state one step later, under a command for the rotor (thrust by mass in m/s², tilt in rad) and a wind.
    ///
    /// Semi-implicit Euler: velocities first, then positions by the new velocities.
    pub(crate) fn step(self, [thrust, tilt]: [f64; 2], wind: Wind) -> State {
        let lean = self.pitch + self.tilt;
        let x_airspeed = self.x_velocity - wind.horizontal;
        let z_airspeed = self.z_velocity - wind.vertical;

        let x_acceleration = self.thrust * libm::sin(lean) - HORIZONTAL_DRAG * x_airspeed;
        let z_acceleration = self.thrust * libm::cos(lean) - GRAVITY - VERTICAL_DRAG * z_airspeed;
        let pitch_acceleration =
            CYCLIC_MOMENT * self.tilt - PITCH_DAMPING * self.pitch_rate - SPEED_MOMENT * x_airspeed;

        let x_velocity = self.x_velocity + STEP * x_acceleration;
        let z_velocity = self.z_velocity + STEP * z_acceleration;
        let pitch_rate = self.pitch_rate + STEP * pitch_acceleration;
        State {
            x: self.x + STEP * x_velocity,
            z: self.z + STEP * z_velocity,
            x_velocity,
            z_velocity,
            pitch: self.pitch + STEP * pitch_rate,
            pitch_rate,
            thrust: self.thrust + STEP / THRUST_LAG * (thrust.clamp(0.0, MOST_THRUST) - self.thrust),
            tilt: self.tilt + STEP / TILT_LAG * (tilt.clamp(-MOST_TILT, MOST_TILT) - self.tilt),
        }
    }
}
