//! How deep the processor may sleep.

use beryl_abi::Duration;

use super::Assembly;

/// A depth of sleep beside the lightest.
#[derive(Clone, Debug)]
pub struct Sleep {
    /// Its name.
    pub name: String,
    /// The longest that it takes to wake from it.
    pub wake: Duration,
    /// The shortest time for which it is worth it.
    pub least: Duration,
}

impl Assembly {
    /// The longest that the processor may need to wake.
    #[must_use]
    pub fn longest_wake(&self) -> Duration {
        self.sleeps.iter().map(|sleep| sleep.wake).max().unwrap_or(Duration::ZERO)
    }
}
