//! Tracks: intervals with running sums, to find how much of a window they cover without looking at all of
//! them.

use beryl_abi::{Duration, Instant};

/// Intervals in order that don't overlap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Track {
    from: Vec<Instant>,
    to: Vec<Instant>,
    /// For each interval, the total length of the ones before it.
    before: Vec<Duration>,
}

impl Track {
    /// A track of intervals sorted by beginning; those that overlap or touch are merged.
    #[must_use]
    pub fn of(intervals: impl IntoIterator<Item = (Instant, Instant)>) -> Track {
        let mut track = Track::default();
        let mut covered = Duration::ZERO;
        for (from, to) in intervals.into_iter().filter(|(from, to)| from < to) {
            match track.to.last_mut() {
                Some(last) if from <= *last => {
                    covered = covered.plus(to.since(*last));
                    *last = to.max(*last);
                }
                _ => {
                    track.from.push(from);
                    track.to.push(to);
                    track.before.push(covered);
                    covered = covered.plus(to.since(from));
                }
            }
        }
        track
    }

    /// How much of the time from `from` to `to` is covered.
    #[must_use]
    pub fn covered(&self, from: Instant, to: Instant) -> Duration {
        self.covered_before(to.max(from)).minus(self.covered_before(from))
    }

    /// The interval that holds an instant.
    #[must_use]
    pub fn at(&self, instant: Instant) -> Option<(Instant, Instant)> {
        let index = self.to.partition_point(|to| *to <= instant);
        let (from, to) = (*self.from.get(index)?, *self.to.get(index)?);
        (from <= instant).then_some((from, to))
    }

    fn covered_before(&self, instant: Instant) -> Duration {
        let index = self.from.partition_point(|from| *from < instant);
        match index.checked_sub(1) {
            None => Duration::ZERO,
            Some(last) => self.before[last].plus(instant.min(self.to[last]).since(self.from[last])),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(ticks: u64) -> Instant {
        Instant::from_ticks(ticks)
    }

    #[test]
    fn touching_intervals_are_one() {
        let track =
            Track::of([(at(1), at(3)), (at(3), at(5)), (at(4), at(6)), (at(8), at(9)), (at(9), at(9))]);
        assert_eq!(
            [0, 1, 5, 6, 8].map(|ticks| track.at(at(ticks)).map(|(from, _)| from.ticks())),
            [None, Some(1), Some(1), None, Some(8)]
        );
    }

    proptest! {
        /// Whatever the window: it is covered as if one had counted tick by tick.
        #[test]
        fn coverage_is_what_counting_gives(
            mut intervals in prop::collection::vec((0..60_u64, 0..8_u64), 0..20),
            from in 0..70_u64,
            length in 0..70_u64,
        ) {
            intervals.sort_unstable();
            let track = Track::of(intervals.iter().map(|(from, length)| (at(*from), at(from + length))));
            let inside = |tick: &u64| intervals.iter().any(|(from, length)| (*from..from + length).contains(tick));
            let counted = (from..from + length).filter(inside).count();
            prop_assert_eq!(track.covered(at(from), at(from + length)).ticks(), u64::try_from(counted).expect("few"));
        }
    }
}
