//! Deepest stacks of assembly for RISC-V, each counted by hand.

mod program;

use std::collections::BTreeMap;

use beryl_code::stack::{Stacks, Unknown};
use beryl_code::{Image, image};
use program::{compile_for, plain_assembly};

const TARGET: &str = "riscv32imac-unknown-none-elf";

/// Name, code, and the bytes that it needs at most.
const COUNTED: &[(&str, &str, u32)] = &[
    ("leaf", "li a0, 1\n ret", 0),
    ("makes_room", "addi sp, sp, -32\n sw ra, 28(sp)\n lw ra, 28(sp)\n addi sp, sp, 32\n ret", 32),
    ("little_room", "addi sp, sp, -16\n addi sp, sp, 16\n ret", 16),
    // More than an instruction has bits for: by a register.
    ("much_room", "li t0, 5000\n sub sp, sp, t0\n li t0, 5000\n add sp, sp, t0\n ret", 5000),
    ("much_room_by_a_sum", "lui t0, 0xffffe\n add sp, sp, t0\n lui t0, 2\n add sp, t0, sp\n ret", 8192),
    // 16, and 32 of the deeper call; near and far.
    ("calls", "addi sp, sp, -16\n jal ra, leaf\n call makes_room\n addi sp, sp, 16\n ret", 48),
    ("calls_two_deep", "addi sp, sp, -16\n call calls\n addi sp, sp, 16\n ret", 64),
    // Its own room is given back before the other function takes it.
    ("tail_call", "addi sp, sp, -16\n addi sp, sp, 16\n tail makes_room", 32),
    ("near_tail_call", "j little_room", 16),
    ("conditional_tail_call", "bnez a0, 1f\n tail calls\n1: ret", 48),
    ("late_room", "beqz a0, 1f\n addi sp, sp, -64\n addi sp, sp, 64\n1: ret", 64),
    ("early_return", "addi sp, sp, -16\n bltu a0, a1, 1f\n addi sp, sp, 16\n ret\n1: addi sp, sp, -48\n addi sp, sp, 64\n ret", 64),
    ("rounds", "addi sp, sp, -16\n li s0, 3\n1: call little_room\n addi s0, s0, -1\n bnez s0, 1b\n addi sp, sp, 16\n ret", 32),
    // The frame pointer brings back what was taken, whatever that was; 31 to align it at most.
    (
        "aligns",
        "addi sp, sp, -16\n sw s0, 8(sp)\n addi s0, sp, 16\n andi sp, sp, -32\n addi sp, s0, -16\n lw s0, 8(sp)
            addi sp, sp, 16\n ret",
        47,
    ),
    (
        "switch",
        "addi sp, sp, -16\n li a1, 2\n bltu a1, a0, 9f\n slli a0, a0, 2\n lui a1, %hi(.Ltable)\n addi a1, a1, %lo(.Ltable)
            add a0, a0, a1\n lw a0, 0(a0)\n jr a0\n1: call much_room\n j 9f\n2: call makes_room\n9: addi sp, sp, 16\n ret
            .section .rodata.switch,\"a\"\n .p2align 2\n.Ltable: .word 2b, 9b, 1b\n .word leaf\n .section .text.switch,\"ax\"",
        5016,
    ),
    // As compilers do for a loop: the table's address stays in a register over calls.
    (
        "switch_in_a_loop",
        "addi sp, sp, -16\n lui s1, %hi(.Lother)\n addi s1, s1, %lo(.Lother)\n1: call leaf\n andi a0, a0, 1\n slli a0, a0, 2
            add a0, a0, s1\n lw a0, 0(a0)\n jr a0\n2: call makes_room\n j 1b\n3: addi sp, sp, 16\n ret
            .section .rodata.other,\"a\"\n .p2align 2\n.Lother: .word 2b, 3b\n .section .text.switch_in_a_loop,\"ax\"",
        48,
    ),
    // A piece of code that several functions share has a register of its own to come back by.
    ("shares", "addi sp, sp, -16\n call t0, shared\n addi sp, sp, 16\n ret", 16),
    ("shared", "sw ra, 4(sp)\n jr t0", 0),
    ("waits_for_ever", "addi sp, sp, -16\n j .", 16),
    ("traps", "addi sp, sp, -16\n unimp", 16),
    // What stands behind a call that never comes back isn't reached.
    ("never_back", "addi sp, sp, -16\n call traps\n .word 0xffffffff", 32),
    ("through_a_register", "addi sp, sp, -16\n jalr a3\n addi sp, sp, 16\n ret", 48),
    ("circle", "addi sp, sp, -16\n call circle_again\n addi sp, sp, 16\n ret", 0),
    ("circle_again", "addi sp, sp, -16\n call circle\n addi sp, sp, 16\n ret", 0),
    ("computes", "sub sp, sp, a0\n add sp, sp, a0\n ret", 0),
    ("swaps", "csrrw sp, mscratch, sp\n ret", 0),
    ("grows_in_rounds", "1: addi sp, sp, -16\n addi a1, a1, -1\n bnez a1, 1b\n ret", 0),
    ("keeps_room", "addi sp, sp, -16\n ret", 0),
    // What the table's register holds depends on the way.
    ("two_tables", "beqz a0, 1f\n lui a1, %hi(.Ltable)\n addi a1, a1, %lo(.Ltable)\n1: add a0, a0, a1\n lw a0, 0(a0)\n jr a0", 0),
    ("no_instruction", ".word 0xffffffff", 0),
];

const UNKNOWN: [&str; 8] = [
    "circle",
    "circle_again",
    "computes",
    "swaps",
    "grows_in_rounds",
    "keeps_room",
    "two_tables",
    "no_instruction",
];

#[test]
fn stacks_are_as_deep_as_counted() {
    let functions: Vec<_> = COUNTED.iter().map(|(name, body, _)| (*name, *body)).collect();
    let names: Vec<_> = COUNTED.iter().map(|(name, ..)| *name).collect();
    let program = compile_for(TARGET, "riscv", "s", &names, &plain_assembly(&functions));
    let file = image::parse(&program.elf).expect("an image");
    let image = Image::new(&file).expect("symbols");
    let indirect =
        BTreeMap::from([("through_a_register".to_owned(), vec!["makes_room".to_owned(), "leaf".to_owned()])]);
    let mut stacks = Stacks::new(&image, &indirect).expect("names that are there");
    for (name, _, bytes) in COUNTED.iter().filter(|(name, ..)| !UNKNOWN.contains(name)) {
        assert_eq!(stacks.depth(name), Ok(*bytes), "{name}");
    }
    let why = UNKNOWN.map(|name| stacks.depth(name).expect_err(name));
    let circle = ["circle", "circle_again", "circle"].map(str::to_owned).to_vec();
    assert_eq!(why[0], Unknown::Recursion(circle));
    for (name, why) in UNKNOWN.iter().zip(&why).skip(2).take(4) {
        assert!(matches!(why, Unknown::Computed { function, .. } if function == name), "{name}: {why}");
    }
    assert!(matches!(&why[6], Unknown::Indirect { instruction, .. } if instruction == "jalr zero, 0(a0)"));
    assert!(matches!(&why[7], Unknown::Unreadable { .. }), "{}", why[7]);

    let mut stacks = Stacks::new(&image, &BTreeMap::new()).expect("no names");
    let why = stacks.depth("through_a_register").expect_err("nobody says where it leads");
    assert!(
        matches!(&why, Unknown::Indirect { instruction, .. } if instruction == "jalr ra, 0(a3)"),
        "{why}"
    );
}
