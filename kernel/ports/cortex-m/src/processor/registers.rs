//! The system registers that both architectures have and the port uses (Armv7-M architecture, B3.2 to B3.5).

use core::arch::asm;

use super::architecture;
use crate::board::Board;

/// A word-wide register of the system space. Only this file and those of the architectures make one, and only this crate
/// uses it.
#[derive(Clone, Copy)]
pub struct Register(usize);

/// Interrupt control and state: what is pending.
pub const ICSR: Register = Register(0xE000_ED04);
/// System control: how deep the processor sleeps.
pub const SCR: Register = Register(0xE000_ED10);
/// Configuration: which usage faults there are.
pub const CCR: Register = Register(0xE000_ED14);
/// System handlers: which are enabled, which are pending.
pub const SHCSR: Register = Register(0xE000_ED24);
/// Causes of a fault; writing ones clears them.
const CFSR: Register = Register(0xE000_ED28);
/// Causes of a hard fault; writing ones clears them.
const HFSR: Register = Register(0xE000_ED2C);
/// The address that the protection unit refused.
const MMFAR: Register = Register(0xE000_ED34);
/// The address that the bus refused.
const BFAR: Register = Register(0xE000_ED38);
/// The protection unit's switch.
pub const MPU_CTRL: Register = Register(0xE000_ED94);

/// ICSR: makes PendSV pending.
pub const PENDSVSET: u32 = 1 << 28;
/// SCR: the next wait for an interrupt is a deep sleep.
pub const SLEEPDEEP: u32 = 1 << 2;
/// CCR: dividing by zero is a fault.
pub const DIV_0_TRP: u32 = 1 << 4;
/// SHCSR: a usage, memory management or bus fault is pending, or a system call.
const PENDED: u32 = 0b1111 << 12;
/// SHCSR: memory management, bus and usage faults have handlers of their own.
pub const FAULTS_ENABLED: u32 = 0b111 << 16;
/// MPU_CTRL: on, and the kernel sees all of memory as if it were off.
pub const ENABLE_PRIVDEFENA: u32 = 0b101;

impl Register {
    /// The register at an address of the system space.
    pub(super) const fn at(address: usize) -> Register {
        Register(address)
    }

    /// Its value.
    #[inline(always)]
    pub fn read(self) -> u32 {
        // SAFETY: one of the registers above; all can be read by whole words without harm.
        unsafe { core::ptr::with_exposed_provenance::<u32>(self.0).read_volatile() }
    }

    /// Changes its value.
    #[inline(always)]
    pub fn write(self, value: u32) {
        // SAFETY: one of the registers above. They configure exceptions and user mode's view of
        // memory; Rust's own memory, seen by the kernel, stays the same whatever they hold.
        unsafe { core::ptr::with_exposed_provenance_mut::<u32>(self.0).write_volatile(value) }
    }

    /// The register `words` words behind this one.
    const fn behind(self, words: u32) -> Register {
        Register(self.0 + words as usize * 4)
    }
}

/// Lets an interrupt line through.
#[inline(always)]
pub fn unmask<B: Board>(line: u32) {
    write_line::<B>(Register(0xE000_E100), line);
}

/// Keeps an interrupt line out.
#[inline(always)]
pub fn mask<B: Board>(line: u32) {
    write_line::<B>(Register(0xE000_E180), line);
}

/// Raises an interrupt line.
#[inline(always)]
pub fn raise<B: Board>(line: u32) {
    write_line::<B>(Register(0xE000_E200), line);
}

/// Forgets that an interrupt line was raised. One that is a level and still up stays raised.
#[inline(always)]
pub fn clear<B: Board>(line: u32) {
    write_line::<B>(Register(0xE000_E280), line);
}

/// In a bank of the interrupt controller with a bit a line, a written one acts and a zero does nothing.
#[inline(always)]
fn write_line<B: Board>(bank: Register, line: u32) {
    if line < B::LINES {
        bank.behind(line / 32).write(1 << (line % 32));
    }
}

/// What the fault status registers say.
#[derive(Clone, Copy)]
pub struct Causes {
    pub causes: u32,
    pub protected: u32,
    pub bus: u32,
}

impl Causes {
    /// What they say now.
    #[inline(always)]
    pub fn read() -> Causes {
        Causes { causes: CFSR.read(), protected: MMFAR.read(), bus: BFAR.read() }
    }
}

/// Forgets whatever the running thread has caused. Where its registers can't be stacked, the fault of that comes
/// before what they were to be stacked for: another fault or a system call, which is pending still, and would be
/// taken as the next thread's.
pub fn forget_faults() {
    SHCSR.write(SHCSR.read() & !PENDED);
    CFSR.write(u32::MAX);
    HFSR.write(u32::MAX);
    architecture::forget_faults();
}

/// The most urgent exception that waits to be taken, or 0.
pub fn pending_exception() -> u32 {
    ICSR.read() >> 12 & 0x1FF
}

/// Whether an interrupt waits to be taken, between two steps. The address of each instruction that looks is
/// written into a section that isn't loaded: the length of steps is counted from one of them to the next
/// (`bench/path`).
#[inline(always)]
pub fn is_interrupt_pending() -> bool {
    // In the number of the exception that waits: interrupts have those from 16 on, which are told by the
    // upper bits alone.
    const FROM_16_ON: u32 = 0x1F << 16;
    let word: u32;
    // SAFETY: reads a register of the processor; no memory that Rust knows of depends on it.
    unsafe {
        asm!(
            "77: ldr {word}, [{register}]",
            ".pushsection .step_boundaries, \"\", %progbits",
            ".word 77b",
            ".popsection",
            register = in(reg) ICSR.0,
            word = lateout(reg) word,
            options(nomem, nostack, preserves_flags),
        );
    }
    word & FROM_16_ON != 0
}
