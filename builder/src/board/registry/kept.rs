//! What a debugger is told of the threads of each processor: what its port keeps of them.

use beryl_riscv::facts;

use crate::board::processor::Kept;

/// Arm's: an exception puts a frame on the thread's stack, and the port keeps the stack pointer and what isn't in the frame.
pub const ARM: Kept = Kept {
    architecture: "arm",
    length: 40,
    stack_pointer: 0,
    commands: include_str!("../../debugged/arm.gdb"),
};

/// RISC-V's: all registers are in the port's memory, register n at word n.
pub const RISCV: Kept = Kept {
    architecture: "riscv:rv32",
    length: facts::CONTEXT,
    stack_pointer: 2,
    commands: include_str!("../../debugged/riscv.gdb"),
};
