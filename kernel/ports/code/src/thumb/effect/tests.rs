//! Effects of instructions, by their encodings.

use super::*;
use crate::effect::{EXCEPTION, FRAME};
use crate::thumb::decode::decode;

fn of(halfwords: &[u16]) -> Effect {
    let code: Vec<u8> = halfwords.iter().flat_map(|halfword| halfword.to_le_bytes()).collect();
    decode(&code, 0x100).expect("it is an instruction").effect
}

fn load(base: u8, moves: i32, registers: &[(u8, i32)], bytes: u8) -> Transfer {
    let registers = registers.to_vec();
    Transfer { is_load: true, base, index: None, moves, registers, bytes, is_signed: false }
}

fn store(base: u8, moves: i32, registers: &[(u8, i32)], bytes: u8) -> Transfer {
    Transfer { is_load: false, ..load(base, moves, registers, bytes) }
}

#[test]
fn memory_is_reached_where_instructions_say() {
    let cases: [(&str, &[u16], Transfer); 16] = [
        ("push {r4, r7, lr}", &[0xb590], store(13, -12, &[(4, -12), (7, -8), (14, -4)], 4)),
        ("pop {r7, pc}", &[0xbd80], load(13, 8, &[(7, 0), (15, 4)], 4)),
        ("stmdb sp!, {r8, r9}", &[0xe92d, 0x0300], store(13, -8, &[(8, -8), (9, -4)], 4)),
        ("ldmia.w sp!, {r8, r9}", &[0xe8bd, 0x0300], load(13, 8, &[(8, 0), (9, 4)], 4)),
        ("stmia r0!, {r2, r3}", &[0xc00c], store(0, 8, &[(2, 0), (3, 4)], 4)),
        ("ldmia.w r1, {r3, r5}", &[0xe891, 0x0028], load(1, 0, &[(3, 0), (5, 4)], 4)),
        ("stmdb r1!, {r3, r5}", &[0xe921, 0x0028], store(1, -8, &[(3, -8), (5, -4)], 4)),
        ("str r0, [sp, #36]", &[0x9009], store(13, 0, &[(0, 36)], 4)),
        ("strb.w r0, [sp, #33]", &[0xf88d, 0x0021], store(13, 0, &[(0, 33)], 1)),
        ("ldrb.w r0, [r1, #-2]", &[0xf811, 0x0c02], load(1, 0, &[(0, -2)], 1)),
        ("ldrh r1, [r0, #48]", &[0x8e01], load(0, 0, &[(1, 48)], 2)),
        ("str.w r8, [sp, #-4]!", &[0xf84d, 0x8d04], store(13, -4, &[(8, -4)], 4)),
        ("ldr.w r8, [sp], #4", &[0xf85d, 0x8b04], load(13, 4, &[(8, 0)], 4)),
        ("ldrd r4, r9, [r0, #8]", &[0xe9d0, 0x4902], load(0, 0, &[(4, 8), (9, 12)], 4)),
        ("strd r1, r3, [r2], #-8", &[0xe862, 0x1302], store(2, -8, &[(1, 0), (3, 4)], 4)),
        (
            "ldrsb.w r0, [r1, r2]",
            &[0xf911, 0x0002],
            Transfer { index: Some(2), is_signed: true, ..load(1, 0, &[(0, 0)], 1) },
        ),
    ];
    for (text, halfwords, expected) in cases {
        assert_eq!(of(halfwords), Effect::Transfer(expected), "{text}");
    }
}

#[test]
fn registers_become_what_instructions_say() {
    let number = Source::Number;
    let sum = |to, first, second| Effect::Compute { operation: Operation::Add, to, first, second };
    let cases: [(&str, &[u16], Effect); 19] = [
        ("movs r0, #5", &[0x2005], Effect::Move { to: 0, from: number(5), is_inverted: false }),
        ("mvn.w r0, #2", &[0xf06f, 0x0002], Effect::Move { to: 0, from: number(2), is_inverted: true }),
        ("mov r7, sp", &[0x466f], Effect::Move { to: 7, from: Source::Register(13), is_inverted: false }),
        (
            "lsls r0, r1, #29",
            &[0x0748],
            Effect::Move { to: 0, from: Source::Shifted(1, 29), is_inverted: false },
        ),
        (
            "lsrs r0, r1, #8",
            &[0x0a08],
            Effect::Move { to: 0, from: Source::Shifted(1, -8), is_inverted: false },
        ),
        ("lsrs r0, r1, #32", &[0x0808], Effect::Writes { registers: 1, reads: 3 }),
        ("movt r0, #8192", &[0xf2c2, 0x0000], Effect::Upper { to: 0, number: 0x2000 }),
        ("add r7, sp, #12", &[0xaf03], sum(7, 13, number(12))),
        ("adds r0, #1", &[0x3001], sum(0, 0, number(1))),
        ("add r4, r10", &[0x4454], sum(4, 4, Source::Register(10))),
        ("add.w r0, r2, r4, lsl #3", &[0xeb02, 0x00c4], sum(0, 2, Source::Shifted(4, 3))),
        ("uxtb r0, r6", &[0xb2f0], Effect::Extract { to: 0, from: 6, low: 0, width: 8 }),
        ("ubfx r1, r1, #16, #1", &[0xf3c1, 0x4100], Effect::Extract { to: 1, from: 1, low: 16, width: 1 }),
        ("cmp r4, #35", &[0x2c23], Effect::Compare { first: 4, second: number(35) }),
        ("tst.w r0, #65280", &[0xf410, 0x4f7f], Effect::Test { first: 0, second: number(0xff00) }),
        ("mrs r0, psp", &[0xf3ef, 0x8009], Effect::Special { to: 0, register: FRAME }),
        ("mrs r0, ipsr", &[0xf3ef, 0x8005], Effect::Special { to: 0, register: EXCEPTION }),
        ("cbnz r3, .", &[0xb90b], Effect::IfZero { register: 3, is_zero: false }),
        ("clz r0, r2", &[0xfab2, 0xf082], Effect::Writes { registers: 1, reads: 0b101 }),
    ];
    for (text, halfwords, expected) in cases {
        assert_eq!(of(halfwords), expected, "{text}");
    }
}

#[test]
fn conditions_are_those_of_it() {
    // ite eq; itt ne; itett hi; the condition's lowest bit is repeated for those under it.
    let cases: [(u16, u8, u8); 4] =
        [(0xbf0c, 0, 0b01), (0xbf1c, 1, 0b11), (0xbf89, 8, 0b1101), (0xbf18, 1, 0b1)];
    for (halfword, condition, then) in cases {
        assert_eq!(of(&[halfword]), Effect::When { condition, then }, "{halfword:#x}");
    }
}
