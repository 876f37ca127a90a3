//! What a Thumb-2 instruction does to registers, flags and memory.

use yaxpeax_arm::armv7::{Instruction as Decoded, Opcode, Operand, Reg, RegShift, RegShiftStyle, ShiftStyle};

use crate::effect::{Effect, Operation, Registers, Source, Transfer, bit};

const STACK: u8 = 13;
const PROGRAM_COUNTER: u8 = 15;

/// The effect of an instruction whose first two halfwords are these.
pub(super) fn effect(decoded: &Decoded, halfwords: [u16; 2]) -> Effect {
    let [first, second] = halfwords;
    match decoded.opcode {
        Opcode::MOV => moved(&decoded.operands, false),
        Opcode::MVN => moved(&decoded.operands, true),
        Opcode::LSL | Opcode::LSR => shifted(decoded),
        Opcode::ADD => computed(Operation::Add, decoded),
        Opcode::SUB => computed(Operation::Subtract, decoded),
        Opcode::AND => computed(Operation::And, decoded),
        Opcode::ORR => computed(Operation::Or, decoded),
        Opcode::EOR => computed(Operation::Xor, decoded),
        Opcode::BIC => computed(Operation::Clear, decoded),
        Opcode::MOVT => match decoded.operands {
            [Operand::Reg(to), Operand::Imm32(number), ..] => Effect::Upper { to: to.number(), number },
            _ => Effect::Unknown,
        },
        Opcode::UXTB => extracted(decoded, 8),
        Opcode::UXTH => extracted(decoded, 16),
        Opcode::UBFX => match decoded.operands {
            [Operand::Reg(to), Operand::Reg(from), Operand::Imm12(low), Operand::Imm12(width)] => {
                let [low, width] = [low, width].map(|number| u8::try_from(number).unwrap_or(32));
                Effect::Extract { to: to.number(), from: from.number(), low, width }
            }
            _ => Effect::Unknown,
        },
        Opcode::CMP => match compared(decoded) {
            Some((first, second)) => Effect::Compare { first, second },
            None => unknown_flags(decoded),
        },
        Opcode::TST => match compared(decoded) {
            Some((first, second)) => Effect::Test { first, second },
            None => unknown_flags(decoded),
        },
        Opcode::CMN | Opcode::TEQ | Opcode::MSR => unknown_flags(decoded),
        Opcode::PUSH | Opcode::POP => pushed(decoded),
        Opcode::LDM(..) | Opcode::STM(..) => several(decoded),
        Opcode::LDRD | Opcode::STRD => pair(decoded),
        Opcode::LDR | Opcode::STR => one(decoded, 4),
        Opcode::LDRH | Opcode::STRH | Opcode::LDRSH => one(decoded, 2),
        Opcode::LDRB | Opcode::STRB | Opcode::LDRSB => one(decoded, 1),
        Opcode::MRS => match decoded.operands {
            [Operand::Reg(to), ..] => Effect::Special { to: to.number(), register: second.to_le_bytes()[0] },
            _ => Effect::Unknown,
        },
        Opcode::IT => when(first),
        Opcode::CBZ | Opcode::CBNZ => match decoded.operands {
            [Operand::Reg(register), ..] => {
                Effect::IfZero { register: register.number(), is_zero: decoded.opcode == Opcode::CBZ }
            }
            _ => Effect::Unknown,
        },
        Opcode::B | Opcode::BL | Opcode::BX | Opcode::BLX | Opcode::TBB | Opcode::TBH => Effect::Nothing,
        Opcode::NOP | Opcode::DSB | Opcode::DMB | Opcode::ISB | Opcode::CPS(_) => Effect::Nothing,
        Opcode::UDF | Opcode::BKPT | Opcode::SVC | Opcode::WFI | Opcode::WFE | Opcode::SEV => Effect::Nothing,
        Opcode::ADC
        | Opcode::SBC
        | Opcode::RSB
        | Opcode::ASR
        | Opcode::ROR
        | Opcode::CLZ
        | Opcode::RBIT
        | Opcode::REV
        | Opcode::MUL
        | Opcode::MLA
        | Opcode::MLS
        | Opcode::UDIV
        | Opcode::SDIV
        | Opcode::SXTB
        | Opcode::SXTH
        | Opcode::SBFX
        | Opcode::ORN
        | Opcode::BFI
        | Opcode::BFC => writes_first(decoded),
        _ => Effect::Unknown,
    }
}

fn source(operand: Operand) -> Option<Source> {
    match operand {
        Operand::Imm32(number) => Some(Source::Number(number)),
        Operand::Imm12(number) => Some(Source::Number(number.into())),
        Operand::Reg(register) => Some(Source::Register(register.number())),
        Operand::RegShift(shift) => of_shift(shift),
        _ => None,
    }
}

fn of_shift(shift: RegShift) -> Option<Source> {
    let RegShiftStyle::RegImm(shift) = shift.into_shift() else { return None };
    let by = i8::try_from(shift.imm()).ok()?;
    let register = shift.shiftee().number();
    match shift.stype() {
        _ if by == 0 => Some(Source::Register(register)),
        ShiftStyle::LSL => Some(Source::Shifted(register, by)),
        ShiftStyle::LSR => Some(Source::Shifted(register, -by)),
        _ => None,
    }
}

fn moved(operands: &[Operand; 4], is_inverted: bool) -> Effect {
    match operands {
        [Operand::Reg(to), from, ..] => match source(*from) {
            Some(from) => Effect::Move { to: to.number(), from, is_inverted },
            None => Effect::Writes { registers: bit(to.number()), reads: named(*from) },
        },
        _ => Effect::Unknown,
    }
}

fn shifted(decoded: &Decoded) -> Effect {
    match decoded.operands {
        // A shift to the right by 0 stands for one by 32.
        [Operand::Reg(to), Operand::Reg(from), Operand::Imm12(by @ 1..=31), _] => {
            let by = i8::try_from(by).unwrap_or_default();
            let by = if decoded.opcode == Opcode::LSL { by } else { -by };
            Effect::Move { to: to.number(), from: Source::Shifted(from.number(), by), is_inverted: false }
        }
        _ => writes_first(decoded),
    }
}

fn computed(operation: Operation, decoded: &Decoded) -> Effect {
    let (to, first, second) = match decoded.operands {
        [Operand::Reg(to), second, Operand::Nothing, Operand::Nothing] => (to, to, second),
        [Operand::Reg(to), Operand::Reg(first), second, Operand::Nothing] => (to, first, second),
        _ => return Effect::Unknown,
    };
    // The program counter is no value that anybody follows.
    match source(second) {
        Some(second) if first.number() != PROGRAM_COUNTER => {
            Effect::Compute { operation, to: to.number(), first: first.number(), second }
        }
        _ => writes_first(decoded),
    }
}

fn extracted(decoded: &Decoded, width: u8) -> Effect {
    match decoded.operands {
        [Operand::Reg(to), Operand::Reg(from), Operand::Nothing, Operand::Nothing] => {
            Effect::Extract { to: to.number(), from: from.number(), low: 0, width }
        }
        _ => writes_first(decoded),
    }
}

fn compared(decoded: &Decoded) -> Option<(u8, Source)> {
    match decoded.operands {
        [Operand::Reg(first), second, Operand::Nothing, Operand::Nothing] => {
            Some((first.number(), source(second)?))
        }
        _ => None,
    }
}

fn unknown_flags(decoded: &Decoded) -> Effect {
    let reads = decoded.operands.iter().fold(0, |all, operand| all | named(*operand));
    Effect::Writes { registers: 0, reads }
}

fn writes_first(decoded: &Decoded) -> Effect {
    let reads = decoded.operands.iter().fold(0, |all, operand| all | named(*operand));
    match decoded.operands {
        [Operand::Reg(to), ..] => Effect::Writes { registers: bit(to.number()), reads },
        _ => Effect::Unknown,
    }
}

/// The registers that an operand names.
fn named(operand: Operand) -> Registers {
    match operand {
        Operand::Reg(register) => bit(register.number()),
        Operand::RegShift(shift) => match shift.into_shift() {
            RegShiftStyle::RegImm(shift) => bit(shift.shiftee().number()),
            RegShiftStyle::RegReg(_) => Registers::MAX,
        },
        Operand::Nothing | Operand::Imm12(_) | Operand::Imm32(_) => 0,
        _ => Registers::MAX,
    }
}

fn listed(list: u16, from: i32) -> Vec<(u8, i32)> {
    (0..16)
        .filter(|register| u32::from(list) & bit(*register) != 0)
        .zip(0..)
        .map(|(register, place)| (register, from + 4 * place))
        .collect()
}

fn pushed(decoded: &Decoded) -> Effect {
    let [Operand::RegList(list), ..] = decoded.operands else { return Effect::Unknown };
    let bytes = 4 * i32::try_from(list.count_ones()).unwrap_or_default();
    let is_load = decoded.opcode == Opcode::POP;
    let (from, moves) = if is_load { (0, bytes) } else { (-bytes, -bytes) };
    Effect::Transfer(Transfer {
        is_load,
        base: STACK,
        index: None,
        moves,
        registers: listed(list, from),
        bytes: 4,
        is_signed: false,
    })
}

fn several(decoded: &Decoded) -> Effect {
    let (is_load, is_up, is_before) = match decoded.opcode {
        Opcode::LDM(is_up, is_before, ..) => (true, is_up, is_before),
        Opcode::STM(is_up, is_before, ..) => (false, is_up, is_before),
        _ => return Effect::Unknown,
    };
    let [Operand::RegWBack(base, moves), Operand::RegList(list), ..] = decoded.operands else {
        return Effect::Unknown;
    };
    let bytes = 4 * i32::try_from(list.count_ones()).unwrap_or_default();
    // Those that go upwards begin at the address, whatever the decoder says of their short forms.
    if !is_up && !is_before {
        return Effect::Unknown;
    }
    let from = if is_up { 0 } else { -bytes };
    let by = if is_up { bytes } else { -bytes };
    Effect::Transfer(Transfer {
        is_load,
        base: base.number(),
        index: None,
        moves: if moves { by } else { 0 },
        registers: listed(list, from),
        bytes: 4,
        is_signed: false,
    })
}

fn pair(decoded: &Decoded) -> Effect {
    let [Operand::Reg(low), Operand::Reg(high), place, _] = decoded.operands else { return Effect::Unknown };
    let is_load = decoded.opcode == Opcode::LDRD;
    transfer(is_load, place, &[low, high], 4, false)
}

fn one(decoded: &Decoded, bytes: u8) -> Effect {
    let [Operand::Reg(register), place, ..] = decoded.operands else { return Effect::Unknown };
    let is_load = !matches!(decoded.opcode, Opcode::STR | Opcode::STRH | Opcode::STRB);
    let is_signed = matches!(decoded.opcode, Opcode::LDRSH | Opcode::LDRSB);
    transfer(is_load, place, &[register], bytes, is_signed)
}

fn transfer(is_load: bool, place: Operand, registers: &[Reg], bytes: u8, is_signed: bool) -> Effect {
    let signed = |offset: u16, is_up: bool| if is_up { i32::from(offset) } else { -i32::from(offset) };
    let (base, index, from, moves) = match place {
        Operand::RegDeref(base) => (base, None, 0, 0),
        Operand::RegDerefPreindexOffset(base, offset, is_up, moves) => {
            let offset = signed(offset, is_up);
            (base, None, offset, if moves { offset } else { 0 })
        }
        // An address that is changed behind the transfer is always kept.
        Operand::RegDerefPostindexOffset(base, offset, is_up, _) => (base, None, 0, signed(offset, is_up)),
        Operand::RegDerefPreindexReg(base, index, _, false) => (base, Some(index.number()), 0, 0),
        Operand::RegDerefPreindexRegShift(base, shift, _, false) => match shift.into_shift() {
            RegShiftStyle::RegImm(shift) => (base, Some(shift.shiftee().number()), 0, 0),
            RegShiftStyle::RegReg(_) => return Effect::Unknown,
        },
        _ => return Effect::Unknown,
    };
    let registers = registers.iter().zip(0..).map(|(register, place)| (register.number(), from + 4 * place));
    Effect::Transfer(Transfer {
        is_load,
        base: base.number(),
        index,
        moves,
        registers: registers.collect(),
        bytes,
        is_signed,
    })
}

/// The condition of `IT`, and which of the instructions after it are under it: a mask's bits repeat the
/// condition's lowest, down to a last one that is set.
fn when(first: u16) -> Effect {
    let [low, _] = first.to_le_bytes();
    let (condition, mask) = (low >> 4, low & 0xf);
    let covered = 4_u32.saturating_sub(mask.trailing_zeros());
    let same = |place: u32| place == 0 || u32::from(mask >> (4 - place) & 1) == u32::from(condition & 1);
    let then = (0..covered).filter(|place| same(*place)).fold(0, |all, place| all | 1 << place);
    Effect::When { condition, then }
}

#[cfg(test)]
mod tests;
