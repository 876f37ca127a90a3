//! Kernel time from a 32-bit timer, and how far an alarm reaches: the arithmetic, without devices.

use beryl_abi::{Instant, Moment};

/// A count of 32 bits, extended to 64.
///
/// The timer begins anew after 2^32 ticks: of 40 ns, 171.8 s. The clock must be read once in this
/// time, or it loses a round; the kernel's alarms see to that, which are never set further than a quarter
/// of it.
#[derive(Default)]
pub struct Extended {
    /// Complete rounds.
    rounds: u32,
    /// Ticks of this round when the clock was last read.
    pub last: u32,
}

impl Extended {
    /// The time when the timer has counted to `ticks`.
    #[inline(always)]
    pub fn extend(&mut self, ticks: u32) -> Instant {
        if ticks < self.last {
            self.rounds = self.rounds.saturating_add(1);
        }
        self.last = ticks;
        Instant::from_ticks(u64::from(self.rounds) << 32 | u64::from(ticks))
    }
}

/// What to set a count-down to, so that it ends at `moment`: at least a tick.
#[inline(always)]
pub fn countdown(moment: Moment, now: Moment) -> u32 {
    if now.is_before(moment) { moment.ticks_since(now) } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_goes_on_when_the_timer_begins_anew() {
        let mut clock = Extended::default();
        let counts = [0, 7, 7, u32::MAX, 0, 1, u32::MAX, 5];
        let times = counts.map(|count| clock.extend(count).ticks());
        let round = 1 << 32;
        assert_eq!(times, [0, 7, 7, round - 1, round, round + 1, 2 * round - 1, 2 * round + 5]);
    }

    #[test]
    fn a_countdown_is_never_empty() {
        let now = Moment::from_ticks(1000);
        let moments = [0, 999, 1000, 1001, 1250, 1000 + (1 << 30)];
        let counts = moments.map(|ticks| countdown(Moment::from_ticks(ticks), now));
        assert_eq!(counts, [1, 1, 1, 1, 250, 1 << 30]);
    }

    #[test]
    fn a_countdown_goes_over_the_end_of_a_round() {
        let now = Moment::from_ticks(u32::MAX);
        assert_eq!(countdown(Moment::from_ticks(9), now), 10);
        assert_eq!(countdown(Moment::from_ticks(u32::MAX - 3), now), 1);
    }
}
