//! A tank with a leak, and a valve above it.

/// Nanoseconds of a step.
const STEP: u64 = 1_000_000;

/// How it stands.
#[derive(Clone, Debug)]
pub struct Tank {
    instant: u64,
    /// How high the water stands, in millionths of a millimetre.
    level: i64,
    /// How far the valve is open, in thousandths.
    valve: i32,
    leak: i64,
}

impl Tank {
    /// One that is nearly empty, with a leak.
    pub fn new(seed: u64) -> Tank {
        let leak = i64::try_from(seed % 8).unwrap_or(0);
        Tank { instant: 0, level: 100_000_000, valve: 0, leak: 60_000 + leak * 5_000 }
    }

    /// How high the water stands, in millimetres.
    pub fn level(&mut self, now: u64) -> i32 {
        self.advance(now);
        i32::try_from(self.level / 1_000_000).unwrap_or(i32::MAX)
    }

    /// Sets the valve.
    pub fn set(&mut self, now: u64, valve: i32) {
        self.advance(now);
        self.valve = valve;
    }

    fn advance(&mut self, now: u64) {
        while self.instant + STEP <= now {
            self.instant += STEP;
            self.level = (self.level + i64::from(self.valve) * 400 - self.leak).max(0);
        }
    }
}
