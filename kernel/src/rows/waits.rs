//! What a thread's calls may wait for.

/// What the calls of a thread may wait for. Each forbids more than the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Waits {
    /// Whatever they like.
    Freely,
    /// Their turns only: a binary semaphore, the reply of a server.
    Turns,
    /// Nothing.
    Never,
}
