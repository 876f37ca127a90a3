//! The checker: the rules that a program must satisfy before anything runs it.
//!
//! [`structure`](mod@structure) reads the code once; [`time`](mod@time) carries it out with all execution
//! times up to the bounds at once. Both are machines of small steps, so that a background thread of the
//! target can check a program that has just arrived; they don't allocate, and the tools run the same code.
//! [`admission`] is the sequence of all checks that a slot demands.

pub mod admission;
pub mod demand;
mod flow;
mod mark;
mod refusal;
pub mod steps;
pub mod structure;
pub mod time;
mod way;
pub mod weight;

pub use refusal::{Reason, Refusal};
pub use structure::{Rights, Shape, Structure};
pub use way::Point;

/// The result of a step of checking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress<T> {
    /// There is more to do.
    Again,
    /// The program is accepted.
    Accepted(T),
    /// The program is refused.
    Refused(Refusal),
}
