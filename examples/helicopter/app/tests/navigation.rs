//! Navigation by itself: what it makes of fixes that are right, wrong at first, and noisy.

use helicopter::navigate_impl;

/// The command that carries the weight.
const TRIM: [f32; 2] = [9.81, 0.0];

/// A job: its fix, pitch and last command; then the estimate and the published motion.
struct Navigation {
    estimate: [f32; 4],
    motion: [f32; 4],
}

impl Navigation {
    fn starting_at(estimate: [f32; 4]) -> Navigation {
        Navigation { estimate, motion: [0.0; 4] }
    }

    fn job(&mut self, fix: [f32; 2], pitch: f32, commanded: [f32; 2]) {
        navigate_impl(&fix, &pitch, &commanded, &mut self.estimate, &mut self.motion);
    }
}

fn assert_near(motion: [f32; 4], expected: [f32; 4], tolerance: f32) {
    let near = motion.iter().zip(expected).all(|(found, wanted)| (found - wanted).abs() <= tolerance);
    assert!(near, "{motion:?} where {expected:?} was expected, within {tolerance}");
}

#[test]
fn rest_at_the_hover_point_is_exactly_zero() {
    let mut navigation = Navigation::starting_at([0.0; 4]);
    for _ in 0..1000 {
        navigation.job([0.0; 2], 0.0, TRIM);
        assert_eq!((navigation.estimate, navigation.motion), ([0.0; 4], [0.0; 4]));
    }
}

/// Constant thrust at a constant lean: fixes that agree with the prediction leave it alone, and the published
/// motion is the truth one step ahead.
#[test]
fn the_published_motion_is_that_of_the_next_fix() {
    let (pitch, command) = (0.05_f32, [10.5_f32, 0.02_f32]);
    let forward = command[0] * (pitch + command[1]).sin();
    let up = command[0] * (pitch + command[1]).cos() - 9.81;
    let truth = |job: u16| {
        let time = f32::from(job) * 0.01;
        [0.5 * forward * time * time, 0.5 * up * time * time, forward * time, up * time]
    };

    let mut navigation = Navigation::starting_at(truth(0));
    for job in 1..200 {
        let [x, z, ..] = truth(job);
        navigation.job([x, z], pitch, command);
        assert_near(navigation.estimate, truth(job), 1e-4);
        assert_near(navigation.motion, truth(job + 1), 1e-4);
    }
}

#[test]
fn a_wrong_start_is_forgotten() {
    let mut navigation = Navigation::starting_at([2.0, -1.0, 1.0, 3.0]);
    for _ in 0..400 {
        navigation.job([0.3, -0.2], 0.0, TRIM);
    }
    assert_near(navigation.estimate, [0.3, -0.2, 0.0, 0.0], 1e-3);
}

/// Fixes that err by 20 mm to alternating sides are smoothed to a few millimetres.
#[test]
fn noise_is_smoothed() {
    let mut navigation = Navigation::starting_at([0.0; 4]);
    for job in 0..400 {
        let error = if job % 2 == 0 { 0.02 } else { -0.02 };
        navigation.job([error, -error], 0.0, TRIM);
        assert_near(navigation.motion, [0.0; 4], 0.011);
    }
}
