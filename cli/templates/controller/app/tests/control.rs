//! The tasks alone, without a system around them.

use NAME::{FASTEST, WANTED, control_impl, filter_impl};

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
