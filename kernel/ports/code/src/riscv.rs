//! RV32IMAC: one instruction, seen as what it does to the flow of control, to registers and to memory.
//!
//! An instruction of two bytes stands for one of four, whose word [`wide`](compressed::wide) is, so there is one set of
//! rules. The numbers are those of the manual: "The RISC-V Instruction Set Manual, Volume I", chapters on RV32I, M, A
//! and C.

mod compressed;
mod effect;
mod fields;
mod text;

use crate::effect::{EQUAL, Effect, GREATER_OR_EQUAL, HIGHER_OR_SAME, Registers};
use crate::instruction::{Flow, Instruction, Meaning, Pointer};
use fields::Fields;

/// The register that is always zero.
pub(crate) const ZERO: u8 = 0;
/// The one in which calls leave where they came from.
pub(crate) const LINK: u8 = 1;
/// The stack pointer.
pub(crate) const STACK: u8 = 2;
/// The other one that calls may leave that in, by the manual's hints for returns.
const OTHER_LINK: u8 = 5;
/// What functions take: a0 to a7.
pub(crate) const ARGUMENTS: Registers = 0x0003_fc00;
/// What they give: a0 and a1.
pub(crate) const RESULTS: Registers = 0x0000_0c00;
/// What functions give back as they found it: gp, tp, s0 to s11.
pub(crate) const KEPT: Registers = 0x0ffc_0318;

/// In which a call has its number, its object, and how long it may wait: a0, a1 and a4.
pub(crate) const ASKED: [u8; 3] = [10, 11, 14];
/// Where a trap keeps a0, in which a call's number is: bytes from what it finds in its special register.
pub(crate) const NUMBER: i32 = 40;

/// Decodes the first instruction of `code`, which lies at `address`.
pub(crate) fn decode(code: &[u8], address: u32) -> Result<Instruction, String> {
    const CUT: &str = "the section ends here";
    let halfword = u16::from_le_bytes(*code.first_chunk().ok_or(CUT)?);
    let is_wide = halfword & 3 == 3;
    let word = match is_wide {
        true => u32::from_le_bytes(*code.first_chunk().ok_or(CUT)?),
        false => compressed::wide(halfword).ok_or_else(|| format!("{halfword:#06x} is none"))?,
    };
    let fields = Fields::of(word);
    let effect = effect::effect(fields, address).ok_or_else(|| format!("{word:#010x} is none"))?;
    let flow = flow(fields, address);
    let pointer = match effect.writes() & crate::effect::bit(STACK) {
        0 => Pointer::Stays,
        _ => Pointer::Computed,
    };
    let is_branch = fields.opcode == fields::BRANCH;
    let is_lasting = matches!(fields.opcode, fields::STORE | fields::ATOMIC);
    Ok(Instruction {
        address,
        length: if is_wide { 4 } else { 2 },
        lasting: is_lasting || matches!(flow, Flow::Call(_) | Flow::CallRegister),
        through: (fields.opcode == fields::JUMP_REGISTER).then_some((fields.first, fields.short)),
        link: matches!(flow, Flow::Call(_) | Flow::CallRegister).then_some(fields.to),
        flow,
        conditional: is_branch,
        covers: 0,
        meaning: Meaning::Other,
        pointer,
        effect,
        sets_flags: false,
        condition: condition(fields),
        text: text::text(fields, address),
    })
}

/// The condition of a branch that compares, by the numbers that Thumb-2 has for them.
fn condition(fields: Fields) -> Option<u8> {
    match (fields.opcode, fields.kind) {
        _ if matches!(effect::effect(fields, 0), Some(Effect::IfZero { .. })) => None,
        (fields::BRANCH, 0) => Some(EQUAL),
        (fields::BRANCH, 1) => Some(EQUAL | 1),
        (fields::BRANCH, 4) => Some(GREATER_OR_EQUAL | 1),
        (fields::BRANCH, 5) => Some(GREATER_OR_EQUAL),
        (fields::BRANCH, 6) => Some(HIGHER_OR_SAME | 1),
        (fields::BRANCH, 7) => Some(HIGHER_OR_SAME),
        _ => None,
    }
}

/// Where control goes.
fn flow(fields: Fields, address: u32) -> Flow {
    let to = |distance: i32| address.wrapping_add_signed(distance);
    match fields.opcode {
        fields::BRANCH => Flow::Jump(to(fields.branch)),
        fields::JUMP => match fields.to {
            // A jump to itself waits for ever.
            ZERO if fields.jump == 0 => Flow::Halt,
            ZERO => Flow::Jump(to(fields.jump)),
            _ => Flow::Call(to(fields.jump)),
        },
        fields::JUMP_REGISTER => match (fields.to, fields.first, fields.short) {
            (ZERO, LINK | OTHER_LINK, 0) => Flow::Return,
            (ZERO, ..) => Flow::JumpRegister,
            _ => Flow::CallRegister,
        },
        fields::SYSTEM => match fields.word {
            fields::EBREAK | fields::UNIMPLEMENTED => Flow::Halt,
            fields::MRET => Flow::Return,
            _ => Flow::On,
        },
        _ => Flow::On,
    }
}

#[cfg(test)]
mod tests;
