//! The scale of a drawing, and round instants for its ruler.

use crate::clock::{LogicalInstant, decimal};

/// Maps logical time onto `units` steps: columns, or fractions of a pixel.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    from: u64,
    to: u64,
    units: usize,
}

impl Scale {
    /// A scale from one instant to another in `units` steps.
    #[must_use]
    pub fn new(from: LogicalInstant, to: LogicalInstant, units: usize) -> Scale {
        Scale { from: from.nanoseconds(), to: to.nanoseconds(), units }
    }

    /// The step of `at`; the end of the window is one past the last step. Instants outside are clamped to the
    /// border.
    #[must_use]
    pub fn position(&self, at: LogicalInstant) -> usize {
        let offset = at.nanoseconds().clamp(self.from, self.to) - self.from;
        self.scaled(offset)
    }

    fn scaled(&self, offset: u64) -> usize {
        let span = u128::from(self.to - self.from).max(1);
        let steps = u128::try_from(self.units).unwrap_or(u128::MAX);
        usize::try_from(u128::from(offset).saturating_mul(steps) / span).unwrap_or(self.units)
    }

    /// Round instants, at least `spacing` steps apart, with room for their labels at `character` steps a
    /// character; and the unit of the labels.
    #[must_use]
    pub fn ticks(&self, spacing: usize, character: usize) -> (Unit, Vec<(LogicalInstant, String)>) {
        let steps = (0..=19)
            .flat_map(|power| [1, 2, 5].map(|factor| 10_u64.saturating_pow(power).saturating_mul(factor)));
        let to = LogicalInstant::from_nanoseconds(self.to);
        for step in steps {
            if self.to == self.from || self.scaled(step) < spacing {
                continue;
            }
            let unit = Unit::of(step, to);
            let ticks = self.multiples(step, unit);
            let longest = ticks.iter().map(|(_, label)| label.len() + 2).max().unwrap_or(0);
            if self.scaled(step) >= longest * character {
                return (unit, ticks);
            }
        }
        let (from, unit) = (LogicalInstant::from_nanoseconds(self.from), Unit::of(self.to, to));
        (unit, vec![(from, unit.number(from))])
    }

    fn multiples(&self, step: u64, unit: Unit) -> Vec<(LogicalInstant, String)> {
        let first = self.from.div_ceil(step);
        (first..=self.to / step)
            .map(|multiple| LogicalInstant::from_nanoseconds(multiple * step))
            .map(|at| (at, unit.number(at)))
            .collect()
    }
}

/// The unit of an axis: the one that makes its instants short and round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Milliseconds,
    /// Microseconds.
    Microseconds,
    /// Nanoseconds.
    Nanoseconds,
}

impl Unit {
    /// The unit of an axis with `step` nanoseconds between labels, which ends at `to`.
    #[must_use]
    pub fn of(step: u64, to: LogicalInstant) -> Unit {
        match (step, to.nanoseconds()) {
            (_, 0..=1_000) => Unit::Nanoseconds,
            (100_000_000.., _) => Unit::Seconds,
            (0..100_000, 0..=10_000_000) => Unit::Microseconds,
            _ => Unit::Milliseconds,
        }
    }

    /// Its symbol.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Unit::Seconds => "s",
            Unit::Milliseconds => "ms",
            Unit::Microseconds => "us",
            Unit::Nanoseconds => "ns",
        }
    }

    /// An instant in this unit, exactly.
    #[must_use]
    pub fn number(self, at: LogicalInstant) -> String {
        let unit = match self {
            Unit::Seconds => 1_000_000_000,
            Unit::Milliseconds => 1_000_000,
            Unit::Microseconds => 1_000,
            Unit::Nanoseconds => 1,
        };
        decimal(at.nanoseconds(), unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(from: u64, to: u64, columns: usize) -> Vec<String> {
        let at = LogicalInstant::from_nanoseconds;
        let (unit, ticks) = Scale::new(at(from), at(to), columns).ticks(10, 1);
        ticks.into_iter().map(|(_, label)| label).chain([unit.name().to_owned()]).collect()
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(labels(0, 20_000_000, 60), ["0", "5", "10", "15", "20", "ms"]);
        assert_eq!(labels(3_000_000, 20_000_000, 60), ["5", "10", "15", "20", "ms"]);
        assert_eq!(labels(0, 3_000, 60), ["0", "0.5", "1", "1.5", "2", "2.5", "3", "us"]);
        assert_eq!(labels(0, 900, 40), ["0", "500", "ns"]);
        assert_eq!(labels(0, 200_000, 60), ["0", "50", "100", "150", "200", "us"]);
        assert_eq!(labels(0, 1_000_000, 60), ["0", "0.2", "0.4", "0.6", "0.8", "1", "ms"]);
        assert_eq!(labels(0, 500_000, 60), ["0", "0.1", "0.2", "0.3", "0.4", "0.5", "ms"]);
        assert_eq!(labels(3_000_000_000, 3_020_000_000, 40), ["3000", "3005", "3010", "3015", "3020", "ms"]);
        assert_eq!(labels(3_000_000_000, 3_000_000_400, 40), ["3000", "3000.0002", "3000.0004", "ms"]);
        assert_eq!(labels(0, 10_000_000_000, 60), ["0", "2", "4", "6", "8", "10", "s"]);
    }

    #[test]
    fn extreme_windows_have_a_ruler() {
        assert_eq!(labels(7_000_000, 7_000_000, 60), ["7", "ms"]);
        assert_eq!(labels(0, 1, 60), ["0", "1", "ns"]);
        assert!(labels(0, u64::MAX, 100).len() < 10);
        assert!(!labels(u64::MAX - 1, u64::MAX, 100).is_empty());
    }

    #[test]
    fn positions_cover_all_steps() {
        let at = LogicalInstant::from_nanoseconds;
        let scale = Scale::new(at(100), at(200), 50);
        assert_eq!(
            [0, 100, 101, 102, 199, 200, 999].map(|ns| scale.position(at(ns))),
            [0, 0, 0, 1, 49, 50, 50]
        );
    }
}
