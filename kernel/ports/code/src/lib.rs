//! Linked programs, read back: their instructions, where these lead, and how deep stacks get.
//!
//! Two things are asked of machine code: how long a path through a kernel can be, by the crate `beryl-path`,
//! and how much stack a thread can need, by [`stack`]. Both see instructions as [`instruction`] and [`effect`] say,
//! whatever processor they are for, and only those that control can reach. A [`Processor`] decodes its own.

#![forbid(unsafe_code)]

pub mod awake;
pub mod effect;
pub mod image;
pub mod instruction;
pub mod lines;
mod processor;
mod riscv;
pub mod stack;
pub mod switch;
pub mod thumb;
pub mod values;

use thiserror::Error;

pub use image::Image;
pub use lines::{Frame, Lines};
pub use processor::Processor;
pub use thumb::{floating, table};

/// Why a file can't be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ImageError {
    /// It isn't a linked image for a processor whose code is read, or is damaged.
    #[error(
        "the image can't be used: {0}; give a linked ELF file for Thumb-2 or RV32IMAC with its symbol table"
    )]
    Image(String),
    /// A symbol that isn't in it.
    #[error("no code symbol `{0}` in the image; check the name, and that the linker kept it")]
    NoSymbol(String),
}
