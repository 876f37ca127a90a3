//! The envelope: how far the helicopter may stray from the hover point, and how far it did.

use core::fmt;
use core::time::Duration;
use thiserror::Error;

/// The bounds that this example states for its hover.
pub const HOVER: Envelope = Envelope { horizontal: 1.0, vertical: 0.5 };

/// The largest distances from the hover point that still count as hover.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Envelope {
    /// To the front or the back, m.
    pub horizontal: f64,
    /// Up or down, m.
    pub vertical: f64,
}

/// The largest distances from the hover point that were reached so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Excursion {
    /// To the front or the back, m.
    pub horizontal: f64,
    /// Up or down, m.
    pub vertical: f64,
}

/// The first instant outside the bounds.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error(
    "hover was lost after {:.3} s: {x:+.3} m forward, {z:+.3} m up, where \u{b1}{:.1} m and \u{b1}{:.1} m are the bounds",
    instant.as_secs_f64(), HOVER.horizontal, HOVER.vertical
)]
pub struct Departure {
    /// Time since the start.
    pub instant: Duration,
    /// Forward of the hover point, m.
    pub x: f64,
    /// Above the hover point, m.
    pub z: f64,
}

impl Envelope {
    /// Whether a position (m: forward, up) is within the bounds. A position that is no number isn't.
    pub fn contains(&self, x: f64, z: f64) -> bool {
        x.abs() <= self.horizontal && z.abs() <= self.vertical
    }
}

impl Excursion {
    /// The larger of what was reached so far and a position (m: forward, up).
    #[must_use]
    pub fn including(self, x: f64, z: f64) -> Excursion {
        Excursion { horizontal: self.horizontal.max(x.abs()), vertical: self.vertical.max(z.abs()) }
    }
}

impl fmt::Display for Excursion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:.3} m horizontally, {:.3} m vertically", self.horizontal, self.vertical)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bounds_themselves_are_within() {
        let positions = [(1.0, 0.5), (-1.0, -0.5), (1.001, 0.0), (0.0, -0.501), (f64::NAN, 0.0)];
        let within = positions.map(|(x, z)| HOVER.contains(x, z));
        assert_eq!(within, [true, true, false, false, false]);
    }

    #[test]
    fn an_excursion_only_grows() {
        let path = [(0.1, -0.2), (-0.3, 0.1), (0.2, 0.0)];
        let mut worst = Excursion::default();
        let seen = path.map(|(x, z)| {
            worst = worst.including(x, z);
            (worst.horizontal, worst.vertical)
        });
        assert_eq!(seen, [(0.1, 0.2), (0.3, 0.2), (0.3, 0.2)]);
    }
}
