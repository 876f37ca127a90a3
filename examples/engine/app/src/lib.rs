//! An engine's controller, and the engine on its bench.
//!
//! `beryl.toml` names these functions as entries of threads, and gives each its handles. A file holds what
//! belongs together: the arithmetic as plain functions and types, then the threads that use it. All
//! mathematics is `f32`.
#![no_std]
#![forbid(unsafe_code)]

mod bench;
mod calibration;
mod combustion;
mod crank;
mod diagnosis;
mod events;
mod governor;
mod ignition;
mod injection;
mod latest;
mod sensing;
mod store;
mod wheel;

pub use bench::engine;
pub use calibration::{adapt, calibrate};
pub use combustion::{Commands, Engine};
pub use crank::{Teeth, crank, revolution};
pub use diagnosis::{diagnose, monitor, report};
pub use events::tell;
pub use governor::{Governor, govern, plate_for, throttle};
pub use ignition::{advance_for, ignite, retard};
pub use injection::{Trim, inject, pulse_for, trim};
pub use sensing::{approach, lever, mixture, sample, thermometer};
pub use store::keep;
pub use wheel::{ROAD, TOOTH};

/// Teeth of the crank wheel: 1000 a second at 3000 1/min, the most that the lever may ask for.
pub const TEETH: u32 = 20;
/// The highest speed that the engine is made for, 1/min.
pub const RATED_SPEED: f32 = 5000.0;
/// Where the throttle's springs hold it: a limp home, and without a governor far too much.
pub const REST: f32 = 0.2;
/// What an injector needs for the fuel of a full load, ms.
pub const FULL_PULSE: f32 = 10.0;
/// Quarters of the load, of which each has its corrections.
const QUARTERS: usize = 4;

/// The quarter in which a load lies.
fn quarter(load: f32) -> usize {
    let quarter = limit(load, 0.0, 0.99) * QUARTERS as f32;
    quarter as usize
}

fn limit(value: f32, least: f32, most: f32) -> f32 {
    if value < least {
        least
    } else if value > most {
        most
    } else {
        // No number at all is nothing that an actuator should see.
        if value.is_nan() { least } else { value }
    }
}
