//! How much longer a thread may go on with something, by its own clock.

use beryl_abi::Duration;

use crate::table::Blank;

/// So many ticks of a thread's own clock, from when it was given them. They are used up with the tick that is too much.
/// While the thread doesn't run its clock stands still.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Allowance {
    /// One tick behind the first one that is too much, so that there is one even where a clock begins anew; zero if
    /// nothing is counted.
    end: Duration,
}

impl Allowance {
    /// Nothing is counted.
    pub(crate) const NONE: Allowance = Allowance { end: Duration::ZERO };

    /// So many ticks, when its thread's clock says this.
    #[inline(always)]
    pub(crate) fn of(ticks: u32, clock: Duration) -> Allowance {
        Allowance { end: clock.longer_by(ticks.saturating_add(2)) }
    }

    /// Whether it is counted.
    #[inline(always)]
    pub(crate) fn is_some(self) -> bool {
        self.end != Duration::ZERO
    }

    /// The ticks until it is used up, when its thread's clock says this; none if it is.
    #[inline(always)]
    pub(crate) fn left(self, clock: Duration) -> u32 {
        u32::try_from(self.end.minus(clock).ticks()).unwrap_or(u32::MAX).saturating_sub(1)
    }

    /// Whether it is counted, and used up.
    #[inline(always)]
    pub(crate) fn is_used_up(self, clock: Duration) -> bool {
        self.is_some() && self.left(clock) == 0
    }

    /// Its thread's clock, which says this, is about to begin anew: what is left stays.
    pub(crate) fn carry_over(&mut self, clock: Duration) {
        if self.is_some() {
            *self = Allowance { end: Duration::from_ticks(self.end.minus(clock).ticks().max(1)) };
        }
    }
}

impl Blank for Allowance {
    const BLANK: Allowance = Allowance::NONE;
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLOCK: fn(u64) -> Duration = Duration::from_ticks;

    #[test]
    fn it_is_used_up_with_the_tick_that_is_too_much() {
        let allowance = Allowance::of(30, CLOCK(100));
        assert_eq!([100, 120, 130, 131, 200].map(|now| allowance.left(CLOCK(now))), [31, 11, 1, 0, 0]);
        assert_eq!([130, 131].map(|now| allowance.is_used_up(CLOCK(now))), [false, true]);
        assert!(!Allowance::NONE.is_used_up(CLOCK(0)));
    }

    #[test]
    fn a_clock_that_begins_anew_gives_nothing_more() {
        for (clock, left) in [(100, 31), (120, 11), (130, 1), (131, 0), (200, 0)] {
            let mut allowance = Allowance::of(30, CLOCK(100));
            allowance.carry_over(CLOCK(clock));
            assert_eq!((allowance.left(CLOCK(0)), allowance.is_used_up(CLOCK(0))), (left, left == 0));
            assert!(allowance.is_some());
        }
        let mut none = Allowance::NONE;
        none.carry_over(CLOCK(7));
        assert!(!none.is_some());
    }
}
