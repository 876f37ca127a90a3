//! System code as text: the assembler, and the disassembler whose text assembles to the same bytes.
//!
//! ```text
//! module flight                ; names first: what the image has
//! tick 1us                     ; the unit of times below; it isn't stored
//! task t1, t2
//! driver da, ds, di
//!
//! a0: call da
//!     release t2, 10ms
//!     future 10ms, a0
//!     return
//! ```
//!
//! One line holds one directive or one instruction. Mnemonics and operands come from the instruction table of
//! `beryl-syscode`, so a new row there is known here.
#![forbid(unsafe_code)]

mod condition;
mod cursor;
mod diagnostic;
mod directive;
mod operand;
mod parse;
mod program;
mod suggest;
mod text;
mod token;
mod way;

pub use diagnostic::Diagnostic;
pub use parse::{assemble, tick};
pub use program::Program;
pub use text::disassemble;
pub use way::{Step, Way};
