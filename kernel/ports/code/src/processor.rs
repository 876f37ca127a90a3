//! Processors whose machine code is read.

use object::Architecture;

use crate::effect::{Registers, bit};
use crate::instruction::Instruction;
use crate::{riscv, thumb};

/// A family of processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Processor {
    /// Thumb-2.
    Thumb,
    /// RV32IMAC.
    Riscv,
}

impl Processor {
    /// The processor of a linked file, if its code can be read.
    pub(crate) fn of(file: Architecture) -> Option<Processor> {
        match file {
            Architecture::Arm => Some(Processor::Thumb),
            Architecture::Riscv32 => Some(Processor::Riscv),
            _ => None,
        }
    }

    /// Decodes the first instruction of `code`, which lies at `address`.
    ///
    /// # Errors
    /// It is none, for this reason.
    pub fn decode(self, code: &[u8], address: u32) -> Result<Instruction, String> {
        match self {
            Processor::Thumb => thumb::decode::decode(code, address),
            Processor::Riscv => riscv::decode(code, address),
        }
    }

    /// The stack pointer.
    pub(crate) fn stack(self) -> u8 {
        match self {
            Processor::Thumb => 13,
            Processor::Riscv => riscv::STACK,
        }
    }

    /// The register that is always zero.
    pub(crate) fn zero(self) -> Option<u8> {
        match self {
            Processor::Thumb => None,
            Processor::Riscv => Some(riscv::ZERO),
        }
    }

    /// The registers that a function gives back as it found them.
    pub(crate) fn kept(self) -> Registers {
        match self {
            // r4 to r11.
            Processor::Thumb => (4..=11).fold(0, |all, register| all | bit(register)),
            Processor::Riscv => riscv::KEPT,
        }
    }

    /// The register in which calls leave where they came from.
    pub(crate) fn link(self) -> u8 {
        match self {
            Processor::Thumb => 14,
            Processor::Riscv => riscv::LINK,
        }
    }
}
