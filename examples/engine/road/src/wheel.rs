//! The crank wheel: when its teeth come.

use beryl_sim::Nanoseconds;

/// A wheel that stands still until it is turned for the first time.
#[derive(Clone, Debug, Default)]
pub struct Wheel {
    turning: Option<Turning>,
}

#[derive(Clone, Debug)]
struct Turning {
    /// The next tooth.
    next: u64,
    /// From tooth to tooth, behind the next.
    distance: u64,
}

impl Wheel {
    /// From `instant` on, teeth come `distance` nanoseconds apart: if it turns already, from the next tooth
    /// on. The least distance is one.
    pub fn turn(&mut self, instant: Nanoseconds, distance: u64) {
        let distance = distance.max(1);
        let first = instant.count().saturating_add(distance);
        self.turning.get_or_insert(Turning { next: first, distance }).distance = distance;
    }

    /// The first tooth after an instant. Those up to it have passed.
    pub fn tooth_after(&mut self, instant: Nanoseconds) -> Option<Nanoseconds> {
        let turning = self.turning.as_mut()?;
        if turning.next <= instant.count() {
            let passed = (instant.count() - turning.next) / turning.distance + 1;
            turning.next = turning.next.saturating_add(passed.saturating_mul(turning.distance));
        }
        Some(Nanoseconds::new(turning.next))
    }
}
