//! The longest path through a kernel image, in instructions.
//!
//! A *step* of the kernel runs from an exception handler's entry to the exception return, or to the next
//! *step boundary*: the head of a loop that is marked as one, because pending interrupts are taken there; or
//! an instruction that looks whether any are pending, behind which the kernel goes on only if there are none:
//! the image lists the addresses of these in a section `.step_boundaries`. So may be the call of a function
//! that is named as one. This crate bounds the longest step from above, from the linked image alone: it
//! rebuilds the control flow from the machine code, reads the loops' bounds from comments in the source
//! (found through the line table), and takes the longest path through the loop-free rest.
//!
//! # Annotations
//!
//! ```text
//! // bound: LEVELS
//! for level in levels { .. }
//!
//! while handle() == Again { .. } // step boundary
//! ```
//!
//! A comment stands on the loop's line, or directly above it, at most three lines away. It covers the lines
//! of the loop; above a statement without a loop keyword (`threads.iter().position(..)`) it covers that
//! statement. A bound is a number, a name from [`Request::bounds`], or a sum of products of them. It limits
//! how often the loop's body starts; over an iterator that skips elements, it has to count those as well.
//!
//! # What is known on a path
//!
//! An [`Entry`] may say what is known where it begins: a call's number, or an exception's. From there, and
//! from all that the code itself compares and sets, it is followed what is known of registers, flags and
//! stack, bit by bit. Ways that meet and of which different things are known stay apart, so a branch goes
//! only where it can: with one call's number, a table of jumps leads to that call's arm, and the tag that it
//! leaves leads to what comes of that. What a function leaves is known by what it begins with. Where this is
//! lost (in memory but for the stack, in loops, where too many ways meet), all ways count.
//!
//! Three things are believed. Functions keep some registers and give their results in two others, or in memory, as
//! the procedure call standard says: on Arm r4 to r11, r0 and r1, on RISC-V s0 to s11, a0 and a1. A word of the
//! caller's frame is the call's number until a store through the frame's pointer changes it: on Arm the first one, as
//! the processor puts r0 there, on RISC-V the one in which its port keeps a0. And a function reaches its callers'
//! stack only through pointers that it was given or its own stack pointer.
//!
//! # What the result means
//!
//! Arm and RISC-V are read, whose images say which they are (`kernel/ports/code/src/processor.rs`). Far calls and tables of
//! RISC-V go through registers: these are followed, and a target that isn't certain is refused (`flow/through.rs`).
//!
//! Each instruction counts one, `IT` and the instructions that it skips too; exception entry and return count
//! nothing. The result is safe, not tight, where the code can't do what its graph allows and nothing of the
//! above says so: branches on memory are taken to be independent; a `for` or `while` of bound n is charged n
//! rounds and the way to its exit, unless a store or a call of its body shows that the compiler tests behind
//! the body; each round of an unrolled loop is charged as one of the source's. Build with optimisation for
//! size, or with `-C llvm-args=-unroll-runtime=false`: then it stays close.
//!
//! What it can't see: functions that the compiler merged because their code is equal keep the lines, and so
//! the bounds, of one of them. Give loops that run over different tables different bounds only in different
//! code.

#![forbid(unsafe_code)]

mod alive;
mod annotation;
mod bits;
mod bounds;
mod cost;
mod error;
mod flags;
mod flow;
mod longest;
mod loops;
mod memory;
mod report;
mod sizes;
mod source;
mod state;
mod step;
mod value;

use std::collections::BTreeMap;
use std::path::PathBuf;

pub use beryl_code::{Frame, Lines};
pub use error::PathError;
pub use report::{Location, Report, Span, Step};
pub use sizes::{Sizes, forbidden_symbols, section_sizes, symbol_addresses};
pub use state::Facts;

/// What to measure, and what the image doesn't say by itself.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The exception handlers.
    pub entries: Vec<Entry>,
    /// Values of the names in `// bound: NAME`.
    pub bounds: BTreeMap<String, u64>,
    /// How often, at most, each loop jumps back in a function that has no annotated source, such as `memcpy`.
    pub symbol_bounds: BTreeMap<String, u64>,
    /// For each function that calls or jumps through a register, its possible targets; the target `return` is
    /// a return through a register other than the link register.
    pub indirect: BTreeMap<String, Vec<String>>,
    /// Functions that don't run in what is measured, such as trace points that are off: paths into them
    /// don't count.
    pub excluded: Vec<String>,
    /// Functions that look at what is pending, at least once each: each call is a step boundary.
    pub boundaries: Vec<String>,
    /// The folders whose sources are read for annotations; code from elsewhere belongs to the line that called
    /// it. A source that is named from no folder is looked for in the first.
    pub source_roots: Vec<PathBuf>,
}

/// Where steps begin, and what is known of them there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What the report calls them.
    pub name: String,
    /// The symbol of the exception handler.
    pub symbol: String,
    /// Which of its steps count.
    pub begins: Begins,
    /// What is known.
    pub facts: Facts,
}

/// Which steps of an exception count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begins {
    /// All.
    Anywhere,
    /// Those that begin with the exception.
    AtEntry,
    /// Those that begin at a step boundary.
    AtBoundary,
}

impl From<&str> for Entry {
    /// All steps of a handler of which nothing is known.
    fn from(symbol: &str) -> Entry {
        Entry {
            name: symbol.to_owned(),
            symbol: symbol.to_owned(),
            begins: Begins::Anywhere,
            facts: Facts::default(),
        }
    }
}

/// Bounds the longest step from each entry of `request` through the linked image `elf`.
///
/// # Errors
///
/// A [`PathError`] names the place and says what to do: an image that can't be read, a loop without a bound,
/// recursion, a jump through a register without targets, control flow that isn't made of loops.
pub fn longest_step(elf: &[u8], request: &Request) -> Result<Report, PathError> {
    longest::longest_step(elf, request)
}
