//! Control: from the estimated motion to thrust and tilt of the rotor.
//!
//! Two axes. Upwards, a PID law sets the thrust. Forward, an outer PID law asks for an acceleration and so for a
//! pitch; an inner PD law tilts the rotor disc until the helicopter has that pitch.

use crate::GRAVITY;
use beryl_user::math;

/// Logical execution time, which is also the time between two jobs; s.
const STEP: f32 = 0.02;
/// Part of a new pitch rate that enters the smoothed one.
const RATE_GAIN: f32 = 0.5;

/// Gains of the forward axis by position (1/s²), its sum over time (1/s³) and velocity (1/s).
const FORWARD: Gains = Gains { position: 1.4, offset: 0.5, velocity: 1.8 };
/// Gains of the upward axis, likewise.
const UPWARD: Gains = Gains { position: 5.0, offset: 3.0, velocity: 3.5 };
/// Tilt by error of the pitch, rad/rad.
const PITCH_GAIN: f32 = 0.7;
/// Tilt by pitch rate, s.
const PITCH_RATE_GAIN: f32 = 0.09;

/// Limit of the position's sum over time, m s.
const MOST_OFFSET: f32 = 1.0;
/// Limit of the acceleration that is asked for, m/s².
const MOST_ACCELERATION: f32 = 2.5;
/// Limit of the rotor disc's tilt, rad.
const MOST_TILT: f32 = 0.2;
/// Limits of the thrust by mass, m/s².
const LEAST_THRUST: f32 = 5.0;
const MOST_THRUST: f32 = 15.0;

/// A PID law towards the hover point.
struct Gains {
    position: f32,
    offset: f32,
    velocity: f32,
}

impl Gains {
    /// The acceleration that leads back to the hover point, m/s².
    fn acceleration(&self, position: f32, offset: f32, velocity: f32) -> f32 {
        let wanted = self.position * position + self.offset * offset + self.velocity * velocity;
        limit(-wanted, -MOST_ACCELERATION, MOST_ACCELERATION)
    }
}

/// Computes the rotor's command (m/s², rad) from the motion (m, m/s) and the pitch (rad).
///
/// `offset` is the position summed over time (m s: forward, up); `turning` is the pitch at the last job (rad) and
/// its smoothed rate (rad/s).
pub fn control_impl(
    motion: &[f32; 4],
    pitch: &f32,
    offset: &mut [f32; 2],
    turning: &mut [f32; 2],
    command: &mut [f32; 2],
) {
    let [x, z, x_velocity, z_velocity] = *motion;
    *offset = [add_up(offset[0], x), add_up(offset[1], z)];
    *turning = turn(*turning, *pitch);

    let forward = FORWARD.acceleration(x, offset[0], x_velocity);
    let up = UPWARD.acceleration(z, offset[1], z_velocity);
    let tilt = tilt_towards(forward / GRAVITY, *pitch, turning[1]);
    *command = [thrust_for(up, *pitch + tilt), tilt];
}

fn add_up(offset: f32, position: f32) -> f32 {
    limit(offset + STEP * position, -MOST_OFFSET, MOST_OFFSET)
}

/// The new pitch and its smoothed rate.
fn turn([last_pitch, rate]: [f32; 2], pitch: f32) -> [f32; 2] {
    let newest = (pitch - last_pitch) / STEP;
    [pitch, rate + RATE_GAIN * (newest - rate)]
}

/// The tilt that leads to the wanted pitch, rad.
fn tilt_towards(wanted: f32, pitch: f32, rate: f32) -> f32 {
    let tilt = PITCH_GAIN * (wanted - pitch) - PITCH_RATE_GAIN * rate;
    limit(tilt, -MOST_TILT, MOST_TILT)
}

/// The thrust by mass whose upward part gives the acceleration `up` at this lean, m/s².
fn thrust_for(up: f32, lean: f32) -> f32 {
    limit((GRAVITY + up) / math::cosf(lean), LEAST_THRUST, MOST_THRUST)
}

fn limit(value: f32, least: f32, most: f32) -> f32 {
    if value < least {
        least
    } else if value > most {
        most
    } else {
        value
    }
}
