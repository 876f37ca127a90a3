//! Kernel time: instants and durations in timer ticks, never raw integers.
//!
//! A tick is the period of the board's timer (40 ns on mps2-an385). Sixty-four bits of it last
//! 23,000 years at 25 MHz, so arithmetic saturates instead of wrapping: a saturated instant is
//! simply never reached.

/// A point in kernel time: ticks since the system started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Instant(u64);

/// A length of kernel time in ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Duration(u64);

/// The low word of an instant: enough to tell how long ago something was, up to 2^32 ticks (171 s at 25 MHz).
/// Cheaper to read than a whole instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Moment(u32);

/// The low word at the start. It is 0 except in test suites that are compiled to run across the wrap of the
/// word: `BERYL_FIRST_MOMENT=4294967286` starts them ten ticks before it.
const FIRST: u32 = match option_env!("BERYL_FIRST_MOMENT") {
    Some(digits) => number(digits.as_bytes()),
    None => 0,
};

const fn number(mut digits: &[u8]) -> u32 {
    let mut number = 0;
    while let [digit, rest @ ..] = digits {
        assert!(digit.is_ascii_digit(), "BERYL_FIRST_MOMENT is a number");
        number = 10 * number + (*digit - b'0') as u32;
        digits = rest;
    }
    number
}

impl Moment {
    /// The moment whose low word is `ticks`.
    #[must_use]
    pub const fn from_ticks(ticks: u32) -> Moment {
        Moment(ticks)
    }

    /// Its low word.
    #[must_use]
    #[inline(always)]
    pub const fn ticks(self) -> u32 {
        self.0
    }

    /// The time that has passed since `earlier`, which is less than 2^32 ticks ago: the difference
    /// of low words is that of the instants, whether or not the word has wrapped in between.
    #[must_use]
    pub const fn since(self, earlier: Moment) -> Duration {
        Duration(self.0.wrapping_sub(earlier.0) as u64)
    }

    /// The time that has passed since `earlier`, in ticks.
    #[must_use]
    #[inline(always)]
    pub const fn ticks_since(self, earlier: Moment) -> u32 {
        self.0.wrapping_sub(earlier.0)
    }

    /// The moment `ticks` later.
    #[must_use]
    pub const fn after(self, ticks: u32) -> Moment {
        Moment(self.0.wrapping_add(ticks))
    }

    /// The same moment, if it lies between `earliest` and `now`; otherwise `earliest`.
    #[must_use]
    #[inline(always)]
    pub const fn within(self, earliest: Moment, now: Moment) -> Moment {
        if now.ticks_since(self) <= now.ticks_since(earliest) { self } else { earliest }
    }

    /// Whether it is earlier than `other`; they are less than 2^31 ticks apart.
    #[must_use]
    #[inline(always)]
    pub const fn is_before(self, other: Moment) -> bool {
        (self.0.wrapping_sub(other.0) as i32) < 0
    }

    /// The earlier of the two; they are less than 2^31 ticks apart.
    #[must_use]
    #[inline(always)]
    pub const fn earlier(self, other: Moment) -> Moment {
        if self.is_before(other) { self } else { other }
    }
}

impl Instant {
    /// The instant at which the system starts.
    pub const START: Instant = Instant(0);
    /// Later than anything that ever happens.
    pub const NEVER: Instant = Instant(u64::MAX);

    /// The instant `ticks` after the start.
    #[must_use]
    pub const fn from_ticks(ticks: u64) -> Instant {
        Instant(ticks)
    }

    /// Ticks since the start.
    #[must_use]
    pub const fn ticks(self) -> u64 {
        self.0
    }

    /// The instant `duration` later; saturates at [`Instant::NEVER`].
    #[must_use]
    pub const fn after(self, duration: Duration) -> Instant {
        Instant(self.0.saturating_add(duration.0))
    }

    /// The time that has passed since `earlier`; zero if `earlier` is in fact later.
    #[must_use]
    pub const fn since(self, earlier: Instant) -> Duration {
        Duration(self.0.saturating_sub(earlier.0))
    }

    /// Its low word.
    #[must_use]
    pub const fn moment(self) -> Moment {
        Moment((self.0 as u32).wrapping_add(FIRST))
    }

    /// The instant nearest to this one that has the low word `moment`: they are less than 2^31 ticks
    /// apart, and it isn't before the start.
    #[must_use]
    pub const fn nearest(self, moment: Moment) -> Instant {
        let ahead = moment.0.wrapping_sub(self.moment().0) as i32;
        Instant(self.0.wrapping_add_signed(ahead as i64))
    }

    /// The last instant with the low word `moment` when the clock shows this one; not before the start.
    #[must_use]
    pub const fn last(self, moment: Moment) -> Instant {
        Instant(self.0.saturating_sub(self.moment().ticks_since(moment) as u64))
    }

    /// Whether this instant has come when the clock shows `now`.
    #[must_use]
    pub const fn is_due(self, now: Instant) -> bool {
        self.0 <= now.0
    }
}

impl Duration {
    /// No time at all.
    pub const ZERO: Duration = Duration(0);
    /// Longer than any other.
    pub const FOREVER: Duration = Duration(u64::MAX);

    /// A duration of `ticks` timer ticks.
    #[must_use]
    pub const fn from_ticks(ticks: u64) -> Duration {
        Duration(ticks)
    }

    /// Its length in timer ticks.
    #[must_use]
    pub const fn ticks(self) -> u64 {
        self.0
    }

    /// Both durations, one after the other; saturates.
    #[must_use]
    pub const fn plus(self, other: Duration) -> Duration {
        Duration(self.0.saturating_add(other.0))
    }

    /// This duration and a short one. For clocks that add up elapsed time, which 64 bits hold for 23,000
    /// years, so nothing has to saturate.
    #[must_use]
    #[inline(always)]
    pub const fn longer_by(self, ticks: u32) -> Duration {
        Duration(self.0.wrapping_add(ticks as u64))
    }

    /// This duration times a number; saturates.
    #[must_use]
    pub const fn times(self, count: u8) -> Duration {
        Duration(self.0.saturating_mul(count as u64))
    }

    /// This duration less `other`; zero if `other` is longer.
    #[must_use]
    pub const fn minus(self, other: Duration) -> Duration {
        Duration(self.0.saturating_sub(other.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_ordered_across_the_wrap_of_their_word() {
        let late = Moment::from_ticks(u32::MAX - 1);
        assert!(late.is_before(late.after(3)) && !late.after(3).is_before(late) && !late.is_before(late));
        assert_eq!(late.after(3), Moment::from_ticks(1));
    }

    #[test]
    fn an_instant_finds_the_nearest_one_with_a_moment() {
        let now = Instant::from_ticks(0x1_0000_0002);
        for other in [0x1_0000_0005, 0xFFFF_FFFF, 0x8000_0002, 0x1_8000_0001].map(Instant::from_ticks) {
            assert_eq!(now.nearest(other.moment()), other);
        }
    }
}
