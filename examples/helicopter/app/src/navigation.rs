//! Navigation: from noisy position fixes to position and velocity.
//!
//! A g-h filter (alpha-beta filter) for each axis: a job predicts the motion by what the rotor was last told to
//! do, then corrects the prediction by a fixed part of what the new fix disagrees with. The gains are those of
//! a Kalman filter in steady state for fixes with a deviation of 20 mm and unknown accelerations (gusts) of
//! about 1 m/s²: Kalata, "The tracking index", IEEE Transactions on Aerospace and Electronic Systems 20(2),
//! 1984, with tracking index 0.005.

use crate::GRAVITY;
use beryl_user::math;

/// Logical execution time, which is also the time between two fixes; s.
const STEP: f32 = 0.01;
/// Part of the disagreement that corrects the position.
const POSITION_GAIN: f32 = 0.1;
/// Part of the disagreement by step that corrects the velocity.
const VELOCITY_GAIN: f32 = 0.005;

/// Estimates the motion from a fix (m), the pitch (rad) and the rotor's last command (m/s², rad).
///
/// `estimate` is position and velocity at the fix (m, m/s: forward and up of each). `motion` is the same at the
/// end of the logical execution time, since it is then that others see it.
pub fn navigate_impl(
    fix: &[f32; 2],
    pitch: &f32,
    commanded: &[f32; 2],
    estimate: &mut [f32; 4],
    motion: &mut [f32; 4],
) {
    let acceleration = acceleration(*pitch, *commanded);
    *estimate = correct(predict(*estimate, acceleration), *fix);
    *motion = predict(*estimate, acceleration);
}

/// What the rotor does to the helicopter in still air: m/s², forward and up.
fn acceleration(pitch: f32, [thrust, tilt]: [f32; 2]) -> [f32; 2] {
    let lean = pitch + tilt;
    [thrust * math::sinf(lean), thrust * math::cosf(lean) - GRAVITY]
}

/// The motion one step later.
fn predict(motion: [f32; 4], [forward, up]: [f32; 2]) -> [f32; 4] {
    let [x, z, x_velocity, z_velocity] = motion;
    [
        x + STEP * (x_velocity + 0.5 * STEP * forward),
        z + STEP * (z_velocity + 0.5 * STEP * up),
        x_velocity + STEP * forward,
        z_velocity + STEP * up,
    ]
}

/// The predicted motion, drawn towards the fix.
fn correct(predicted: [f32; 4], fix: [f32; 2]) -> [f32; 4] {
    let [x, z, x_velocity, z_velocity] = predicted;
    let x_error = fix[0] - x;
    let z_error = fix[1] - z;
    [
        x + POSITION_GAIN * x_error,
        z + POSITION_GAIN * z_error,
        x_velocity + VELOCITY_GAIN / STEP * x_error,
        z_velocity + VELOCITY_GAIN / STEP * z_error,
    ]
}
