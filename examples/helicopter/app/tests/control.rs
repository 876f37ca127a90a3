//! Control by itself: its command at rest, its direction, and its limits.

use helicopter::control_impl;

/// The command after some jobs on the same motion and pitch.
fn command_after(jobs: usize, motion: [f32; 4], pitch: f32) -> [f32; 2] {
    let (mut offset, mut turning, mut command) = ([0.0; 2], [0.0, 0.0], [9.81, 0.0]);
    for _ in 0..jobs {
        control_impl(&motion, &pitch, &mut offset, &mut turning, &mut command);
    }
    command
}

#[test]
fn rest_at_the_hover_point_needs_exactly_the_weight() {
    for jobs in [1, 2, 1000] {
        assert_eq!(command_after(jobs, [0.0; 4], 0.0), [9.81, 0.0]);
    }
}

#[test]
fn the_command_leads_back_to_the_hover_point() {
    let tilt = |motion| command_after(1, motion, 0.0)[1];
    assert!(tilt([0.5, 0.0, 0.0, 0.0]) < 0.0 && tilt([-0.5, 0.0, 0.0, 0.0]) > 0.0, "by position");
    assert!(tilt([0.0, 0.0, 0.5, 0.0]) < 0.0 && tilt([0.0, 0.0, -0.5, 0.0]) > 0.0, "by velocity");

    let thrust = |motion| command_after(1, motion, 0.0)[0];
    assert!(thrust([0.0, 0.2, 0.0, 0.0]) < 9.81 && thrust([0.0, -0.2, 0.0, 0.0]) > 9.81, "by height");
    assert!(thrust([0.0, 0.0, 0.0, 0.2]) < 9.81 && thrust([0.0, 0.0, 0.0, -0.2]) > 9.81, "by climb");

    let levelling = |pitch| command_after(1, [0.0; 4], pitch)[1];
    assert!(levelling(0.1) < 0.0 && levelling(-0.1) > 0.0, "by pitch");
}

#[test]
fn a_turning_nose_is_braked() {
    let (mut offset, mut turning, mut command) = ([0.0; 2], [-0.02, 0.0], [9.81, 0.0]);
    control_impl(&[0.0; 4], &0.0, &mut offset, &mut turning, &mut command);
    assert!(command[1] < 0.0, "the nose goes down through level: {command:?}");
}

#[test]
fn a_lasting_offset_is_answered_more_and_more() {
    let motion = [0.1, -0.1, 0.0, 0.0];
    let commands: Vec<[f32; 2]> = (1..50).map(|jobs| command_after(jobs, motion, 0.0)).collect();
    for pair in commands.windows(2) {
        assert!(pair[1][0] > pair[0][0] && pair[1][1] < pair[0][1], "{pair:?}");
    }
}

#[test]
fn commands_keep_to_their_limits_whatever_the_motion() {
    let values = [-1e30, -10.0, -0.3, 0.0, 0.3, 10.0, 1e30_f32];
    for x in values {
        for z in values {
            for velocity in values {
                for pitch in [-3.0, -1.5, -0.1, 0.0, 0.1, 1.5, 3.0] {
                    let [thrust, tilt] = command_after(3, [x, z, velocity, -velocity], pitch);
                    let case = [x, z, velocity, pitch];
                    assert!((5.0..=15.0).contains(&thrust), "thrust {thrust} at {case:?}");
                    assert!((-0.2..=0.2).contains(&tilt), "tilt {tilt} at {case:?}");
                }
            }
        }
    }
}
