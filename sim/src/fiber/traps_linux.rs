//! Traps: signals that application code raises on a fiber become the fiber's return value.
//!
//! The signal handlers are installed once for the whole program. A signal that doesn't come from
//! application code on a fiber goes to the handler that was there before.

#[path = "watchdog.rs"]
mod watchdog;

use std::io;
use std::marker::PhantomData;
use std::mem;
use std::ptr;
use std::sync::OnceLock;
use std::time::Duration;

use beryl_abi::FaultKind;
use libc::{c_int, c_void, sigaction, siginfo_t, stack_t, ucontext_t};

use super::running::{Running, in_application, leave_application, looks};
use super::{Trap, registers};
use crate::place::Place;
use watchdog::{LOOKS, Watchdog};

/// The signals of faults.
const FAULTS: [c_int; 4] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE];

/// The previous action for each of [`FAULTS`], in that order.
static BEFORE: OnceLock<[sigaction; 4]> = OnceLock::new();

/// While this exists, traps of fibers on this native thread are caught.
pub(crate) struct Traps {
    _watchdog: Watchdog,
    limit: Duration,
    _stack: Option<SignalStack>,
    /// Signal stacks and timers belong to a native thread.
    _thread: PhantomData<*const ()>,
}

impl Traps {
    /// Catches traps on this native thread, and segments that use more than `limit` of its processor time.
    pub(crate) fn new(limit: Duration) -> io::Result<Traps> {
        let stack = SignalStack::new()?;
        install_handlers();
        Ok(Traps { _watchdog: Watchdog::new(limit)?, limit, _stack: stack, _thread: PhantomData })
    }

    /// The processor time that a segment may use.
    pub(crate) fn limit(&self) -> Duration {
        self.limit
    }
}

/// A stack for signal handlers, since the fiber's own may be exhausted.
struct SignalStack {
    _memory: Box<[u8]>,
}

impl SignalStack {
    const SIZE: usize = 64 * 1024;

    /// A stack for this native thread, or none if it already has one.
    fn new() -> io::Result<Option<SignalStack>> {
        let mut memory = vec![0_u8; SignalStack::SIZE].into_boxed_slice();
        let wanted = stack_t { ss_sp: memory.as_mut_ptr().cast(), ss_flags: 0, ss_size: SignalStack::SIZE };
        // SAFETY: Both calls get valid pointers; the memory lives until `drop` takes it out of use.
        unsafe {
            let mut present: stack_t = mem::zeroed();
            checked(libc::sigaltstack(ptr::null(), &raw mut present))?;
            if present.ss_flags & libc::SS_DISABLE == 0 {
                return Ok(None);
            }
            checked(libc::sigaltstack(&raw const wanted, ptr::null_mut()))?;
        }
        Ok(Some(SignalStack { _memory: memory }))
    }
}

impl Drop for SignalStack {
    fn drop(&mut self) {
        let none = stack_t { ss_sp: ptr::null_mut(), ss_flags: libc::SS_DISABLE, ss_size: 0 };
        // SAFETY: Takes the stack out of use on the native thread that put it there: `Traps` stays on it.
        unsafe { libc::sigaltstack(&raw const none, ptr::null_mut()) };
    }
}

fn install_handlers() {
    BEFORE.get_or_init(|| {
        install(libc::SIGVTALRM);
        FAULTS.map(install)
    });
}

/// Installs the handler; returns the previous action.
fn install(signal: c_int) -> sigaction {
    // SAFETY: The handler keeps to what a handler may do: it reads thread-local cells without
    // destructors, writes to the interrupted fiber's stack and to the interrupted registers.
    unsafe {
        let mut action: sigaction = mem::zeroed();
        action.sa_sigaction = on_signal as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_RESTART;
        let mut before: sigaction = mem::zeroed();
        libc::sigaction(signal, &raw const action, &raw mut before);
        before
    }
}

extern "C" fn on_signal(signal: c_int, information: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: The operating system gives a handler with SA_SIGINFO valid pointers to both.
    let (details, interrupted) = unsafe { (&*information, &mut *context.cast::<ucontext_t>()) };
    match in_application() {
        Some(_) if signal == libc::SIGVTALRM && looks() < LOOKS => {}
        Some(running) if running.trap.stack_ptr_in_bounds(registers::stack_pointer(interrupted)) => {
            let trap = classify(signal, details, interrupted, &running);
            leave_application();
            // SAFETY: The interrupted stack pointer is on this fiber, whose application code (not the switch
            // between fibers) was interrupted; the registers are set as requested. Anything that the code
            // wrote outside its stack went through opaque calls or raw pointers into the arena.
            let registers = unsafe { running.trap.setup_trap_handler(move || trap) };
            registers::redirect(interrupted, registers);
        }
        _ => pass_on(signal, information, context),
    }
}

/// Classifies what the interrupted code did.
fn classify(signal: c_int, details: &siginfo_t, interrupted: &ucontext_t, running: &Running) -> Trap {
    // SAFETY: Reads a word of the information; only used where it is an address.
    let address = unsafe { details.si_addr() } as usize;
    let (kind, address) = match signal {
        libc::SIGVTALRM => return Trap::Endless(registers::instruction(interrupted)),
        libc::SIGSEGV if registers::is_general_protection(details) => (FaultKind::Instruction, 0),
        libc::SIGSEGV if running.trap.stack_ptr_in_bounds(address) => (FaultKind::StackOverflow, 0),
        libc::SIGSEGV if address == registers::instruction(interrupted) => (FaultKind::Execute, address),
        libc::SIGSEGV => (FaultKind::Data, address),
        libc::SIGBUS => (FaultKind::Bus, address),
        libc::SIGILL => (FaultKind::Instruction, 0),
        _ => (FaultKind::Usage, 0),
    };
    Trap::Fault(kind, address, registers::instruction(interrupted))
}

/// An instruction as a place in this program; none if it is a library's.
pub(super) fn place(instruction: usize) -> Option<Place> {
    let base = |address: usize| {
        // SAFETY: Plain data for which zero is valid; the call writes to it, and reads nothing at the address.
        unsafe {
            let mut found: libc::Dl_info = mem::zeroed();
            (libc::dladdr(address as *const c_void, &raw mut found) != 0).then_some(found.dli_fbase as usize)
        }
    };
    let own = base(place as *const () as usize)?;
    (base(instruction)? == own).then(|| Place::Instruction(instruction.saturating_sub(own) as u64))
}

/// Passes the signal to the previous handler.
fn pass_on(signal: c_int, information: *mut siginfo_t, context: *mut c_void) {
    let Some(place) = FAULTS.iter().position(|fault| *fault == signal) else { return };
    let Some(before) = BEFORE.get().map(|before| before[place]) else { return };
    // SAFETY: Does what the operating system would have done: calls the earlier handler in its own form, or
    // restores the default, so that the instruction faults again and ends the program.
    unsafe {
        match before.sa_sigaction {
            libc::SIG_DFL | libc::SIG_IGN => {
                let mut default: sigaction = mem::zeroed();
                default.sa_sigaction = libc::SIG_DFL;
                libc::sigaction(signal, &raw const default, ptr::null_mut());
            }
            handler if before.sa_flags & libc::SA_SIGINFO != 0 => {
                let handler: extern "C" fn(c_int, *mut siginfo_t, *mut c_void) = mem::transmute(handler);
                handler(signal, information, context);
            }
            handler => {
                let handler: extern "C" fn(c_int) = mem::transmute(handler);
                handler(signal);
            }
        }
    }
}

/// The error of a call that returns -1.
fn checked(result: c_int) -> io::Result<()> {
    if result == -1 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
