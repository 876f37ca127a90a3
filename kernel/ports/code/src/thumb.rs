//! Thumb-2: what Armv7-M carries out.

pub(crate) mod decode;
mod effect;
pub mod floating;
mod pointer;
pub mod table;
