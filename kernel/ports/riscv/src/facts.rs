//! What those who build for this port must know of it: its crate, its compilers, and what it keeps of a thread.

/// The name of its crate.
pub const PACKAGE: &str = "beryl-riscv";
/// The same in Rust.
pub const MODULE: &str = "beryl_riscv";
/// Where the crate is in Beryl's source.
pub const FOLDER: &str = "kernel/ports/riscv";
/// The compiler's name of the target.
pub const TARGET: &str = "riscv32imac-unknown-none-elf";
/// What the compiler of kernels is told. It would copy a jump through a table to each place that leads to it, and the kernel's loop
/// of steps would have as many beginnings as that has arms: nobody could say how often it goes round.
pub const KERNEL_OPTIONS: [&str; 2] = ["-C", "llvm-args=-tail-dup-indirect-size=1"];
/// The compiler for functions in C, a package of Debian.
pub const C_COMPILER: &str = "riscv64-unknown-elf-gcc";
/// What it is told: the same processor as [`TARGET`], and no variables that are reached through a register, which nobody sets.
pub const C_OPTIONS: [&str; 6] = [
    "-march=rv32imac",
    "-mabi=ilp32",
    "-msmall-data-limit=0",
    "-Os",
    "-fno-exceptions",
    "-fno-stack-protector",
];
/// The instruction that waits for an interrupt, and one as long that does nothing.
pub const WAITS: [&[u8]; 2] = [&[0x73, 0x00, 0x50, 0x10], &[0x13, 0x00, 0x00, 0x00]];
/// The instruction that enters the kernel.
pub const ENTERS: &str = "ecall";
/// The registers of a call's number, and of its arguments.
pub const CALL_REGISTERS: [&str; 5] = ["a0", "a1", "a2", "a3", "a4"];
/// Where every trap comes in, and leaves.
pub const TRAP: &str = "beryl_trap";
/// Where the first step begins.
pub const BEGIN: &str = "beryl_begin";
/// The causes of traps: a call, the alarm, the interrupt controller.
pub const CAUSES: [u32; 3] = [8, 1 << 31 | 7, 1 << 31 | 11];
/// The lowest bits of a cause that tell faults apart, of which the others are zero; a call has another one.
pub const FAULTS: u32 = 3;
/// The registers in a crash record, in its order: the frame, the others. With the stack pointer, which a record has anyway,
/// they are those in which a function has its arguments and what it keeps across calls, but for the last six of these.
pub const WRITTEN_DOWN: [[&str; 8]; 2] =
    [["pc", "ra", "a0", "a1", "a2", "a3", "a4", "a5"], ["a6", "a7", "s0", "s1", "s2", "s3", "s4", "s5"]];
/// Bytes that the port keeps of a thread: its registers, and where its entries of the protection unit are.
pub const CONTEXT: u32 = 132;
/// What a stack pointer is a multiple of where functions begin, by the calling convention.
pub const STACK_ALIGNMENT: u32 = 16;
