//! The checker: what a program must satisfy before anything runs it.
//!
//! [`structure`](mod@structure) reads the code once. It is a machine of small steps, so that a background thread of the target can
//! check a program that has just arrived; it doesn't allocate, and the tools run the same code.

mod flow;
mod mark;
mod refusal;
pub mod structure;

pub use mark::Mark;
pub use refusal::{Reason, Refusal};
pub use structure::{Rights, Shape, Structure};

/// What a step of checking came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress<T> {
    /// There is more to do.
    Again,
    /// The program is accepted.
    Accepted(T),
    /// The program is refused.
    Refused(Refusal),
}
