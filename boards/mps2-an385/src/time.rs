//! Kernel time from a 32-bit timer, and how far an alarm reaches: the arithmetic, without devices.

use beryl_abi::Instant;

/// Ticks until the timer begins anew: 2^32 of 40 ns, 171.8 s. The clock must be read once in this
/// time, or it loses a round; the alarm sees to that, see [`LONGEST`].
const ROUND: u64 = 1 << 32;

/// The longest time that the alarm is set for: half a round (85.9 s), so that the clock is read in
/// each of its rounds, however far the next instant is.
pub const LONGEST: u64 = ROUND / 2;

/// A count of 32 bits, extended to 64.
#[derive(Default)]
pub struct Extended {
    /// Ticks in complete rounds.
    rounds: u64,
    /// Ticks of this round when the clock was last read.
    last: u32,
}

impl Extended {
    /// The time when the timer has counted to `ticks`.
    #[inline(always)]
    pub fn extend(&mut self, ticks: u32) -> Instant {
        if ticks < self.last {
            self.rounds = self.rounds.saturating_add(ROUND);
        }
        self.last = ticks;
        Instant::from_ticks(self.rounds | u64::from(ticks))
    }
}

/// What to set a count-down to, so that it ends at `instant`, or on the way there: at least a tick.
pub fn countdown(instant: Instant, now: Instant) -> u32 {
    instant.since(now).ticks().clamp(1, LONGEST) as u32
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
    fn a_countdown_is_neither_empty_nor_too_long() {
        let now = Instant::from_ticks(1000);
        let instants = [0, 999, 1000, 1001, 1250, 1000 + LONGEST, 1001 + LONGEST];
        let counts = instants.map(|ticks| countdown(Instant::from_ticks(ticks), now));
        assert_eq!(counts, [1, 1, 1, 1, 250, 1 << 31, 1 << 31]);
        assert_eq!(countdown(Instant::NEVER, now), 1 << 31);
    }

    #[test]
    fn an_alarm_at_least_in_each_round() {
        let mut clock = Extended::default();
        let mut time = 0_u64;
        for _ in 0..9 {
            time += u64::from(countdown(Instant::NEVER, Instant::from_ticks(time)));
            assert_eq!(clock.extend(time as u32).ticks(), time);
        }
    }
}
