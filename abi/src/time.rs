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

/// The low word of an instant: enough to tell how long ago something was, if that is less than
/// 2^32 ticks (171 s at 25 MHz). Cheaper to read than a whole instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Moment(u32);

impl Moment {
    /// The moment whose low word is `ticks`.
    #[must_use]
    pub const fn from_ticks(ticks: u32) -> Moment {
        Moment(ticks)
    }

    /// The time that has passed since `earlier`, which is less than 2^32 ticks ago: the difference
    /// of low words is that of the instants, whether or not the word has wrapped in between.
    #[must_use]
    pub const fn since(self, earlier: Moment) -> Duration {
        Duration(self.0.wrapping_sub(earlier.0) as u64)
    }
}

impl Instant {
    /// The instant at which the system starts.
    pub const START: Instant = Instant(0);
    /// Later than everything that ever happens.
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
        Moment(self.0 as u32)
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
    /// Longer than everything.
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

    /// What is left of this duration after `other`; zero if nothing is.
    #[must_use]
    pub const fn minus(self, other: Duration) -> Duration {
        Duration(self.0.saturating_sub(other.0))
    }
}
