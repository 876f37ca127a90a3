//! The plant by itself: its clock, its sensors, and the direction in which it answers commands and wind.

use core::time::Duration;
use helicopter_plant::{Gusts, Noise, Plant, State};

const TRIM: [f32; 2] = [9.81, 0.0];

fn calm() -> Plant {
    Plant::with_noise(1, Gusts::calm(), Noise::NONE)
}

fn last(plant: &Plant) -> State {
    plant.trajectory().last().expect("a trajectory starts with a sample").state
}

/// The state after a second under one command and one wind (m/s: from behind, from below).
fn after_a_second(command: [f32; 2], [horizontal, vertical]: [f32; 2]) -> State {
    let table = format!("time_s,horizontal_m_per_s,vertical_m_per_s\n0,{horizontal},{vertical}\n");
    let mut plant = Plant::with_noise(1, Gusts::parse(&table).unwrap(), Noise::NONE);
    plant.command(command);
    plant.advance_to(Duration::from_secs(1));
    last(&plant)
}

#[test]
fn flying_on_in_parts_is_flying_on_at_once() {
    let command = [11.0, 0.03];
    let mut at_once = Plant::new(1, Gusts::calm());
    at_once.command(command);
    at_once.advance_to(Duration::from_secs(1));

    let mut in_parts = Plant::new(1, Gusts::calm());
    in_parts.command(command);
    for part in 0..=3000 {
        in_parts.advance_to(Duration::from_micros(333) * part);
    }
    in_parts.advance_to(Duration::from_secs(1));
    assert_eq!(at_once.trajectory(), in_parts.trajectory());
}

#[test]
fn the_past_and_parts_of_a_step_change_nothing() {
    let mut plant = Plant::new(1, Gusts::calm());
    plant.command([11.0, 0.03]);
    plant.advance_to(Duration::from_millis(40));
    let (fix, attitude) = (plant.fix(), plant.attitude());
    plant.advance_to(Duration::from_millis(3));
    plant.advance_to(Duration::from_nanos(40_999_999));
    assert_eq!((plant.fix(), plant.attitude()), (fix, attitude));
    plant.advance_to(Duration::from_millis(41));
    assert_ne!(plant.fix(), fix);
}

#[test]
fn the_trajectory_has_a_sample_every_twenty_milliseconds() {
    let mut plant = calm();
    plant.advance_to(Duration::from_millis(105));
    let instants: Vec<u128> = plant.trajectory().iter().map(|sample| sample.instant.as_millis()).collect();
    assert_eq!(instants, [0, 20, 40, 60, 80, 100]);
}

#[test]
fn sensors_without_noise_tell_the_truth() {
    let mut plant = calm();
    plant.command([12.0, 0.05]);
    plant.advance_to(Duration::from_millis(500));
    let State { x, z, pitch, .. } = last(&plant);
    assert_eq!(plant.fix(), [x as f32, z as f32]);
    assert_eq!(plant.attitude(), pitch as f32);
}

#[test]
fn the_rotor_moves_the_helicopter_where_it_points() {
    let forward = after_a_second([9.81, 0.02], [0.0; 2]);
    assert!(forward.x > 0.0 && forward.pitch > 0.0, "{forward:?}");
    let backward = after_a_second([9.81, -0.02], [0.0; 2]);
    assert!(backward.x < 0.0 && backward.pitch < 0.0, "{backward:?}");
    assert!(after_a_second([10.5, 0.0], [0.0; 2]).z > 0.0);
    assert!(after_a_second([9.0, 0.0], [0.0; 2]).z < 0.0);
}

#[test]
fn wind_carries_the_helicopter_along_and_from_behind_dips_the_nose() {
    let from_behind = after_a_second(TRIM, [2.0, 0.0]);
    assert!(from_behind.x > 0.0 && from_behind.pitch > 0.0, "{from_behind:?}");
    let from_below = after_a_second(TRIM, [0.0, 1.0]);
    assert!(from_below.z > 0.0, "{from_below:?}");
}

/// Without thrust it falls as a body does under gravity and linear drag, once the rotor's thrust has faded.
#[test]
fn without_thrust_it_falls_towards_its_terminal_velocity() {
    let (gravity, drag) = (9.81, 0.5);
    let mut plant = calm();
    plant.command([0.0, 0.0]);
    plant.advance_to(Duration::from_secs(15));
    assert!((last(&plant).z_velocity + gravity / drag).abs() < 0.02, "{:?}", last(&plant));
}

#[test]
fn a_rotor_can_do_only_so_much() {
    let excessive = after_a_second([1e9, 1e9], [0.0; 2]);
    assert_eq!(excessive, after_a_second([20.0, 1.0], [0.0; 2]));
    assert!(excessive.thrust <= 20.0 && excessive.tilt <= 0.3, "{excessive:?}");
    let opposite = after_a_second([-1e9, -1e9], [0.0; 2]);
    assert!(opposite.thrust >= 0.0 && opposite.tilt >= -0.3, "{opposite:?}");
}

#[test]
fn a_command_that_is_no_number_loses_hover() {
    let mut plant = calm();
    plant.command([f32::NAN, 0.0]);
    plant.advance_to(Duration::from_millis(5));
    let departure = plant.departure().expect("hover is lost");
    // The first step spoils the thrust, the second the position.
    assert_eq!(departure.instant, Duration::from_millis(2));
    assert!(departure.z.is_nan());
}
