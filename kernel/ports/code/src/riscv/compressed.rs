//! Instructions of two bytes, each as the one of four bytes that it stands for.

use super::fields::{
    BRANCH, EBREAK, JUMP, JUMP_REGISTER, LOAD, STORE, UNIMPLEMENTED, UPPER, WITH_NUMBER, WITH_REGISTER,
    signed,
};
use super::{LINK, STACK, ZERO};

/// The word of a half-word; nothing if RV32IMAC has no such instruction.
pub(super) fn wide(half: u16) -> Option<u32> {
    let half = u32::from(half);
    let bits = |low: u32, count: u32| half >> low & ((1 << count) - 1);
    // Registers of three bits are s0 to a5.
    let short = |low: u32| bits(low, 3) + 8;
    let (full, other) = (bits(7, 5), bits(2, 5));
    let six = bits(2, 5) | bits(12, 1) << 5;
    let (zero, link, stack) = (u32::from(ZERO), u32::from(LINK), u32::from(STACK));
    let of_word = bits(6, 1) << 2 | bits(10, 3) << 3 | bits(5, 1) << 6;
    let word = match (half & 3, half >> 13) {
        // c.unimp
        (0, 0) if half == 0 => UNIMPLEMENTED,
        // c.addi4spn
        (0, 0) => {
            let number = bits(6, 1) << 2 | bits(5, 1) << 3 | bits(11, 2) << 4 | bits(7, 4) << 6;
            (number != 0).then(|| immediate(WITH_NUMBER, 0, short(2), stack, number))?
        }
        // c.lw, c.sw
        (0, 2) => immediate(LOAD, 2, short(2), short(7), of_word),
        (0, 6) => store(short(7), short(2), of_word),
        // c.addi
        (1, 0) => immediate(WITH_NUMBER, 0, full, full, signed_twelve(six)),
        // c.jal, c.j
        (1, 1) => jump(link, half),
        (1, 5) => jump(zero, half),
        // c.li
        (1, 2) => immediate(WITH_NUMBER, 0, full, zero, signed_twelve(six)),
        // c.addi16sp
        (1, 3) if full == stack => {
            let number =
                bits(6, 1) << 4 | bits(2, 1) << 5 | bits(5, 1) << 6 | bits(3, 2) << 7 | bits(12, 1) << 9;
            let number = signed(number, 10).cast_unsigned() & 0xfff;
            (number != 0).then(|| immediate(WITH_NUMBER, 0, stack, stack, number))?
        }
        // c.lui
        (1, 3) => {
            let upper = signed(six, 6).cast_unsigned() << 12;
            (upper != 0).then_some(UPPER | full << 7 | upper)?
        }
        (1, 4) => arithmetic(half, short(7), short(2), six)?,
        // c.beqz, c.bnez
        (1, kind @ (6 | 7)) => branch(kind - 6, short(7), half),
        // c.slli
        (2, 0) if bits(12, 1) == 0 => immediate(WITH_NUMBER, 1, full, full, other),
        // c.lwsp, c.swsp
        (2, 2) if full != zero => {
            let number = bits(4, 3) << 2 | bits(12, 1) << 5 | bits(2, 2) << 6;
            immediate(LOAD, 2, full, stack, number)
        }
        (2, 6) => store(stack, other, bits(9, 4) << 2 | bits(7, 2) << 6),
        (2, 4) => match (bits(12, 1), full, other) {
            (0, 0, 0) => return None,
            // c.jr, c.mv
            (0, from, 0) => immediate(JUMP_REGISTER, 0, zero, from, 0),
            (0, to, from) => register(0, 0, to, zero, from),
            // c.ebreak, c.jalr, c.add
            (_, 0, 0) => EBREAK,
            (_, from, 0) => immediate(JUMP_REGISTER, 0, link, from, 0),
            (_, to, from) => register(0, 0, to, to, from),
        },
        _ => return None,
    };
    Some(word)
}

/// What computes within s0 to a5.
fn arithmetic(half: u32, to: u32, from: u32, six: u32) -> Option<u32> {
    const SIGNED: u32 = 0x20;
    let is_long = half >> 12 & 1 == 1;
    Some(match (half >> 10 & 3, half >> 5 & 3) {
        // c.srli, c.srai, c.andi
        (0, _) if !is_long => immediate(WITH_NUMBER, 5, to, to, six),
        (1, _) if !is_long => immediate(WITH_NUMBER, 5, to, to, six | SIGNED << 5),
        (2, _) => immediate(WITH_NUMBER, 7, to, to, signed_twelve(six)),
        // c.sub, c.xor, c.or, c.and
        (3, 0) if !is_long => register(0, SIGNED, to, to, from),
        (3, 1) if !is_long => register(4, 0, to, to, from),
        (3, 2) if !is_long => register(6, 0, to, to, from),
        (3, 3) if !is_long => register(7, 0, to, to, from),
        _ => return None,
    })
}

/// Six bits with a sign as the twelve of a word.
fn signed_twelve(six: u32) -> u32 {
    signed(six, 6).cast_unsigned() & 0xfff
}

fn immediate(opcode: u32, kind: u32, to: u32, first: u32, number: u32) -> u32 {
    opcode | to << 7 | kind << 12 | first << 15 | number << 20
}

fn register(kind: u32, variant: u32, to: u32, first: u32, second: u32) -> u32 {
    WITH_REGISTER | to << 7 | kind << 12 | first << 15 | second << 20 | variant << 25
}

fn store(base: u32, from: u32, number: u32) -> u32 {
    const WORD: u32 = 2;
    STORE | (number & 0x1f) << 7 | WORD << 12 | base << 15 | from << 20 | (number >> 5) << 25
}

fn jump(link: u32, half: u32) -> u32 {
    let bits = |low: u32, count: u32| half >> low & ((1 << count) - 1);
    let distance = bits(3, 3) << 1
        | bits(11, 1) << 4
        | bits(2, 1) << 5
        | bits(7, 1) << 6
        | bits(6, 1) << 7
        | bits(9, 2) << 8
        | bits(8, 1) << 10
        | bits(12, 1) << 11;
    let far = signed(distance, 12).cast_unsigned();
    let bits = |low: u32, count: u32| far >> low & ((1 << count) - 1);
    JUMP | link << 7 | bits(12, 8) << 12 | bits(11, 1) << 20 | bits(1, 10) << 21 | bits(20, 1) << 31
}

fn branch(kind: u32, register: u32, half: u32) -> u32 {
    let bits = |low: u32, count: u32| half >> low & ((1 << count) - 1);
    let distance = bits(3, 2) << 1 | bits(10, 2) << 3 | bits(2, 1) << 5 | bits(5, 2) << 6 | bits(12, 1) << 8;
    let far = signed(distance, 9).cast_unsigned();
    let bits = |low: u32, count: u32| far >> low & ((1 << count) - 1);
    BRANCH
        | bits(11, 1) << 7
        | bits(1, 4) << 8
        | kind << 12
        | register << 15
        | bits(5, 6) << 25
        | bits(12, 1) << 31
}
