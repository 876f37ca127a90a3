//! One instruction, seen as what it does to the flow of control, whatever processor it is for.

use crate::effect::Effect;

/// Where control goes after an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flow {
    /// To the next instruction.
    On,
    /// To an address.
    Jump(u32),
    /// To an address, and from its return to the next instruction.
    Call(u32),
    /// As `Call`, to an address in a register, and if somebody may know that, in [`Instruction::through`].
    CallRegister,
    /// As `Jump`, to an address in a register or in memory, and if somebody may know that, in [`Instruction::through`].
    JumpRegister,
    /// Through the jump table that follows the instruction, with entries of this many bytes.
    Table {
        /// Bytes of an entry: 1 or 2.
        entry: u32,
        /// The register that selects one.
        index: u8,
    },
    /// Back to the caller, or out of the exception.
    Return,
    /// Nowhere: a trap, or a branch to itself.
    Halt,
}

/// An instruction and its place.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// Its address.
    pub address: u32,
    /// Its length in bytes: 2 or 4.
    pub length: u32,
    /// Where control goes when it is carried out.
    pub flow: Flow,
    /// The register that it goes through, and how far from the address there.
    pub through: Option<(u8, i32)>,
    /// The register in which a call leaves where it came from.
    pub link: Option<u8>,
    /// Whether it may not be carried out, so that control may also go on.
    pub conditional: bool,
    /// How many of the following instructions it makes conditional.
    pub covers: u32,
    /// Whether it does what can't be done ahead of time or in vain: it stores or calls.
    pub lasting: bool,
    /// The register and number that it compares, and the limit of a table that it guards.
    pub meaning: Meaning,
    /// What it does to the stack pointer.
    pub pointer: Pointer,
    /// What it does to registers and memory.
    pub effect: Effect,
    /// Whether what it computes sets the flags.
    pub sets_flags: bool,
    /// The condition under which it is carried out, as in the encoding; none for all that is unconditional,
    /// and for what `IT` covers.
    pub condition: Option<u8>,
    /// As text.
    pub text: String,
}

/// What an instruction says about the extent of a jump table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Compares a register with a number.
    Compare(u8, u32),
    /// Leaves if the register is higher than the number.
    LeaveIfHigher,
    /// Leaves if the register is the number or higher.
    LeaveIfSameOrHigher,
    /// May write this register.
    Write(u8),
    /// Nothing.
    Other,
}

/// A change of the stack pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointer {
    /// None.
    Stays,
    /// So many bytes more are in use.
    Grows(u32),
    /// So many bytes are given back.
    Shrinks(u32),
    /// It is what the instruction's effect makes of it, by what is known of other registers.
    Computed,
    /// It depends on a register, or on memory, and nobody follows that.
    Unknown,
}
