//! System code: one instruction table, and everything that is made from it.
//!
//! [`instruction`](mod@instruction) holds the table; encoder, decoder, [disassembler](mod@disassemble) and
//! the [manual page's table](mod@manual) are made from it. [`container`] is the form in which a program is
//! stored and sent, [`check`] the rules that it must satisfy before anything runs it. No part allocates, so
//! that the same code runs in the tools and on the target.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

pub mod check;
mod checksum;
pub mod condition;
pub mod container;
pub mod disassemble;
pub mod generate;
pub mod instruction;
pub mod manual;
pub mod operand;
pub mod refused;
pub mod round;

pub use condition::{Condition, PortId, Relation};
pub use container::{Container, ContainerError, Exception, Limits};
pub use disassemble::Listing;
pub use instruction::{Instruction, Opcode};
pub use round::Round;
