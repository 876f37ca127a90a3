//! The scale of a drawing, and round instants for its ruler.

use crate::clock::{LogicalInstant, MILLISECOND, decimal};

/// Maps logical time onto `units` steps across: columns, or fractions of a pixel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    from: u64,
    to: u64,
    units: usize,
}

impl Scale {
    pub(super) fn new(from: LogicalInstant, to: LogicalInstant, units: usize) -> Scale {
        Scale { from: from.nanoseconds(), to: to.nanoseconds(), units }
    }

    /// The step at which `at` lies; the end of the window is one behind the last step. Instants outside are
    /// moved to the border.
    pub(super) fn position(&self, at: LogicalInstant) -> usize {
        let offset = at.nanoseconds().clamp(self.from, self.to) - self.from;
        self.scaled(offset)
    }

    fn scaled(&self, offset: u64) -> usize {
        let span = u128::from(self.to - self.from).max(1);
        let steps = u128::try_from(self.units).unwrap_or(u128::MAX);
        usize::try_from(u128::from(offset).saturating_mul(steps) / span).unwrap_or(self.units)
    }

    /// Round instants in milliseconds, at least `spacing` steps apart, with room for their labels at
    /// `character` steps a character.
    pub(super) fn ticks(&self, spacing: usize, character: usize) -> Vec<(LogicalInstant, String)> {
        let steps = (0..=19)
            .flat_map(|power| [1, 2, 5].map(|factor| 10_u64.saturating_pow(power).saturating_mul(factor)));
        for step in steps {
            if self.to == self.from || self.scaled(step) < spacing {
                continue;
            }
            let ticks = self.multiples(step);
            let longest = ticks.iter().map(|(_, label)| label.len() + 2).max().unwrap_or(0);
            if self.scaled(step) >= longest * character {
                return ticks;
            }
        }
        vec![(LogicalInstant::from_nanoseconds(self.from), decimal(self.from, MILLISECOND))]
    }

    fn multiples(&self, step: u64) -> Vec<(LogicalInstant, String)> {
        let first = self.from.div_ceil(step);
        (first..=self.to / step)
            .map(|multiple| multiple * step)
            .map(|at| (LogicalInstant::from_nanoseconds(at), decimal(at, MILLISECOND)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(from: u64, to: u64, columns: usize) -> Vec<String> {
        let at = LogicalInstant::from_nanoseconds;
        Scale::new(at(from), at(to), columns).ticks(10, 1).into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(labels(0, 20_000_000, 60), ["0", "5", "10", "15", "20"]);
        assert_eq!(labels(3_000_000, 20_000_000, 60), ["5", "10", "15", "20"]);
        assert_eq!(labels(0, 3_000, 60), ["0", "0.0005", "0.001", "0.0015", "0.002", "0.0025", "0.003"]);
        assert_eq!(labels(0, 10_000_000_000, 60), ["0", "2000", "4000", "6000", "8000", "10000"]);
    }

    #[test]
    fn extreme_windows_have_a_ruler() {
        assert_eq!(labels(7_000_000, 7_000_000, 60), ["7"]);
        assert_eq!(labels(0, 1, 60), ["0", "0.000001"]);
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
