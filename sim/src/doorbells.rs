//! Doorbells between cores: what one rings comes to the other as a line, after a time that the seed draws.
//!
//! On a machine it comes when the other core is told, which may be later by what its board says. A bell that is rung again while
//! it is on its way has been rung once; after that its line keeps it, as that of any device.

use beryl_abi::{Instant, Line};

use crate::environment::Nanoseconds;
use crate::lines::Lines;
use crate::simulation::Tick;
use crate::times::SplitMix64;

/// A doorbell of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Doorbell {
    /// Its bit where it is rung: see [`beryl_abi::doorbell`].
    pub bell: u32,
    /// The number of the node at which it rings.
    pub to: usize,
    /// Its line there.
    pub line: Line,
    /// Nanoseconds until it is there, at most.
    pub within: u64,
}

/// The bells that are on their way to a core, each with when it comes.
#[derive(Clone, Debug, Default, Hash)]
pub(crate) struct Coming(Vec<(Instant, Line)>);

impl Coming {
    /// A bell was rung that comes at an instant. One that is on its way already comes when it would have.
    pub(crate) fn add(&mut self, at: Instant, line: Line) {
        if !self.0.iter().any(|(_, coming)| *coming == line) {
            self.0.push((at, line));
        }
    }

    /// When the next one comes.
    pub(crate) fn next(&self) -> Instant {
        self.0.iter().map(|(at, _)| *at).min().unwrap_or(Instant::NEVER)
    }

    /// Raises what has come by `now`.
    pub(crate) fn raise(&mut self, now: Instant, lines: &mut Lines) {
        self.0.retain(|(at, line)| {
            let has_come = at.is_due(now);
            if has_come {
                lines.raise(*line);
            }
            !has_come
        });
    }
}

/// How long bells of a run are on their way.
pub(crate) struct Delays(SplitMix64);

impl Delays {
    pub(crate) fn new(seed: u64) -> Delays {
        Delays(SplitMix64(seed.rotate_left(32)))
    }

    /// When a bell comes that is rung at an instant, by the clock of who hears it.
    pub(crate) fn comes(&mut self, bell: Doorbell, rung: (Instant, Tick), hears: Tick) -> Instant {
        let (instant, tick) = rung;
        let delay = self.0.up_to(bell.within);
        hears.instant(Nanoseconds::new(tick.nanoseconds(instant).count().saturating_add(delay)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BELL: Doorbell = Doorbell { bell: 2, to: 1, line: Line(40), within: 3_000 };

    #[test]
    fn a_bell_comes_within_its_time_and_at_the_same_for_a_seed() {
        let tick = Tick::of_nanoseconds(100);
        let rung = Instant::from_ticks(50);
        let all = |seed| -> Vec<u64> {
            let mut delays = Delays::new(seed);
            (0..500).map(|_| delays.comes(BELL, (rung, tick), tick).ticks()).collect()
        };
        let comes = all(7);
        assert!(comes.iter().all(|at| (50..=80).contains(at)), "{comes:?}");
        assert!((51..=79).all(|at| comes.contains(&at)), "at any time in between: {comes:?}");
        assert_eq!(all(7), comes);
        assert_ne!(all(8), comes);
    }

    #[test]
    fn a_bell_on_its_way_is_rung_once() {
        let (mut coming, mut lines) = (Coming::default(), Lines::default());
        lines.unmask(BELL.line);
        coming.add(Instant::from_ticks(9), BELL.line);
        coming.add(Instant::from_ticks(4), BELL.line);
        assert_eq!(coming.next(), Instant::from_ticks(9));
        coming.raise(Instant::from_ticks(8), &mut lines);
        assert_eq!(lines.take(), None);
        coming.raise(Instant::from_ticks(9), &mut lines);
        assert_eq!(
            ([(); 2].map(|()| lines.take()), coming.next()),
            ([Some(BELL.line), None], Instant::NEVER)
        );
        coming.add(Instant::from_ticks(12), BELL.line);
        assert_eq!(coming.next(), Instant::from_ticks(12), "it is rung anew");
    }
}
