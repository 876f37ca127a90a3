//! Linked programs for Thumb-2, read back: their instructions, where these lead, and how deep stacks get.
//!
//! Two things are asked of machine code: how long a path through a kernel can be, by the crate `beryl-path`,
//! and how much stack a thread can need, by [`stack`]. Both see the instructions as [`instruction`] does, and
//! only those that control can reach.

#![forbid(unsafe_code)]

pub mod awake;
pub mod effect;
pub mod image;
pub mod instruction;
pub mod lines;
mod pointer;
pub mod stack;
pub mod switch;
pub mod table;

use thiserror::Error;

pub use image::Image;
pub use lines::{Frame, Lines};

/// Why a file can't be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ImageError {
    /// It isn't a linked Arm image, or is damaged.
    #[error("the image can't be used: {0}; give a linked ELF file for Thumb-2 with its symbol table")]
    Image(String),
    /// A symbol that isn't in it.
    #[error("no code symbol `{0}` in the image; check the name, and that the linker kept it")]
    NoSymbol(String),
}
