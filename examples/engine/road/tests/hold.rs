//! The controller's arithmetic holds the speed on every road, and only it does: in plain Rust, without a
//! kernel.

use beryl_sim::Nanoseconds;
use engine::{Commands, Engine, Governor, TEETH, Teeth, Trim, advance_for, approach, plate_for, pulse_for};
use engine_road::{Referee, Road};

const SEEDS: [u64; 8] = [1, 2, 3, 5, 8, 13, 21, 34];
/// Steps of 2 ms in two drives.
const STEPS: u64 = 2 * 10_000 / 2;

/// A drive with the controller's laws at their rates; without a governor the plate stays at rest.
fn drive(seed: u64, is_governed: bool) -> (Result<String, String>, Vec<f32>) {
    let (road, mut referee, mut engine) = (Road::new(seed), Referee::default(), Engine::default());
    let (mut governor, mut law, mut aim, mut air, mut trim) =
        (Governor::default(), Trim::default(), 1000.0, 0.15, 0.0);
    let mut commands = Commands::default();
    let (mut wheel, mut measured, mut speeds) = (TurningWheel::default(), 0.0, Vec::new());
    for step in 0..STEPS {
        let instant = Nanoseconds::new(step * 2_000_000);
        if step % 10 == 0 {
            aim = approach(aim, road.asked(instant));
            trim = law.step(engine.lambda);
        }
        if step % 5 == 0 {
            air = if measured > 0.0 { governor.step(aim, measured) } else { 0.15 };
        }
        if is_governed {
            commands.plate = plate_for(air, if measured > 0.0 { measured } else { 900.0 });
        }
        commands.pulse = pulse_for(engine.pressure, 0.0, trim, engine.temperature);
        commands.advance = advance_for(measured, engine.pressure, 0.0);
        engine.step(commands, road.torque(instant));
        measured = wheel.turn(engine.speed).unwrap_or(measured);
        referee.see(&road, instant, engine.speed);
        speeds.push(engine.speed);
    }
    (referee.verdict(), speeds)
}

/// The crank wheel, and what the teeth tell of it.
#[derive(Default)]
struct TurningWheel {
    ticks: f64,
    tooth: f64,
    teeth: Teeth,
}

impl TurningWheel {
    /// 2 ms at a speed: what is measured at the last tooth of them, if there was one.
    fn turn(&mut self, speed: f32) -> Option<f32> {
        self.ticks += 0.002 * 25e6;
        let distance = 60.0 * 25e6 / f64::from(speed * TEETH as f32);
        let mut measured = None;
        while self.tooth + distance <= self.ticks {
            self.tooth += distance;
            measured = Some(self.teeth.pass(self.tooth as u32));
        }
        measured
    }
}

#[test]
fn the_speed_is_held_on_every_road() {
    for seed in SEEDS {
        let (verdict, _) = drive(seed, true);
        println!("seed {seed}: {verdict:?}");
        assert!(verdict.is_ok(), "seed {seed}: {verdict:?}");
    }
}

#[test]
fn without_a_governor_it_runs_away() {
    for seed in SEEDS {
        let (verdict, speeds) = drive(seed, false);
        println!("seed {seed}: {verdict:?}");
        let fastest = speeds.iter().copied().fold(0.0, f32::max);
        assert!(fastest > 3200.0, "seed {seed}: {fastest}");
        assert!(verdict.is_err(), "seed {seed}: {verdict:?}");
    }
}
