//! The tasks alone, without a system around them; getter and setter with a fake one.

use NAME::{FASTEST, LEVEL, PUMP, WANTED, control_impl, filter_impl, read_level, set_pump};
use beryl_user::fake::Fake;

#[test]
fn an_empty_tank_is_filled_as_fast_as_can_be() {
    let (mut sum, mut pump) = (0, 0);
    control_impl(&0, &mut sum, &mut pump);
    assert_eq!((pump, sum), (FASTEST, 0));
}

#[test]
fn a_full_tank_is_left_alone() {
    let (mut sum, mut pump) = (0, 1);
    control_impl(&(2 * WANTED), &mut sum, &mut pump);
    assert_eq!(pump, 0);
}

#[test]
fn the_filter_follows() {
    let (mut mean, mut smooth) = (0, 0);
    (0..40).for_each(|_| filter_impl(&1000, &mut mean, &mut smooth));
    assert!((990..=1000).contains(&smooth), "{smooth}");
}

/// Sensors give what the test says, and what goes to actuators comes to the test.
#[test]
fn the_pump_slows_down_as_the_level_rises() {
    let fake = Fake::new();
    fake.sensor(LEVEL, [WANTED - 20_000, WANTED - 10_000]);
    let (mut level, mut sum, mut pump) = (0, 0, 0);
    fake.run(|| {
        for _ in 0..2 {
            read_level(&mut level);
            control_impl(&level, &mut sum, &mut pump);
            set_pump(&pump);
        }
    });
    assert_eq!(fake.written::<i32>(PUMP), [20_000, 10_000 + 20_000 / 64]);
}
