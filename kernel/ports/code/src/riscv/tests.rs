//! Instructions by their encodings, each as the assembler wrote it.

use super::*;
use crate::effect::{EXCEPTION, Effect, FRAME, Operation, Source, Transfer, bit};

fn of(word: u32) -> Instruction {
    decode(&word.to_le_bytes(), 0x1000).expect("it is an instruction")
}

#[test]
fn control_goes_where_instructions_say() {
    let cases: [(&str, u32, Flow, bool); 17] = [
        ("jal ra, 0x1010", 0x0100_00ef, Flow::Call(0x1010), false),
        ("jal zero, 0xffc", 0xffdf_f06f, Flow::Jump(0xffc), false),
        ("jal zero, 0x1000", 0x0000_006f, Flow::Halt, false),
        ("c.jal 0x1008", 0x2021, Flow::Call(0x1008), false),
        ("c.j 0x1000", 0xa001, Flow::Halt, false),
        ("c.j 0xff6", 0xbfdd, Flow::Jump(0xff6), false),
        ("bgeu t0, t1, 0x100c", 0x0062_f663, Flow::Jump(0x100c), true),
        ("c.bnez s0, 0xfd0", 0xf861, Flow::Jump(0xfd0), true),
        ("c.jr ra", 0x8082, Flow::Return, false),
        ("c.jr t0", 0x8282, Flow::Return, false),
        ("c.jr a0", 0x8502, Flow::JumpRegister, false),
        ("c.jalr t0", 0x9282, Flow::CallRegister, false),
        ("jalr zero, 50(t1)", 0x0323_0067, Flow::JumpRegister, false),
        ("jalr ra, 1926(ra)", 0x7860_80e7, Flow::CallRegister, false),
        ("c.ebreak", 0x9002, Flow::Halt, false),
        ("c.unimp", 0x0000, Flow::Halt, false),
        ("mret", 0x3020_0073, Flow::Return, false),
    ];
    for (text, word, flow, conditional) in cases {
        let instruction = of(word);
        assert_eq!((instruction.flow, instruction.conditional), (flow, conditional), "{text}");
    }
    assert_eq!(of(0x0323_0067).through, Some((6, 50)));
    assert_eq!(of(0x7860_80e7).link, Some(1));
    assert_eq!(of(0x9282).text, "jalr ra, 0(t0)");
}

#[test]
fn registers_become_what_instructions_say() {
    let number = |to, number| Effect::Move { to, from: Source::Number(number), is_inverted: false };
    let sum = |to, first, second| Effect::Compute { operation: Operation::Add, to, first, second };
    let load = |base, register, offset, bytes, is_signed| Transfer {
        is_load: true,
        base,
        index: None,
        moves: 0,
        registers: vec![(register, offset)],
        bytes,
        is_signed,
    };
    let cases: [(&str, u32, Effect); 21] = [
        ("c.addi16sp sp, -48", 0x7179, sum(2, 2, Source::Number(48_u32.wrapping_neg()))),
        ("c.addi sp, -16", 0x1141, sum(2, 2, Source::Number(16_u32.wrapping_neg()))),
        ("addi sp, sp, -1272", 0xb081_0113, sum(2, 2, Source::Number(1272_u32.wrapping_neg()))),
        ("c.addi4spn a0, sp, 16", 0x0808, sum(10, 2, Source::Number(16))),
        ("c.mv sp, a0", 0x812a, Effect::Move { to: 2, from: Source::Register(10), is_inverted: false }),
        ("c.add a2, s3", 0x964e, sum(12, 12, Source::Register(19))),
        ("c.li a1, -1", 0x55fd, number(11, u32::MAX)),
        ("lui a2, 0x80006", 0x8000_6637, number(12, 0x8000_6000)),
        ("auipc t1, 0x401", 0x0040_1317, number(6, 0x0040_2000)),
        ("c.slli a0, 2", 0x050a, Effect::Move { to: 10, from: Source::Shifted(10, 2), is_inverted: false }),
        ("c.lw a2, 0(a2)", 0x4210, Effect::Transfer(load(12, 12, 0, 4, false))),
        ("lb s6, 55(s5)", 0x037a_8b03, Effect::Transfer(load(21, 22, 55, 1, true))),
        (
            "c.swsp ra, 4(sp)",
            0xc206,
            Effect::Transfer(Transfer { is_load: false, ..load(2, 1, 4, 4, false) }),
        ),
        ("c.beqz a0, 0x1000", 0xc101, Effect::IfZero { register: 10, is_zero: true }),
        ("csrrw sp, mscratch, sp", 0x3401_1173, Effect::Special { to: 2, register: FRAME }),
        ("csrrw t0, mscratch, zero", 0x3400_12f3, Effect::Writes { registers: bit(5), reads: bit(0) }),
        ("csrr a0, mcause", 0x3420_2573, Effect::Special { to: 10, register: EXCEPTION }),
        ("bgeu t0, t1, 0x100c", 0x0062_f663, Effect::Compare { first: 5, second: Source::Register(6) }),
        ("nop", 0x0000_0013, Effect::Nothing),
        ("sc.w a1, s3, (s9)", 0x193c_a5af, Effect::Writes { registers: bit(11), reads: bit(19) | bit(25) }),
        ("lr.w a0, (s9)", 0x100c_a52f, Effect::Transfer(load(25, 10, 0, 4, false))),
    ];
    for (text, word, effect) in cases {
        assert_eq!(of(word).effect, effect, "{text}");
    }
}

#[test]
fn branches_go_under_a_condition() {
    let conditions = [
        ("beq a0, a1", 0x00b5_0463, Some(EQUAL)),
        ("bne a0, a1", 0x00b5_1463, Some(EQUAL | 1)),
        ("blt a0, a1", 0x00b5_4463, Some(GREATER_OR_EQUAL | 1)),
        ("bge a0, a1", 0x00b5_5463, Some(GREATER_OR_EQUAL)),
        ("bltu a0, a1", 0x00b5_6463, Some(HIGHER_OR_SAME | 1)),
        ("bgeu a0, a1", 0x00b5_7463, Some(HIGHER_OR_SAME)),
        // Whether it is zero needs no comparison.
        ("beqz a0", 0x0005_0463, None),
        ("bnez a0", 0x0005_1463, None),
        ("bgez a0", 0x0005_5463, Some(GREATER_OR_EQUAL)),
        ("j 0x1008", 0x0080_006f, None),
    ];
    for (text, word, condition) in conditions {
        assert_eq!(of(word).condition, condition, "{text}");
    }
}

#[test]
fn what_is_none_is_refused_and_nothing_panics() {
    for (text, word) in [
        ("of 64 bits: c.ld", 0x6000),
        ("c.lwsp zero, 0(sp)", 0x4002),
        ("c.addi16sp of nothing", 0x6101),
        ("a shift by more than 31", 0x0200_1013),
        ("all ones", u32::MAX),
        ("a load of eight bytes", 0x0000_3003),
    ] {
        assert!(decode(&word.to_le_bytes(), 0).is_err(), "{text}");
    }
    assert!(decode(&[0x13], 0).is_err() && decode(&[0x13, 0], 0).is_err() && decode(&[], 0).is_err());
    for half in 0..=u16::MAX {
        let _ = decode(&half.to_le_bytes(), u32::MAX - 1);
        for high in [0_u16, 0x00ff, 0x8000, 0xffff, half.rotate_left(7)] {
            let [one, two] = half.to_le_bytes();
            let [three, four] = high.to_le_bytes();
            let _ = decode(&[one, two, three, four], 4);
        }
    }
}
