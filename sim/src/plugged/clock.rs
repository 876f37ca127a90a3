//! Kernel time, while instructions are carried out.

use super::recording::Heard;
use crate::environment::Nanoseconds;
use crate::simulation::Tick;

/// What is known of it: the last record's time, and how many instructions have been carried out since the kernel read that.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    tick: Tick,
    /// An instruction takes 2^`speed` nanoseconds.
    speed: u32,
    /// Kernel time when no instruction had been carried out, if it had passed with instructions only; in nanoseconds. It
    /// is learnt from records: those that tell of an earlier moment than their writing know less.
    origin: Option<i128>,
}

impl Clock {
    /// A clock whose ticks take so many nanoseconds.
    pub(crate) fn new(tick: u32, speed: u32) -> Clock {
        Clock { tick: Tick::of_nanoseconds(tick), speed, origin: None }
    }

    /// What the recording says.
    pub(crate) fn hear(&mut self, Heard { time, count, .. }: Heard) {
        if count > 0 {
            let time = i128::from(self.tick.nanoseconds(time).count());
            self.origin = self.origin.max(Some(time - self.passed(count)));
        }
    }

    /// The time when `count` instructions have been carried out, once something has been recorded.
    pub(crate) fn now(&self, count: u64) -> Option<Nanoseconds> {
        let now = self.origin? + self.passed(count);
        Some(Nanoseconds::new(u64::try_from(now).unwrap_or_default()))
    }

    fn passed(&self, count: u64) -> i128 {
        i128::from(count) << self.speed
    }
}
