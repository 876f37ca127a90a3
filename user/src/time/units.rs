//! Durations in units of real time: as many ticks as the board has in them.
//!
//! ```
//! use beryl_user::time::{Duration, microseconds, milliseconds, seconds};
//!
//! const PAUSE: Duration = milliseconds(10);
//!
//! assert_eq!(PAUSE, microseconds(10_000));
//! assert!(PAUSE < seconds(1));
//! ```

use beryl_abi::Duration;

/// Nanoseconds in a tick. `beryl` says so when it compiles for a board, and for a simulation of one; what `cargo test`
/// compiles alone has the tick of mps2-an385.
const TICK: u64 = match option_env!("BERYL_TICK") {
    Some(text) => number(text),
    None => 40,
};

const fn number(text: &str) -> u64 {
    match u64::from_str_radix(text, 10) {
        Ok(number) if number > 0 => number,
        _ => panic!("`BERYL_TICK` is no number of nanoseconds"),
    }
}

/// So many nanoseconds, rounded up to whole ticks.
#[must_use]
pub const fn nanoseconds(count: u64) -> Duration {
    Duration::from_ticks(count.div_ceil(TICK))
}

/// So many microseconds, rounded up to whole ticks; 2^64 nanoseconds, 584 years, if they are more.
#[must_use]
pub const fn microseconds(count: u64) -> Duration {
    nanoseconds(count.saturating_mul(1_000))
}

/// So many milliseconds, as [`microseconds`].
#[must_use]
pub const fn milliseconds(count: u64) -> Duration {
    nanoseconds(count.saturating_mul(1_000_000))
}

/// So many seconds, as [`microseconds`].
#[must_use]
pub const fn seconds(count: u64) -> Duration {
    nanoseconds(count.saturating_mul(1_000_000_000))
}

/// How many whole nanoseconds a duration has; at most 2^64 less one.
#[must_use]
pub const fn in_nanoseconds(duration: Duration) -> u64 {
    duration.ticks().saturating_mul(TICK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_rounded_up_to_ticks_of_forty_nanoseconds() {
        let ticks = |duration: Duration| duration.ticks();
        assert_eq!([0, 1, 40, 41].map(|count| ticks(nanoseconds(count))), [0, 1, 1, 2]);
        assert_eq!([microseconds(3), milliseconds(3), seconds(3)].map(ticks), [75, 75_000, 75_000_000]);
        assert_eq!(ticks(seconds(u64::MAX)), u64::MAX.div_ceil(40));
        assert_eq!(
            [in_nanoseconds(Duration::from_ticks(3)), in_nanoseconds(Duration::FOREVER)],
            [120, u64::MAX]
        );
    }
}
