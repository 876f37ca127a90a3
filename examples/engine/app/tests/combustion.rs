//! The engine by itself: in which direction it answers each actuator and the load, and that nothing drives it
//! out of bounds.

use engine::{Commands, Engine};

/// What an idling engine gets.
const IDLE: Commands = Commands { plate: -0.16, pulse: 2.0, advance: 31.0 };

/// The engine after a second under these commands and a load (Nm).
fn after_a_second(commands: Commands, load: f32) -> Engine {
    let mut engine = Engine::default();
    (0..500).for_each(|_| engine.step(commands, load));
    engine
}

#[test]
fn more_air_makes_it_faster_and_the_mixture_leaner() {
    let (less, more) =
        (after_a_second(IDLE, 5.0), after_a_second(Commands { plate: IDLE.plate + 0.02, ..IDLE }, 5.0));
    assert!(more.speed > less.speed + 50.0, "{less:?} {more:?}");
    assert!(more.pressure > less.pressure && more.lambda > less.lambda, "{less:?} {more:?}");
}

#[test]
fn a_load_makes_it_slower() {
    assert!(after_a_second(IDLE, 10.0).speed < after_a_second(IDLE, 5.0).speed - 50.0);
}

#[test]
fn fuel_decides_lambda() {
    let lambda = |pulse| after_a_second(Commands { pulse, ..IDLE }, 5.0).lambda;
    assert!(lambda(1.5) > lambda(2.0) && lambda(2.0) > lambda(2.5));
}

#[test]
fn a_spark_at_the_wrong_time_costs_speed() {
    let speed = |advance| after_a_second(Commands { advance, ..IDLE }, 5.0).speed;
    assert!(speed(31.0) > speed(10.0) + 50.0 && speed(31.0) > speed(50.0) + 50.0);
}

#[test]
fn without_fuel_or_with_nonsense_it_dies_and_keeps_its_bounds() {
    for wrong in [0.0, -1e9, 1e9, f32::NAN, f32::INFINITY] {
        let commands = Commands { plate: wrong, pulse: wrong, advance: wrong };
        let engine = after_a_second(commands, 50.0);
        assert!((60.0..=6000.0).contains(&engine.speed), "{wrong}: {engine:?}");
        assert!((0.0..=1.0).contains(&engine.pressure), "{wrong}: {engine:?}");
        assert!((0.5..=2.0).contains(&engine.lambda), "{wrong}: {engine:?}");
    }
    assert_eq!(after_a_second(Commands { pulse: 0.0, ..IDLE }, 50.0).speed, 60.0);
}
