//! Taking long: in the simulator as virtual time, on the board by work.

use core::hint::black_box;

use beryl_user::call::spend;
use beryl_user::time::Duration;

/// How long something takes: in ticks of the simulator's clock, and in rounds of a loop that takes about as
/// long on the board.
#[derive(Clone, Copy)]
pub struct Length {
    ticks: u64,
    rounds: u32,
}

/// More than one period of the log, and less than two: 15 ms in the simulator, about as much on the board.
pub const LONG: Length = Length { ticks: 375_000, rounds: 110_000 };

impl Length {
    /// So many times as long.
    pub const fn times(self, count: u32) -> Length {
        Length { ticks: self.ticks * count as u64, rounds: self.rounds * count }
    }
}

/// Takes so long.
pub fn take_long(length: Length) {
    spend(Duration::from_ticks(length.ticks));
    if cfg!(target_arch = "arm") {
        for round in 0..length.rounds {
            black_box(round);
        }
    }
}
