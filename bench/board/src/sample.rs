//! Two readings of the timer.

use beryl_user::println;

/// Ticks since the start, before and after.
#[derive(Clone, Copy)]
pub struct Sample {
    /// Before.
    pub before: u32,
    /// After.
    pub after: u32,
}

impl Sample {
    /// Prints the sample for `case`.
    pub fn print(self, case: &str) {
        println!("sample {case} {} {}", self.before, self.after);
    }

    /// The instructions between the readings: one takes 25.6 ticks, and the second reading is three.
    /// For samples shorter than 16 million instructions.
    #[must_use]
    pub fn instructions(self) -> u32 {
        let ticks = self.after.wrapping_sub(self.before);
        (ticks.wrapping_mul(10).wrapping_add(128) / 256).wrapping_sub(3)
    }
}
