//! Injection: how long an injector opens, and how that is corrected by the mixture.

use beryl_user::lock::Lock;
use beryl_user::period::Period;
use beryl_user::state::{Reader, Writer};

use crate::latest::Latest;
use crate::{FULL_PULSE, limit, quarter};

/// How long an injector opens for a load, ms; corrections are parts of it, the temperature is in Celsius.
#[must_use]
pub fn pulse_for(load: f32, learnt: f32, trim: f32, temperature: f32) -> f32 {
    // A cold engine needs more: fuel condenses in it.
    let cold = limit(0.002 * (60.0 - temperature), 0.0, 0.2);
    limit(FULL_PULSE * load * (1.0 + learnt + trim + cold), 0.0, 2.0 * FULL_PULSE)
}

/// A PI law that keeps lambda at 1: the trim is a part of the fuel.
#[derive(Default)]
pub struct Trim {
    sum: f32,
}

impl Trim {
    /// The trim for a lambda that has been measured, 20 ms after the last.
    pub fn step(&mut self, lambda: f32) -> f32 {
        let error = lambda - 1.0;
        self.sum = limit(self.sum + 0.02 * error, -0.25, 0.25);
        limit(self.sum + 0.1 * error, -0.25, 0.25)
    }
}

/// Sets the injectors.
pub fn inject(
    mut period: Period,
    mut map: Lock<[f32; 4]>,
    load: Reader<f32>,
    trim: Reader<f32>,
    temperature: Reader<f32>,
    mut pulse: Writer<f32>,
) -> ! {
    let (mut load, mut trim) = (Latest::new(load, 0.0), Latest::new(trim, 0.0));
    let mut temperature = Latest::new(temperature, 0.0);
    loop {
        let load = load.get();
        let learnt = map.with(|map| map[quarter(load)]);
        pulse.write(&pulse_for(load, learnt, trim.get(), temperature.get()));
        period.wait();
    }
}

/// Closes the loop over the mixture.
pub fn trim(mut period: Period, lambda: Reader<f32>, mut trim: Writer<f32>) -> ! {
    let mut lambda = Latest::new(lambda, 1.0);
    let mut law = Trim::default();
    loop {
        // Before the first value there is nothing to correct.
        let lambda = lambda.get();
        if lambda > 0.0 {
            trim.write(&law.step(lambda));
        }
        period.wait();
    }
}
