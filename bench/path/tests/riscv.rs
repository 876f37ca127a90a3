//! Longest paths through code for RISC-V, each counted by hand.

#[path = "../../../kernel/ports/code/tests/program/mod.rs"]
mod program;

use std::sync::LazyLock;

use beryl_path::{Entry, Facts, Request, forbidden_symbols, longest_step};
use program::{Program, compile, compile_for, plain_assembly};

/// Two jumps through one table, where it begins and where it has been gone through: the linker must leave far calls far.
const BY_TABLE: &str = ".option norelax\n li t1, 3\n bgeu a0, t1, 9f\n lla t0, 1f\n slli t1, a0, 2\n add t0, t0, t1\n\
    lw a1, 0(t0)\n jr a1\n2: nop\n ret\n3: nop\n nop\n ret\n4: nop\n nop\n nop\n ret\n9: ret\n\
    .pushsection .rodata.by_table,\"a\"\n .balign 4\n1: .word 2b, 3b, 4b\n .popsection";

/// The same table across a multiple of 4096, which is what an address begins with that is loaded in two halves: its fourth word
/// leads to the longest of its ways.
const ACROSS: &str = ".option norelax\n li t1, 4\n bgeu a0, t1, 9f\n lui t0, %hi(1f)\n addi t0, t0, %lo(1f)\n slli t1, a0, 2\n\
    add t0, t0, t1\n lw a1, 0(t0)\n jr a1\n2: ret\n3: nop\n ret\n4: .rept 30\n nop\n .endr\n ret\n9: ret\n\
    .pushsection .rodata.across,\"a\"\n .balign 4096\n .zero 4092\n1: .word 2b, 3b, 2b, 4b\n .popsection";

/// What a trap may be: a call goes on behind its number, everything else to thirty.
const TRAP: &str = "csrrw sp, mscratch, sp\n beqz sp, 9f\n sw a0, 40(sp)\n csrr t0, mcause\n li t1, 8\n bne t0, t1, 8f\n\
    li t2, 5\n beq a0, t2, 7f\n .rept 20\n nop\n .endr\n7: mret\n8: .rept 30\n nop\n .endr\n mret\n\
    9: .rept 40\n nop\n .endr\n mret";

/// A trap that takes a stack of its own and calls by a table what its caller asked for, which reads the number again.
const CALLS: &str = ".option norelax\n csrrw sp, mscratch, sp\n sw a0, 40(sp)\n mv a1, sp\n lla sp, 9f\n lla t0, 1f\n slli t1, a0, 2\n\
    add t0, t0, t1\n lw t0, 0(t0)\n jalr t0\n mret\n\
    .pushsection .rodata.calls,\"a\"\n .balign 4\n1: .word short, reads, long\n .word 0\n9:\n .popsection";

/// Name, code, and the longest path of all.
const COUNTED: &[(&str, &str, u64)] = &[
    ("straight", "li a0, 1\n addi a0, a0, 1\n ret", 3),
    // beqz, li, li, j, ret.
    ("choice", "beqz a0, 1f\n li a1, 1\n li a1, 2\n j 2f\n1: nop\n nop\n2: ret", 5),
    // A branch compares two registers, and whoever is the same as a number is that number: li, bne, nine, beq, ret.
    (
        "the_same_twice",
        "li a1, 1\n bne a0, a1, 1f\n .rept 9\n nop\n .endr\n1: beq a0, a1, 2f\n .rept 7\n nop\n .endr\n2: ret",
        2 + 9 + 2,
    ),
    // li, bltu, nine, li, bgeu, ret: below four is no more than seven.
    (
        "below",
        "andi a0, a0, 3\n li a1, 4\n bgeu a0, a1, 1f\n .rept 9\n nop\n .endr\n ret\n1: .rept 20\n nop\n .endr\n ret",
        3 + 9 + 1,
    ),
    // What has its highest bit is negative: lui, bltz, two, ret.
    (
        "negative",
        "lui a1, 0x80000\n or a0, a0, a1\n bgez a0, 1f\n nop\n nop\n ret\n1: .rept 9\n nop\n .endr\n ret",
        6,
    ),
    // A far call is two instructions, of which the second goes through a register.
    (
        "far_call",
        ".option norelax\n addi sp, sp, -16\n sw ra, 12(sp)\n call straight\n lw ra, 12(sp)\n addi sp, sp, 16\n ret",
        2 + 2 + 3 + 3,
    ),
    ("far_jump", ".option norelax\n nop\n tail far_call", 1 + 2 + 10),
    // What its caller keeps in its stack comes back, what functions may change doesn't.
    (
        "in_the_stack",
        "addi sp, sp, -16\n sw ra, 12(sp)\n li a1, 7\n sw a1, 0(sp)\n jal straight\n lw a1, 0(sp)\n li a2, 7\n \
         bne a1, a2, 1f\n j 2f\n1: .rept 9\n nop\n .endr\n2: lw ra, 12(sp)\n addi sp, sp, 16\n ret",
        5 + 3 + 4 + 3,
    ),
    ("by_table", BY_TABLE, 8 + 4),
    ("across", ACROSS, 8 + 31),
    // li, three rounds of three, ret.
    ("rounds", "li a0, 3\n1: nop\n addi a0, a0, -1\n bnez a0, 1b\n ret", 1 + 3 * 3 + 1),
    // Two up to the look; the look's four, which are fewer; without the boundary seven.
    (
        "looks",
        "nop\n nop\n1: csrr a0, mip\n beqz a0, 2f\n nop\n2: ret\n .pushsection .step_boundaries,\"\",%progbits\n .word 1b\n .popsection",
        4,
    ),
    ("short", "ret", 1),
    ("reads", "lw a0, 40(a1)\n li a2, 1\n beq a0, a2, 1f\n .rept 50\n nop\n .endr\n1: ret", 54),
    ("long", ".rept 90\n nop\n .endr\n ret", 91),
    ("trap", TRAP, 6 + 30 + 1),
    ("calls", CALLS, 12 + 91),
];

static PROGRAM: LazyLock<Program> = LazyLock::new(|| {
    let all: Vec<_> = COUNTED.iter().map(|(name, code, _)| (*name, *code)).collect();
    let names: Vec<_> = all.iter().map(|(name, _)| *name).collect();
    compile_for("riscv32imac-unknown-none-elf", "riscv", "s", &names, &plain_assembly(&all))
});

fn measure(entries: Vec<Entry>) -> Vec<u64> {
    let request = Request {
        entries,
        symbol_bounds: [("rounds".to_owned(), 2)].into(),
        source_roots: vec![PROGRAM.folder.clone()],
        ..Request::default()
    };
    let report = longest_step(&PROGRAM.elf, &request).expect("every path is bounded");
    report.steps.iter().map(|step| step.instructions).collect()
}

#[test]
fn longest_paths_equal_the_counts_by_hand() {
    let found = measure(COUNTED.iter().map(|(name, ..)| (*name).into()).collect());
    let names = COUNTED.iter().map(|(name, ..)| *name);
    let found: Vec<_> = names.clone().zip(found).collect();
    let expected: Vec<_> = names.zip(COUNTED.iter().map(|(.., count)| *count)).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_path_knows_which_trap_it_is_in() {
    let with = |symbol: &str, facts| Entry { facts, ..symbol.into() };
    let call = |number| Facts { call: Some(number), exception: Some(8), ..Facts::default() };
    let cause = |exception| Facts { exception: Some(exception), ..Facts::default() };
    // A trap of the kernel itself finds zero in its special register, so nobody goes to the forty. Three bits say which
    // fault it is, and a call is none of these.
    let fault = Facts { exception: Some(0), any: 3, ..Facts::default() };
    let any = Facts { exception: Some(8), any: 3, ..Facts::default() };
    let traps = [call(5), call(6), cause(0x8000_0007), fault, any, Facts::default()];
    let counted = [9, 29, 37, 37, 37, 37];
    assert_eq!(measure(traps.map(|facts| with("trap", facts)).into()), counted);
    // The number chooses in the table, and is found again where the trap has put it.
    let calls = [call(0), call(1), call(2)].map(|facts| with("calls", facts));
    assert_eq!(measure(calls.into()), [12 + 1, 12 + 4, 12 + 91]);
    let tables = [0, 1, 2, 3, 9].map(|number| with("by_table", call(number)));
    assert_eq!(measure(tables.into()), [10, 11, 12, 3, 3]);
}

/// A word that leads out of the function ends a table, and no processor needs to be named.
#[test]
fn tables_may_lead_to_blocks_of_their_function_only() {
    let code = ".option norelax\n lla t0, 1f\n slli a0, a0, 2\n add t0, t0, a0\n lw a1, 0(t0)\n jr a1\n2: ret\n3: nop\n ret\n\
        .pushsection .rodata.ends,\"a\"\n .balign 4\n1: .word 2b, 3b, elsewhere\n .popsection";
    let all = [("ends", code), ("elsewhere", ".rept 70\n nop\n .endr\n ret")];
    let names: Vec<_> = all.iter().map(|(name, _)| *name).collect();
    let program = compile_for("riscv32imac-unknown-none-elf", "ends", "s", &names, &plain_assembly(&all));
    let request = Request { entries: vec!["ends".into()], ..Request::default() };
    let report = longest_step(&program.elf, &request).expect("every path is bounded");
    assert_eq!(report.longest, 6 + 2);
    // The image says which processor it is for.
    let other = compile("arm", "s", &["handler"], &program::assembly(&[("handler", "movs r0, #1\n bx lr")]));
    let request = Request { entries: vec!["handler".into()], ..Request::default() };
    assert_eq!(longest_step(&other.elf, &request).expect("it is bounded").longest, 2);
}

/// Nobody comes back from a call of what never runs, which a far call turns out to be. So nothing behind it has to be known: not
/// even where something leads to which a table there has led.
#[test]
fn behind_a_call_of_what_never_runs_nothing_has_to_be_known() {
    let code = ".option norelax\n addi sp, sp, -16\n beqz a0, 5f\n sw ra, 12(sp)\n call never\n lla t0, 1f\n slli a0, s0, 2\n\
        add t0, t0, a0\n lw a1, 0(t0)\n jr a1\n2: ret\n3: call elsewhere\n ret\n5: .rept 30\n nop\n .endr\n addi sp, sp, 16\n ret\n\
        .pushsection .rodata.halts,\"a\"\n .balign 4\n1: .word 2b, 3b\n .popsection";
    let all = [("halts", code), ("never", "ret"), ("elsewhere", ".rept 70\n nop\n .endr\n ret")];
    let names: Vec<_> = all.iter().map(|(name, _)| *name).collect();
    let program = compile_for("riscv32imac-unknown-none-elf", "halts", "s", &names, &plain_assembly(&all));
    let excluded = forbidden_symbols(&program.elf, &["never"]).expect("it is there");
    let request = |excluded| Request { entries: vec!["halts".into()], excluded, ..Request::default() };
    let longest =
        |excluded| longest_step(&program.elf, &request(excluded)).expect("every path is bounded").longest;
    assert_eq!(longest(excluded), 2 + 30 + 2);
    // It runs: two, the far call with its way back, six of the table, a far call and its way back, and the end.
    assert_eq!(longest(Default::default()), 3 + 2 + 1 + 6 + 2 + 71 + 1);
}
