//! What is told of a run, by the kernel and by the reference machine alike.

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// The output of the first task was copied.
    Output,
    /// A task was released.
    Release(usize),
    /// Its job is done.
    Complete(usize),
    /// Somebody else runs from here on, or nobody.
    Runs(Option<usize>),
    /// A time-safety violation: this task is in the way.
    Violation(usize),
    /// A time-share violation.
    Share,
}

/// When, and what.
pub type Observed = (u64, Word);

/// What the guard says: one thing in the first period, the other from then on.
#[derive(Clone, Copy, Debug)]
pub struct Weather {
    /// Whether it says yes at first.
    pub begins_with_yes: bool,
}

/// When the guard begins to say something else.
const CHANGE: u64 = 5;

impl Weather {
    /// What the guard says at an instant.
    pub fn says_yes(self, at: u64) -> bool {
        (at < CHANGE) == self.begins_with_yes
    }

    /// Whether it says something else from an instant on.
    pub fn changes_at(self, at: u64) -> bool {
        at == CHANGE
    }
}
