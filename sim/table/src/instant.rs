//! Time of environments.

/// Time since the start of the system, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nanoseconds(u64);

impl Nanoseconds {
    /// This many nanoseconds after the start.
    #[must_use]
    pub const fn new(nanoseconds: u64) -> Nanoseconds {
        Nanoseconds(nanoseconds)
    }

    /// Nanoseconds since the start.
    #[must_use]
    pub const fn count(self) -> u64 {
        self.0
    }
}
