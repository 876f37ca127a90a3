//! The interrupted registers of a signal handler on x86_64.

use corosensei::trap::TrapHandlerRegs;
use libc::{REG_RBP, REG_RDI, REG_RIP, REG_RSI, REG_RSP, siginfo_t, ucontext_t};

/// The stack pointer.
pub(super) fn stack_pointer(context: &ucontext_t) -> usize {
    context.uc_mcontext.gregs[REG_RSP as usize] as usize
}

/// The address of the interrupted instruction.
pub(super) fn instruction(context: &ucontext_t) -> usize {
    context.uc_mcontext.gregs[REG_RIP as usize] as usize
}

/// Whether a segmentation fault was a general protection fault: a privileged instruction, or an
/// address that isn't one. The kernel gives both no address.
pub(super) fn is_general_protection(information: &siginfo_t) -> bool {
    const SI_KERNEL: i32 = 0x80;
    information.si_code == SI_KERNEL
}

/// Makes the interrupted code go on with these registers.
pub(super) fn redirect(context: &mut ucontext_t, registers: TrapHandlerRegs) {
    let TrapHandlerRegs { rip, rsp, rbp, rdi, rsi } = registers;
    let places = [(REG_RIP, rip), (REG_RSP, rsp), (REG_RBP, rbp), (REG_RDI, rdi), (REG_RSI, rsi)];
    for (place, value) in places {
        context.uc_mcontext.gregs[place as usize] = value.cast_signed();
    }
}
