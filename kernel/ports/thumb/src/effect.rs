//! What an instruction does to registers, flags and memory, as far as whoever follows values asks.

use yaxpeax_arm::armv7::{Instruction as Decoded, Opcode, Operand, Reg, RegShift, RegShiftStyle, ShiftStyle};

/// The registers of an instruction, a bit for each.
pub type Registers = u16;

const STACK: u8 = 13;
const PROGRAM_COUNTER: u8 = 15;

/// A second operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A number.
    Number(u32),
    /// A register.
    Register(u8),
    /// A register, shifted by so many bits to the left, or to the right if that is negative.
    Shifted(u8, i8),
}

/// How two operands become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Their sum.
    Add,
    /// The first without the second.
    Subtract,
    /// The bits of both.
    And,
    /// The bits of either.
    Or,
    /// The bits of one of them.
    Xor,
    /// The bits of the first that the second hasn't.
    Clear,
}

/// Registers that are loaded or stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// Whether memory comes into registers.
    pub is_load: bool,
    /// The register with the address.
    pub base: u8,
    /// A register that is added to it, so that nobody knows where it leads.
    pub index: Option<u8>,
    /// By how much the address changes.
    pub moves: i32,
    /// Each register with its distance from the address.
    pub registers: Vec<(u8, i32)>,
    /// Bytes of each.
    pub bytes: u8,
    /// Whether what is loaded is extended by its sign.
    pub is_signed: bool,
}

/// What an instruction does beside where it leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing that is asked about.
    Nothing,
    /// Sets a register.
    Move {
        /// The register.
        to: u8,
        /// What it becomes.
        from: Source,
        /// Whether each bit becomes its opposite.
        is_inverted: bool,
    },
    /// Computes a register.
    Compute {
        /// How.
        operation: Operation,
        /// The register.
        to: u8,
        /// The first operand.
        first: u8,
        /// The second.
        second: Source,
    },
    /// Sets the upper half of a register.
    Upper {
        /// The register.
        to: u8,
        /// The half.
        number: u32,
    },
    /// Takes so many bits of a register.
    Extract {
        /// Where they become the lowest.
        to: u8,
        /// Where they come from.
        from: u8,
        /// The lowest of them.
        low: u8,
        /// How many.
        width: u8,
    },
    /// Compares: as a subtraction, without its result.
    Compare {
        /// The first operand.
        first: u8,
        /// The second.
        second: Source,
    },
    /// Tests bits: as [`Operation::And`], without its result.
    Test {
        /// The first operand.
        first: u8,
        /// The second.
        second: Source,
    },
    /// Loads or stores.
    Transfer(Transfer),
    /// Reads a special register.
    Special {
        /// Where it is read to.
        to: u8,
        /// Its number: [`EXCEPTION`], [`FRAME`], or any other.
        register: u8,
    },
    /// Makes the next instructions conditional.
    When {
        /// The condition.
        condition: u8,
        /// A bit for each of them, from the lowest on: whether it is under the condition, or under its opposite.
        then: u8,
    },
    /// Branches on a register.
    IfZero {
        /// The register.
        register: u8,
        /// Whether it has to be zero, or must not be.
        is_zero: bool,
    },
    /// Writes registers, or the flags, with what nobody follows.
    Writes {
        /// The registers.
        registers: Registers,
        /// Those that it reads.
        reads: Registers,
    },
    /// Anything.
    Unknown,
}

/// A special register of [`Effect::Special`]: the number of the active exception.
pub const EXCEPTION: u8 = 5;
/// The same: the stack pointer of who was interrupted.
pub const FRAME: u8 = 9;

impl Effect {
    /// The registers that it may write.
    #[must_use]
    pub fn writes(&self) -> Registers {
        match self {
            Effect::Move { to, .. }
            | Effect::Compute { to, .. }
            | Effect::Upper { to, .. }
            | Effect::Extract { to, .. }
            | Effect::Special { to, .. } => bit(*to),
            Effect::Transfer(transfer) => {
                let loaded = transfer.registers.iter().filter(|_| transfer.is_load);
                let loaded = loaded.fold(0, |all, (register, _)| all | bit(*register));
                loaded | if transfer.moves == 0 { 0 } else { bit(transfer.base) }
            }
            Effect::Writes { registers, .. } => *registers,
            Effect::Unknown => Registers::MAX,
            Effect::Nothing
            | Effect::Compare { .. }
            | Effect::Test { .. }
            | Effect::When { .. }
            | Effect::IfZero { .. } => 0,
        }
    }

    /// The registers that it may read.
    #[must_use]
    pub fn reads(&self) -> Registers {
        let of = |source: &Source| match source {
            Source::Number(_) => 0,
            Source::Register(register) | Source::Shifted(register, _) => bit(*register),
        };
        match self {
            Effect::Move { from, .. } => of(from),
            Effect::Compute { first, second, .. }
            | Effect::Compare { first, second }
            | Effect::Test { first, second } => bit(*first) | of(second),
            Effect::Upper { to, .. } => bit(*to),
            Effect::Extract { from, .. } => bit(*from),
            Effect::IfZero { register, .. } => bit(*register),
            Effect::Transfer(transfer) => {
                let stored = transfer.registers.iter().filter(|_| !transfer.is_load);
                let stored = stored.fold(0, |all, (register, _)| all | bit(*register));
                stored | bit(transfer.base) | transfer.index.map_or(0, bit)
            }
            Effect::Writes { reads, .. } => *reads,
            Effect::Unknown => Registers::MAX,
            Effect::Nothing | Effect::Special { .. } | Effect::When { .. } => 0,
        }
    }
}

/// The bit of a register.
#[must_use]
pub fn bit(register: u8) -> Registers {
    1_u16.checked_shl(register.into()).unwrap_or_default()
}

/// The effect of an instruction whose first two halfwords are these.
pub(crate) fn effect(decoded: &Decoded, halfwords: [u16; 2]) -> Effect {
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
        .filter(|register| list & bit(*register) != 0)
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
