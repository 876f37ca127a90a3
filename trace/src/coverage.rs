//! Coverage: the stretches of time for which a trace has lost notes. Anything may have happened there.

use beryl_abi::{Duration, Instant};

use crate::event::{Event, Happening};
use beryl_abi::DecodedNote;

/// A stretch of time with missing notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The time of the last event before the loss.
    pub from: Instant,
    /// When the loss was reported.
    pub to: Instant,
    /// How many notes are missing.
    pub lost: u64,
}

impl Gap {
    /// The loss, in words.
    #[must_use]
    pub fn words(&self) -> String {
        match self.lost {
            1 => "1 note was lost".to_owned(),
            lost => format!("{lost} notes were lost"),
        }
    }
}

/// All gaps of a trace, in order; those that touch are one.
#[must_use]
pub fn gaps(events: &[Event]) -> Vec<Gap> {
    let mut gaps: Vec<Gap> = Vec::new();
    let mut before = events.first().map_or(Instant::START, |first| first.time);
    for event in events {
        let now = before.max(event.time);
        if let Happening::Note(DecodedNote::Lost { count }) = event.happening {
            // However short the gap, it stays visible.
            let tick = Duration::from_ticks(1);
            let from = before.min(Instant::START.after(now.since(Instant::START).minus(tick)));
            let to = now.max(from.after(tick));
            match gaps.last_mut().filter(|last| from <= last.to) {
                Some(last) => {
                    (last.to, last.lost) = (to.max(last.to), last.lost.saturating_add(count.into()))
                }
                None => gaps.push(Gap { from, to, lost: count.into() }),
            }
        }
        before = now;
    }
    gaps
}

#[cfg(test)]
mod tests {
    use super::*;
    use beryl_abi::Line;

    #[test]
    fn a_gap_reaches_from_what_was_told_last_to_the_loss() {
        let at = Instant::from_ticks;
        let stray = |ticks| Event { time: at(ticks), happening: Happening::Stray { line: Line(1) } };
        let lost =
            |ticks, count| Event { time: at(ticks), happening: Happening::Note(DecodedNote::Lost { count }) };
        let events = [lost(0, 1), stray(5), lost(9, 3), lost(9, 2), stray(12), stray(14), lost(14, 7)];
        let found: Vec<_> =
            gaps(&events).iter().map(|gap| (gap.from.ticks(), gap.to.ticks(), gap.lost)).collect();
        assert_eq!(found, [(0, 1, 1), (5, 9, 5), (13, 14, 7)]);
        assert_eq!(gaps(&[stray(3)]), []);
    }
}
