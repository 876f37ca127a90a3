//! Ignition: when the spark comes, and how that depends on the temperature.

use beryl_user::lock::Lock;
use beryl_user::period::Period;
use beryl_user::state::{Reader, Writer};

use crate::latest::Latest;
use crate::{RATED_SPEED, limit, quarter};

/// Degrees of the crank before the top, for a speed (1/min), a load and a correction (degrees).
#[must_use]
pub fn advance_for(speed: f32, load: f32, correction: f32) -> f32 {
    limit(15.0 + 20.0 * speed / RATED_SPEED + 12.0 * (1.0 - load) + correction, 0.0, 50.0)
}

/// Sets the spark.
pub fn ignite(
    mut period: Period,
    mut map: Lock<[f32; 4]>,
    speed: Reader<[f32; 2]>,
    load: Reader<f32>,
    mut advance: Writer<f32>,
) -> ! {
    let (mut speed, mut load) = (Latest::new(speed, [0.0; 2]), Latest::new(load, 0.0));
    loop {
        let (speed, load) = (speed.get()[0], load.get());
        let correction = map.with(|map| map[quarter(load)]);
        advance.write(&advance_for(speed, load, correction));
        period.wait();
    }
}

/// Corrects the spark where the engine runs: later if it is hot, so that it doesn't knock; earlier if it is
/// cold.
pub fn retard(mut period: Period, mut map: Lock<[f32; 4]>, load: Reader<f32>, temperature: Reader<f32>) -> ! {
    let (mut load, mut temperature) = (Latest::new(load, 0.0), Latest::new(temperature, 0.0));
    loop {
        let wanted = limit(0.1 * (80.0 - temperature.get()), -6.0, 6.0);
        let quarter = quarter(load.get());
        map.with(|map| map[quarter] += 0.1 * (wanted - map[quarter]));
        period.wait();
    }
}
