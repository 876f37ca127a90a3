//! Processors whose machine code is read.

use object::Architecture;

use crate::effect::{Registers, bit};
use crate::instruction::Instruction;
use crate::{riscv, thumb};

/// A family of processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    #[must_use]
    pub fn stack(self) -> u8 {
        match self {
            Processor::Thumb => 13,
            Processor::Riscv => riscv::STACK,
        }
    }

    /// The register that is always zero.
    #[must_use]
    pub fn zero(self) -> Option<u8> {
        match self {
            Processor::Thumb => None,
            Processor::Riscv => Some(riscv::ZERO),
        }
    }

    /// The registers that a function gives back as it found them.
    #[must_use]
    pub fn kept(self) -> Registers {
        match self {
            // r4 to r11.
            Processor::Thumb => (4..=11).fold(0, |all, register| all | bit(register)),
            Processor::Riscv => riscv::KEPT,
        }
    }

    /// The registers that a function takes.
    #[must_use]
    pub fn arguments(self) -> Registers {
        match self {
            // r0 to r3.
            Processor::Thumb => 0b1111,
            Processor::Riscv => riscv::ARGUMENTS,
        }
    }

    /// The registers that it gives.
    #[must_use]
    pub fn results(self) -> Registers {
        match self {
            // r0 and r1.
            Processor::Thumb => 0b11,
            Processor::Riscv => riscv::RESULTS,
        }
    }

    /// The registers that a call doesn't keep.
    #[must_use]
    pub fn scratch(self) -> Registers {
        match self {
            // r0 to r3, r12 and the link register.
            Processor::Thumb => 0b0101_0000_0000_1111,
            Processor::Riscv => !(riscv::KEPT | bit(riscv::STACK) | bit(riscv::ZERO)),
        }
    }

    /// The registers in which a call has its number, its object, and how long it may wait.
    #[must_use]
    pub fn asked(self) -> [u8; 3] {
        match self {
            Processor::Thumb => [0, 1, 12],
            Processor::Riscv => riscv::ASKED,
        }
    }

    /// Where the frame of who was interrupted has a call's number, in bytes.
    #[must_use]
    pub fn number_in_frame(self) -> i32 {
        match self {
            // r0 comes first.
            Processor::Thumb => 0,
            Processor::Riscv => riscv::NUMBER,
        }
    }

    /// Whether instructions leave flags behind that others ask.
    #[must_use]
    pub fn has_flags(self) -> bool {
        self == Processor::Thumb
    }

    /// The register in which calls leave where they came from.
    #[must_use]
    pub fn link(self) -> u8 {
        match self {
            Processor::Thumb => 14,
            Processor::Riscv => riscv::LINK,
        }
    }
}
