//! What a trap's cause says, in the kernel's terms (RISC-V privileged architecture, table 3.6).

use beryl_abi::{Fault, FaultKind};

/// The registers of a fault of user mode.
#[derive(Clone, Copy, Debug)]
pub struct Status {
    /// `mcause`: what was wrong.
    pub cause: u32,
    /// `mtval`: the address, where it is about one.
    pub value: u32,
    /// Where the instruction is.
    pub instruction: u32,
    /// The thread's stack pointer.
    pub stack_pointer: u32,
    /// The lowest address of the thread's stack.
    pub stack_bottom: u32,
}

/// How application code says that it has panicked: it writes to a register that can only be read, and that there isn't
/// (`csrw 0xcbe, zero`).
pub const PANIC: u32 = 0xCBE0_1073;

const FETCH: u32 = 1;
const ILLEGAL: u32 = 2;
const BREAKPOINT: u32 = 3;
const LOAD: u32 = 5;
const STORE: u32 = 7;

impl Status {
    /// Whether user mode was refused a read, or a write; nothing if it was no access to data.
    #[must_use]
    pub const fn is_write(&self) -> Option<bool> {
        match self.cause {
            LOAD => Some(false),
            STORE => Some(true),
            _ => None,
        }
    }

    /// The fault. `is_let` says whether the protection unit lets the thread do what it did: then it was the bus that
    /// refused it. `code` reads the instruction; it is asked only where the instruction was fetched before.
    #[must_use]
    pub fn decode(&self, is_let: bool, code: impl FnOnce(u32) -> u32) -> Fault {
        let fault = |kind, address, instruction| Fault { kind, address, instruction };
        match self.cause {
            FETCH => fault(FaultKind::Execute, self.value, 0),
            LOAD | STORE if is_let => fault(FaultKind::Bus, self.value, self.instruction),
            LOAD | STORE => fault(self.data_kind(), self.value, self.instruction),
            ILLEGAL if code(self.instruction) == PANIC => fault(FaultKind::Panic, 0, self.instruction),
            ILLEGAL | BREAKPOINT => fault(FaultKind::Instruction, 0, self.instruction),
            _ => fault(FaultKind::Usage, self.value, self.instruction),
        }
    }

    /// A function makes room on its stack first and fills it then: what is refused between the stack pointer and the
    /// stack's lowest address is an overflow. With its stack pointer on its stack, a thread reaches there only otherwise.
    const fn data_kind(&self) -> FaultKind {
        let is_overflow = self.stack_pointer <= self.value && self.value < self.stack_bottom;
        if is_overflow { FaultKind::StackOverflow } else { FaultKind::Data }
    }
}

#[cfg(test)]
mod tests;
