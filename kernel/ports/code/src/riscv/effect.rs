//! What a word does to registers and memory.

use super::fields::{
    ATOMIC, BRANCH, EBREAK, ECALL, FENCE, FROM_HERE, Fields, JUMP, JUMP_REGISTER, LOAD, MRET, STORE, SYSTEM,
    UPPER, WFI, WITH_NUMBER, WITH_REGISTER,
};
use super::fields::{CAUSE, SCRATCH};
use super::{KEPT, STACK, ZERO};
use crate::effect::{EXCEPTION, Effect, FRAME, Operation, Source, Transfer, bit};

/// The effect of a word at this address; nothing if RV32IMAC has no such instruction.
pub(super) fn effect(fields: Fields, address: u32) -> Option<Effect> {
    let (to, kind) = (fields.to, fields.kind);
    match fields.opcode {
        UPPER => Some(number(to, fields.upper)),
        FROM_HERE => Some(number(to, address.wrapping_add(fields.upper))),
        // Where calls leave that they came from there is the flow's.
        JUMP => Some(Effect::Nothing),
        JUMP_REGISTER => (kind == 0).then_some(Effect::Nothing),
        BRANCH => (!matches!(kind, 2 | 3)).then(|| branch(fields)),
        LOAD => {
            let (bytes, is_signed) = match kind {
                0 | 1 => (1 << kind, true),
                2 => (4, false),
                4 | 5 => (1 << (kind - 4), false),
                _ => return None,
            };
            Some(transfer(fields.first, to, fields.short, bytes, is_signed))
        }
        STORE => (kind < 3).then(|| {
            let Effect::Transfer(load) =
                transfer(fields.first, fields.second, fields.store, 1 << kind, false)
            else {
                return Effect::Unknown;
            };
            Effect::Transfer(Transfer { is_load: false, ..load })
        }),
        WITH_NUMBER => with_number(fields),
        WITH_REGISTER => with_register(fields),
        ATOMIC => (kind == 2).then(|| atomic(fields)).flatten(),
        FENCE => (kind < 2).then_some(Effect::Nothing),
        SYSTEM => system(fields),
        _ => None,
    }
}

/// A register becomes a number; the one that is always zero stays it.
fn number(to: u8, number: u32) -> Effect {
    written(to, Effect::Move { to, from: Source::Number(number), is_inverted: false })
}

/// An effect on a register, of which nothing is left on the one that is always zero.
fn written(to: u8, effect: Effect) -> Effect {
    if to == ZERO { Effect::Nothing } else { effect }
}

/// Writes what nobody follows.
fn other(fields: Fields) -> Effect {
    let reads = bit(fields.first) | bit(fields.second);
    written(fields.to, Effect::Writes { registers: bit(fields.to), reads })
}

/// A branch compares and goes at once: under [`condition`](super::condition).
fn branch(fields: Fields) -> Effect {
    match (fields.kind, fields.first, fields.second) {
        (0 | 1, register, ZERO) | (0 | 1, ZERO, register) => {
            Effect::IfZero { register, is_zero: fields.kind == 0 }
        }
        (_, first, second) => Effect::Compare { first, second: Source::Register(second) },
    }
}

fn transfer(base: u8, register: u8, offset: i32, bytes: u8, is_signed: bool) -> Effect {
    let registers = vec![(register, offset)];
    Effect::Transfer(Transfer { is_load: true, base, index: None, moves: 0, registers, bytes, is_signed })
}

fn with_number(fields: Fields) -> Option<Effect> {
    let Fields { to, first, short, .. } = fields;
    let value = short.cast_unsigned();
    let compute =
        |operation| written(to, Effect::Compute { operation, to, first, second: Source::Number(value) });
    let become_source = |from| written(to, Effect::Move { to, from, is_inverted: false });
    let shifted = |by: i8| become_source(Source::Shifted(first, by));
    let by = i8::try_from(fields.second).unwrap_or_default();
    Some(match (fields.kind, fields.variant) {
        (0, _) if first == ZERO => become_source(Source::Number(value)),
        (0, _) if short == 0 => become_source(Source::Register(first)),
        (0, _) => compute(Operation::Add),
        (1, 0) => shifted(by),
        (2 | 3, _) => other(Fields { second: ZERO, ..fields }),
        (4, _) => compute(Operation::Xor),
        (5, 0) => shifted(-by),
        // With the sign.
        (5, 0x20) => other(Fields { second: ZERO, ..fields }),
        (6, _) => compute(Operation::Or),
        (7, _) => compute(Operation::And),
        _ => return None,
    })
}

fn with_register(fields: Fields) -> Option<Effect> {
    let Fields { to, first, second, .. } = fields;
    let compute =
        |operation| written(to, Effect::Compute { operation, to, first, second: Source::Register(second) });
    Some(match (fields.kind, fields.variant) {
        (0, 0) if first == ZERO => {
            written(to, Effect::Move { to, from: Source::Register(second), is_inverted: false })
        }
        (0, 0) => compute(Operation::Add),
        (0, 0x20) => compute(Operation::Subtract),
        (4, 0) => compute(Operation::Xor),
        (6, 0) => compute(Operation::Or),
        (7, 0) => compute(Operation::And),
        // Shifts, comparisons, and what multiplies and divides.
        (1 | 2 | 3 | 5, 0) | (5, 0x20) | (_, 1) => other(fields),
        _ => return None,
    })
}

/// What reads and writes at once.
fn atomic(fields: Fields) -> Option<Effect> {
    // The lowest two bits of the variant say in what order others see it.
    match fields.variant >> 2 {
        // Loads, and remembers where.
        2 if fields.second == ZERO => Some(transfer(fields.first, fields.to, 0, 4, false)),
        // Whoever reads a pointer here may store through it.
        0 | 1 | 3 | 4 | 8 | 12 | 16 | 20 | 24 | 28 => Some(Effect::Writes {
            registers: bit(fields.to) & !bit(ZERO),
            reads: bit(fields.first) | bit(fields.second),
        }),
        _ => None,
    }
}

fn system(fields: Fields) -> Option<Effect> {
    let special = |register| written(fields.to, Effect::Special { to: fields.to, register });
    // What is known of other special registers nobody follows.
    let other = || {
        let reads = if fields.kind < 4 { bit(fields.first) } else { 0 };
        written(fields.to, Effect::Writes { registers: bit(fields.to), reads })
    };
    match (fields.kind, fields.word) {
        // Whoever is called answers in registers that functions don't keep.
        (_, ECALL) => Some(Effect::Writes { registers: !(KEPT | bit(STACK)), reads: !0 }),
        (_, EBREAK | MRET | WFI) => Some(Effect::Nothing),
        (0 | 4, _) => None,
        // A trap exchanges its stack pointer for what is kept there while user mode runs: where its registers go.
        (1, _) if fields.number() == SCRATCH && fields.to == STACK => Some(special(FRAME)),
        (2, _) if fields.number() == CAUSE && fields.first == ZERO => Some(special(EXCEPTION)),
        _ => Some(other()),
    }
}
