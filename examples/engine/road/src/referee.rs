//! The referee: whether the speed is held.

use beryl_sim::Nanoseconds;

use crate::road::Road;

/// How long the controller has after a change, ms.
const PATIENCE: u64 = 1_600;
/// How far the speed may then be from what is asked for, 1/min.
const TOLERANCE: f32 = 100.0;

/// What it has seen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Referee {
    /// The largest distance when it mattered, 1/min.
    worst: f32,
    /// How often it looked when it mattered.
    looked: u32,
    /// The first time that the speed wasn't held: when, speed and what was asked for.
    lost: Option<(Nanoseconds, f32, f32)>,
}

impl Referee {
    /// The true speed (1/min) at an instant.
    pub fn see(&mut self, road: &Road, instant: Nanoseconds, speed: f32) {
        if road.settled(instant) < PATIENCE {
            return;
        }
        let asked = road.asked(instant);
        let distance = (speed - asked).abs();
        self.looked += 1;
        self.worst = self.worst.max(distance);
        let is_held = distance <= TOLERANCE;
        if self.lost.is_none() && !is_held {
            self.lost = Some((instant, speed, asked));
        }
    }

    /// The verdict.
    ///
    /// # Errors
    ///
    /// When the speed wasn't held first, and what it was; or that there was nothing to judge.
    pub fn verdict(&self) -> Result<String, String> {
        match (self.lost, self.looked) {
            (Some((instant, speed, asked)), _) => Err(format!(
                "the speed was lost after {} ms: {speed:.0} 1/min where {asked:.0} were asked for",
                instant.count() / 1_000_000
            )),
            (None, 0) => {
                Err(format!("nothing to judge: {PATIENCE} ms after a change the speed is looked at"))
            }
            (None, _) => Ok(format!(
                "speed held: at most {:.0} 1/min from what is asked for, from {PATIENCE} ms after each change \
                 (bound {TOLERANCE:.0})",
                self.worst
            )),
        }
    }
}
