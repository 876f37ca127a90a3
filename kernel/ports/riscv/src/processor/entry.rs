//! Every trap comes in here and leaves here, and the first thread begins here.
//!
//! ```text
//!   reset --> _start --> main --> beryl_begin ---+
//!                                                v
//!   user mode --trap--> beryl_trap            context --> mret --> user mode
//!                         |  registers into       ^
//!                         v  the thread's own     |  the next thread's
//!                       beryl_...(a0 to a4) ------+
//! ```
//!
//! Traps don't nest: machine mode has its interrupts off. While a thread runs, `mscratch` has the address of its context;
//! while the kernel does, it has zero, so a trap of the kernel itself is told by it, and never comes back.
//!
//! Nothing is put on a thread's own stack. At a trap those registers are kept that a function may change; the others stay
//! where they are, since the kernel's functions give them back, and are kept only when another thread gets the processor.
//! A call's arguments are still in their registers when its function begins: those that can often be done at once have
//! functions of their own. Each function answers the context of the thread that is to go on, or zero if that is the same.

use core::arch::global_asm;

use beryl_abi::CallNumber;

use crate::facts::CAUSES;
use crate::pmp::FIXED_REGIONS;

/// The entry code, with a way to each call of the [table](beryl_abi::each_call).
macro_rules! entry {
    ($($(#[doc = $text:literal])+ $name:ident = $number:literal, $needs:ident, $way:tt, $registers:tt, $answers:literal;)+) => {
        global_asm!(
            ".section .text.beryl_start, \"ax\", %progbits",
            ".global _start",
            "_start:",
            "csrw  mie, zero",
            // Whoever is returned to next is in user mode.
            "csrw  mstatus, zero",
            "csrw  mscratch, zero",
            "la    t0, beryl_trap",
            "csrw  mtvec, t0",
            "la    sp, _beryl_stack",
            // The kernel's variables begin with zero.
            "la    t0, __sbss",
            "la    t1, __ebss",
            "1: bgeu t0, t1, 2f",
            "sw    zero, 0(t0)",
            "addi  t0, t0, 4",
            "j     1b",
            "2: j  main",
            ".section .text.beryl_entry, \"ax\", %progbits",
            ".global beryl_trap, beryl_begin",
            ".type beryl_trap, @function",
            ".type beryl_begin, @function",
            // Boot's last act: its stack is given up, and the first thread runs.
            "beryl_begin: la sp, _beryl_stack",
            "jal   beryl_start",
            "j     .Lresume",
            ".size beryl_begin, . - beryl_begin",
            ".balign 4",
            "beryl_trap:",
            "csrrw sp, mscratch, sp",
            "beqz  sp, .Lkernel",
            each!(scratch, "sw x\\n, 4 * \\n(sp)"),
            "csrrw t0, mscratch, zero",
            "sw    t0, 8(sp)",
            "csrr  t0, mepc",
            "csrr  t1, mcause",
            // The word at the top of the kernel's stack says whose registers these are.
            "mv    t2, sp",
            "la    sp, _beryl_stack",
            "sw    t2, 0(sp)",
            "li    t3, {call}",
            "bne   t1, t3, .Lother",
            // A call goes on behind its instruction.
            "addi  t0, t0, 4",
            "sw    t0, 0(t2)",
            "li    t3, {calls}",
            "bgeu  a0, t3, .Lcall",
            "la    t0, .Lways",
            "slli  t1, a0, 2",
            "add   t0, t0, t1",
            "lw    t0, 0(t0)",
            "jalr  t0",
            // a0 is the context to go on with, or zero.
            ".Lleave:",
            "lw    t0, 0(sp)",
            "beqz  a0, .Lstays",
            "beq   a0, t0, .Lsame",
            // The processor goes from one thread to another: what functions leave alone, then what it may touch.
            each!(kept, "sw x\\n, 4 * \\n(t0)"),
            ".Lresume:",
            "lw    s0, 128(a0)",
            "lw    t0, 0(s0)",
            "lw    t1, 4(s0)",
            "lw    t2, 8(s0)",
            "lw    t3, 12(s0)",
            "lw    t4, 16(s0)",
            "lw    t5, 20(s0)",
            "lw    t6, 24(s0)",
            "csrw  pmpcfg0, t0",
            "csrw  pmpcfg1, t1",
            "csrw  pmpcfg2, t2",
            "csrw  pmpaddr0, t3",
            "csrw  pmpaddr1, t4",
            "csrw  pmpaddr2, t5",
            "csrw  pmpaddr3, t6",
            "lw    t0, 28(s0)",
            "lw    t1, 32(s0)",
            "lw    t2, 36(s0)",
            "lw    t3, 40(s0)",
            "lw    t4, 44(s0)",
            "lw    t5, 48(s0)",
            "csrw  pmpaddr4, t0",
            "csrw  pmpaddr5, t1",
            "csrw  pmpaddr6, t2",
            "csrw  pmpaddr7, t3",
            "csrw  pmpaddr8, t4",
            "csrw  pmpaddr9, t5",
            each!(kept, "lw x\\n, 4 * \\n(a0)"),
            ".Lsame:",
            "csrw  mscratch, a0",
            "lw    t0, 0(a0)",
            "csrw  mepc, t0",
            "mv    sp, a0",
            each!(scratch, "lw x\\n, 4 * \\n(sp)"),
            "lw    sp, 8(sp)",
            "mret",
            ".Lcall:",
            "jal   beryl_call",
            "j     .Lleave",
            // Interrupts have the highest bit of the cause.
            ".Lother:",
            "sw    t0, 0(t2)",
            "mv    a0, t1",
            "bltz  t1, .Linterrupt",
            "csrr  a1, mtval",
            "jal   beryl_fault",
            "j     .Lleave",
            ".Linterrupt:",
            "jal   beryl_interrupt",
            "j     .Lleave",
            // A call that does what it says leaves its caller's registers alone.
            "beryl_null:",
            ".Lstays:",
            "lw    a0, 0(sp)",
            "j     .Lsame",
            ".Lkernel:",
            "la    sp, _beryl_stack",
            "csrr  a0, mcause",
            "csrr  a1, mepc",
            "j     beryl_fatal",
            ".size beryl_trap, . - beryl_trap",
            ".section .rodata.beryl_ways, \"a\", %progbits",
            ".balign 4",
            ".Lways:",
            $(concat!(".word ", way!($way)),)+
            call = const CAUSES[0],
            calls = const CallNumber::ALL.len(),
        );
    };
}

/// An instruction for each of the registers that a function may change, or that it leaves alone: `x`n is word n of a context.
macro_rules! each {
    (scratch, $instruction:literal) => {
        each!("1, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29, 30, 31", $instruction)
    };
    (kept, $instruction:literal) => {
        each!("8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27", $instruction)
    };
    ($registers:literal, $instruction:literal) => {
        concat!(".irp n, ", $registers, "\n", $instruction, "\n.endr")
    };
}

/// Where a call goes.
macro_rules! way {
    (_) => {
        "beryl_call"
    };
    ($function:ident) => {
        concat!("beryl_", stringify!($function))
    };
}

beryl_abi::each_call!(entry);

/// Ten address and three configuration registers are switched: five regions.
const _: () = assert!(FIXED_REGIONS == 2, "the switch loads what the layout has");
