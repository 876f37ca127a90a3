//! Sensing: from the wires to values that others read.
//!
//! The wires carry what comes from the engine: pressure behind the throttle (1 is the air's), lambda,
//! temperature of the coolant (Celsius), and the speed that the driver's lever asks for (1/min).

use beryl_user::period::Period;
use beryl_user::state::{Reader, SlowReader, Writer};

use crate::latest::Latest;
use crate::limit;

const PRESSURE: usize = 0;
const LAMBDA: usize = 1;
const TEMPERATURE: usize = 2;
const LEVER: usize = 3;

/// The speed of an engine that nobody asks anything of, 1/min.
const IDLE: f32 = 1000.0;
/// The highest speed that the lever may ask for, 1/min.
const MOST_SPEED: f32 = 3000.0;
/// How far the target moves at most between two jobs of [`lever`]: 2000 1/min in a second.
const RAMP: f32 = 40.0;
/// The part of what is left that it moves at most.
const APPROACH: f32 = 0.1;

/// The load: the pressure, smoothed over some ms.
pub fn sample(mut period: Period, wires: Reader<[f32; 4]>, mut load: Writer<f32>) -> ! {
    let mut wires = Latest::new(wires, [0.0; 4]);
    let mut smoothed = 0.0;
    loop {
        smoothed += 0.25 * (wires.get()[PRESSURE] - smoothed);
        load.write(&limit(smoothed, 0.0, 1.0));
        period.wait();
    }
}

/// The mixture, smoothed over some 10 ms.
pub fn mixture(mut period: Period, wires: Reader<[f32; 4]>, mut lambda: Writer<f32>) -> ! {
    let mut wires = Latest::new(wires, [1.0; 4]);
    let mut smoothed = 1.0;
    loop {
        smoothed += 0.5 * (wires.get()[LAMBDA] - smoothed);
        lambda.write(&limit(smoothed, 0.5, 2.0));
        period.wait();
    }
}

/// The temperature of the coolant.
pub fn thermometer(mut period: Period, mut wires: SlowReader<[f32; 4]>, mut temperature: Writer<f32>) -> ! {
    loop {
        if let Ok(wires) = wires.read() {
            temperature.write(&limit(wires[TEMPERATURE], -40.0, 150.0));
        }
        period.wait();
    }
}

/// The next target on the way to what the lever asks for, 1/min: straight, then ever slower.
#[must_use]
pub fn approach(aim: f32, asked: f32) -> f32 {
    let left = limit(asked, IDLE, MOST_SPEED) - aim;
    aim + limit(APPROACH * left, -RAMP, RAMP)
}

/// The speed that is aimed at: what the lever asks for, approached bit by bit.
pub fn lever(mut period: Period, wires: Reader<[f32; 4]>, mut target: Writer<f32>) -> ! {
    let mut wires = Latest::new(wires, [IDLE; 4]);
    let mut aim = IDLE;
    loop {
        aim = approach(aim, wires.get()[LEVER]);
        target.write(&aim);
        period.wait();
    }
}
