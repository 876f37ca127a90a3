//! One Thumb-2 instruction, seen as what it does to the flow of control.

use super::{effect, floating, pointer};
use crate::effect::Effect;
use crate::instruction::{Flow, Instruction, Meaning, Pointer};
use yaxpeax_arch::{Decoder, U8Reader};
use yaxpeax_arm::armv7::{ConditionCode, InstDecoder, Instruction as Decoded, Opcode, Operand, Reg};

const STACK: u8 = 13;
const LINK: u8 = 14;
const PROGRAM_COUNTER: u8 = 15;

/// Decodes the first instruction of `code`, which lies at `address`.
pub fn decode(code: &[u8], address: u32) -> Result<Instruction, String> {
    let [low, high] = *code.first_chunk().ok_or("the section ends here")?;
    let first = u16::from_le_bytes([low, high]);
    let second = code.get(2..4).and_then(|bytes| bytes.first_chunk()).copied().unwrap_or_default();
    let second = u16::from_le_bytes(second);
    // Halfwords from 0b11101 on begin an instruction of two.
    let length = if first >> 11 >= 0b11101 { 4 } else { 2 };
    if is_wide_udf(first, second) {
        return Ok(halt(address));
    }
    if let Some(found) = floating::decode([first, second], address, pointer::effect(code)) {
        return Ok(found);
    }
    let decoder = InstDecoder::default_thumb();
    let decoded = decoder.decode(&mut U8Reader::new(code)).map_err(|error| error.to_string())?;
    Ok(Instruction {
        address,
        length,
        flow: flow(&decoded, address, first),
        through: None,
        link: None,
        conditional: is_conditional(&decoded),
        covers: covers(&decoded),
        lasting: is_lasting(&decoded),
        meaning: meaning(&decoded),
        pointer: pointer::effect(code),
        effect: effect::effect(&decoded, [first, second]),
        sets_flags: decoded.s,
        condition: condition(decoded.condition),
        text: decoded.to_string(),
    })
}

/// The wide form of the undefined instruction, which the decoder doesn't know.
fn is_wide_udf(first: u16, second: u16) -> bool {
    first & 0xfff0 == 0xf7f0 && second & 0xf000 == 0xa000
}

/// The number of a condition; none for `always`.
fn condition(code: ConditionCode) -> Option<u8> {
    let all = [
        ConditionCode::EQ,
        ConditionCode::NE,
        ConditionCode::HS,
        ConditionCode::LO,
        ConditionCode::MI,
        ConditionCode::PL,
        ConditionCode::VS,
        ConditionCode::VC,
        ConditionCode::HI,
        ConditionCode::LS,
        ConditionCode::GE,
        ConditionCode::LT,
        ConditionCode::GT,
        ConditionCode::LE,
    ];
    (0..).zip(all).find_map(|(number, other)| (other == code).then_some(number))
}

fn halt(address: u32) -> Instruction {
    let text = "udf.w".to_owned();
    Instruction {
        address,
        length: 4,
        flow: Flow::Halt,
        through: None,
        link: None,
        conditional: false,
        covers: 0,
        lasting: false,
        meaning: Meaning::Other,
        pointer: Pointer::Stays,
        effect: Effect::Nothing,
        sets_flags: false,
        condition: None,
        text,
    }
}

fn flow(decoded: &Decoded, address: u32, first: u16) -> Flow {
    match (decoded.opcode, decoded.operands) {
        (Opcode::B, _) if is_short_conditional(first) => Flow::Jump(short_conditional_target(address, first)),
        (Opcode::B, [Operand::BranchThumbOffset(offset), ..]) => match branch_target(address, offset) {
            // A branch to itself waits for ever, unless it has a condition that something else changes.
            target if target == address && decoded.condition == ConditionCode::AL => Flow::Halt,
            target => Flow::Jump(target),
        },
        (Opcode::CBZ | Opcode::CBNZ, _) => Flow::Jump(compare_and_branch_target(address, first)),
        (Opcode::BL, [Operand::BranchThumbOffset(offset), ..]) => Flow::Call(branch_target(address, offset)),
        (Opcode::BLX, _) => Flow::CallRegister,
        (Opcode::BX | Opcode::BXJ, [Operand::Reg(register), ..]) => jump_register(register),
        (Opcode::MOV, [Operand::Reg(to), Operand::Reg(from), ..]) if to.number() == PROGRAM_COUNTER => {
            jump_register(from)
        }
        (Opcode::LDR, [Operand::Reg(to), from, ..]) if to.number() == PROGRAM_COUNTER => match from {
            Operand::RegDerefPostindexOffset(base, ..) if base.number() == STACK => Flow::Return,
            _ => Flow::JumpRegister,
        },
        (Opcode::POP, [Operand::RegList(list), ..]) | (Opcode::LDM(..), [_, Operand::RegList(list), ..])
            if list & 1 << PROGRAM_COUNTER != 0 =>
        {
            Flow::Return
        }
        (Opcode::TBB, [Operand::RegDerefPreindexReg(base, index, ..), ..])
            if base.number() == PROGRAM_COUNTER =>
        {
            Flow::Table { entry: 1, index: index.number() }
        }
        (Opcode::TBH, _) if first & 0xf == u16::from(PROGRAM_COUNTER) => {
            Flow::Table { entry: 2, index: table_index(decoded) }
        }
        (Opcode::TBB | Opcode::TBH, _) => Flow::JumpRegister,
        (Opcode::UDF, _) => Flow::Halt,
        (_, [Operand::Reg(to), ..]) if to.number() == PROGRAM_COUNTER && writes(decoded) => {
            Flow::JumpRegister
        }
        _ => Flow::On,
    }
}

fn jump_register(register: Reg) -> Flow {
    if register.number() == LINK { Flow::Return } else { Flow::JumpRegister }
}

fn table_index(decoded: &Decoded) -> u8 {
    use yaxpeax_arm::armv7::RegShiftStyle;
    match decoded.operands[0] {
        Operand::RegDerefPreindexRegShift(_, index, ..) => match index.into_shift() {
            RegShiftStyle::RegImm(shift) => shift.shiftee().number(),
            RegShiftStyle::RegReg(shift) => shift.shiftee().number(),
        },
        _ => PROGRAM_COUNTER,
    }
}

/// The program counter reads four bytes ahead of the branch.
fn branch_target(address: u32, halfwords: i32) -> u32 {
    address.wrapping_add(4).wrapping_add_signed(halfwords.wrapping_mul(2))
}

// The two short forms are read from their encodings, because the decoder counts their offsets from another
// origin than those of all other branches.

fn compare_and_branch_target(address: u32, first: u16) -> u32 {
    let halfwords = (first >> 3 & 0x1f) | (first >> 9 & 1) << 5;
    branch_target(address, i32::from(halfwords))
}

fn is_short_conditional(first: u16) -> bool {
    first >> 12 == 0b1101
}

fn short_conditional_target(address: u32, first: u16) -> u32 {
    let [halfwords, _] = first.to_le_bytes();
    branch_target(address, i32::from(halfwords.cast_signed()))
}

fn is_conditional(decoded: &Decoded) -> bool {
    decoded.condition != ConditionCode::AL || matches!(decoded.opcode, Opcode::CBZ | Opcode::CBNZ)
}

/// The lowest set bit of IT's mask ends the block.
fn covers(decoded: &Decoded) -> u32 {
    match (decoded.opcode, decoded.operands) {
        (Opcode::IT, [_, Operand::Imm32(mask), ..]) => 4_u32.saturating_sub(mask.trailing_zeros()),
        _ => 0,
    }
}

fn meaning(decoded: &Decoded) -> Meaning {
    match (decoded.opcode, decoded.operands) {
        (Opcode::CMP, [Operand::Reg(register), Operand::Imm32(number), ..]) => {
            Meaning::Compare(register.number(), number)
        }
        (Opcode::B, _) if decoded.condition == ConditionCode::HI => Meaning::LeaveIfHigher,
        (Opcode::B, _) if decoded.condition == ConditionCode::HS => Meaning::LeaveIfSameOrHigher,
        (_, [Operand::Reg(register), ..]) if writes(decoded) => Meaning::Write(register.number()),
        _ => Meaning::Other,
    }
}

fn is_lasting(decoded: &Decoded) -> bool {
    matches!(
        decoded.opcode,
        Opcode::STR | Opcode::STRB | Opcode::STRH | Opcode::STRD | Opcode::STM(..) | Opcode::BL | Opcode::BLX
    )
}

fn writes(decoded: &Decoded) -> bool {
    !matches!(
        decoded.opcode,
        Opcode::CMP
            | Opcode::CMN
            | Opcode::TST
            | Opcode::TEQ
            | Opcode::STR
            | Opcode::STRB
            | Opcode::STRH
            | Opcode::STRD
    )
}
