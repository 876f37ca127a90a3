//! The interrupted registers of a signal handler on aarch64.

use corosensei::trap::TrapHandlerRegs;
use libc::{siginfo_t, ucontext_t};

/// The stack pointer.
pub(super) fn stack_pointer(context: &ucontext_t) -> usize {
    context.uc_mcontext.sp as usize
}

/// The address of the interrupted instruction.
pub(super) fn instruction(context: &ucontext_t) -> usize {
    context.uc_mcontext.pc as usize
}

/// Never here: privileged instructions are illegal instructions on aarch64.
pub(super) fn is_general_protection(_information: &siginfo_t) -> bool {
    false
}

/// Makes the interrupted code go on with these registers.
pub(super) fn redirect(context: &mut ucontext_t, registers: TrapHandlerRegs) {
    let TrapHandlerRegs { pc, sp, x0, x1, x29, lr } = registers;
    let machine = &mut context.uc_mcontext;
    (machine.pc, machine.sp) = (pc, sp);
    for (place, value) in [(0, x0), (1, x1), (29, x29), (30, lr)] {
        machine.regs[place] = value;
    }
}
