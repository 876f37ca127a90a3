//! What the fault status registers say, in the kernel's terms.

use beryl_abi::{Fault, FaultKind};

/// The registers of a fault of user mode.
#[derive(Clone, Copy, Debug)]
pub struct Status {
    /// The number of the exception that reported it.
    pub exception: u32,
    /// CFSR: what was wrong.
    pub causes: u32,
    /// MMFAR: the address that the protection unit refused, if `causes` says that it is valid.
    pub protected: u32,
    /// BFAR: the address that the bus refused, likewise.
    pub bus: u32,
    /// The thread's stack pointer: where its frame is, or should be; 0 if it hasn't any, which only Armv8-M knows.
    pub stack_pointer: u32,
    /// The lowest address of the thread's stack.
    pub stack_bottom: u32,
    /// The address behind its stack.
    pub stack_top: u32,
}

/// Below its stack a thread's accesses count as overflow up to this distance, in bytes.
pub const GUARD: u32 = 256;
/// From here on lies the system's own register space, which user mode may not touch.
pub const SYSTEM_SPACE: u32 = 0xE000_0000;
/// `udf #0xBE`: how application code says that it has panicked.
pub const PANIC: u16 = 0xDEBE;

/// The hard fault: of user mode, a breakpoint without a debugger.
const HARD_FAULT: u32 = 3;
/// Bytes of what an exception puts on the stack.
const FRAME: u32 = 32;
/// The most bytes that one instruction pushes: r0 to r12 and lr.
const PUSHED: u32 = 14 * 4;

/// In Armv8-M: the stack pointer was to go below its limit.
pub const STACK_LIMIT: u32 = 1 << 20;

const EXECUTE: u32 = 1;
const DATA: u32 = 1 << 1;
const STACKING: u32 = 1 << 3 | 1 << 4 | 1 << 11 | 1 << 12;
const PROTECTED_VALID: u32 = 1 << 7;
const BUS_FETCH: u32 = 1 << 8;
const BUS_PRECISE: u32 = 1 << 9;
const BUS_IMPRECISE: u32 = 1 << 10;
const BUS_VALID: u32 = 1 << 15;
const UNDEFINED: u32 = 1 << 16;
const NO_COPROCESSOR: u32 = 1 << 19;

impl Status {
    /// Whether there is no frame to read: the thread's registers were not stacked, because its stack pointer was
    /// bad, or not on its stack. What a device has taken isn't what it answers.
    #[must_use]
    pub fn is_without_frame(&self) -> bool {
        let end = self.stack_pointer.saturating_add(FRAME);
        self.causes & STACKING != 0 || self.stack_pointer < self.stack_bottom || end > self.stack_top
    }

    /// The fault. `instruction` is the stacked program counter, or nothing without a frame; `code` reads the
    /// instruction there; it is asked only where the instruction was fetched before.
    #[must_use]
    pub fn decode(&self, instruction: Option<u32>, code: impl FnOnce(u32) -> u16) -> Fault {
        let fault = |kind, address, instruction| Fault { kind, address, instruction };
        let caused = |bits| self.causes & bits != 0;
        let Some(instruction) = instruction else {
            let is_overflow = self.is_guard(self.stack_pointer);
            let kind = if is_overflow { FaultKind::StackOverflow } else { FaultKind::StackPointer };
            return fault(kind, self.stack_pointer, 0);
        };
        if caused(EXECUTE) {
            return fault(FaultKind::Execute, instruction, 0);
        }
        if caused(DATA) {
            let address = if caused(PROTECTED_VALID) { self.protected } else { 0 };
            return fault(self.data_kind(address), address, instruction);
        }
        if caused(BUS_PRECISE) {
            let address = if caused(BUS_VALID) { self.bus } else { 0 };
            let kind = if address >= SYSTEM_SPACE { FaultKind::Privilege } else { FaultKind::Bus };
            return fault(kind, address, instruction);
        }
        if caused(BUS_FETCH) {
            return fault(FaultKind::Bus, instruction, 0);
        }
        if caused(BUS_IMPRECISE) {
            return fault(FaultKind::Bus, 0, 0);
        }
        if caused(UNDEFINED) && code(instruction) == PANIC {
            return fault(FaultKind::Panic, 0, instruction);
        }
        if caused(UNDEFINED | NO_COPROCESSOR) || self.exception == HARD_FAULT {
            return fault(FaultKind::Instruction, 0, instruction);
        }
        fault(FaultKind::Usage, 0, instruction)
    }

    /// The fault, if it is one that only Armv8-M tells. Without any stack pointer the thread had left the secure state.
    #[must_use]
    pub fn told_by_limits(&self, instruction: Option<u32>) -> Option<Fault> {
        let kind = match instruction {
            None if self.stack_pointer == 0 => FaultKind::Instruction,
            _ if self.causes & STACK_LIMIT != 0 => FaultKind::StackOverflow,
            _ => return None,
        };
        Some(Fault { kind, address: self.stack_pointer, instruction: instruction.unwrap_or(0) })
    }

    /// Whether an address is just below the thread's stack.
    const fn is_guard(&self, address: u32) -> bool {
        address < self.stack_bottom && address >= self.stack_bottom.saturating_sub(GUARD)
    }

    /// What lies just below a stack is another one most of the time. A refused access there is an overflow if it was
    /// made through the stack pointer: no further below it than one instruction pushes.
    const fn data_kind(&self, address: u32) -> FaultKind {
        let lowest = self.stack_pointer.wrapping_add(FRAME).saturating_sub(PUSHED);
        if self.is_guard(address) && address >= lowest { FaultKind::StackOverflow } else { FaultKind::Data }
    }
}

#[cfg(test)]
mod tests;
