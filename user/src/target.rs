//! What all targets have in common, whatever their processor: ports at their addresses, and nothing where the simulator has
//! to help.

use core::arch::asm;
use core::mem::MaybeUninit;

use beryl_abi::Duration;

unsafe extern "C" {
    /// The process's journal, or [`NO_JOURNAL`]; its address comes from the linker script.
    static __beryl_journal: u32;
}

/// Stands in for the journal of a process without one: it has no room, so threads call the kernel instead.
#[unsafe(export_name = "BERYL_NO_JOURNAL")]
static NO_JOURNAL: [u32; 4] = [0, 0, 1, 0];

/// The address of the process's journal, or of its stand-in.
#[inline(always)]
pub fn journal() -> Option<u32> {
    Some((&raw const __beryl_journal).expose_provenance() as u32)
}

/// The calling thread's words, and the ceiling that it takes for a critical section, if it may enter one. Of the
/// process's threads it is the one whose words come next above the stack pointer: they end its stack.
pub fn section() -> Option<(u32, u32)> {
    unsafe extern "C" {
        /// The process's threads, by address; behind them a row above all addresses. The linker script says where.
        static __beryl_sections: [u32; 2];
    }
    let here = 0_u32;
    let here = (&raw const here).addr() as u32;
    let mut row = &raw const __beryl_sections;
    loop {
        // SAFETY: the row above all addresses is the last that is read.
        let [words, ceiling] = unsafe { row.read() };
        if words > here {
            return (ceiling != u32::MAX).then_some((words, ceiling));
        }
        // SAFETY: that wasn't the last row.
        row = unsafe { row.add(1) };
    }
}

/// The register's content for an argument.
#[inline(always)]
pub fn register(argument: Option<u32>) -> MaybeUninit<u32> {
    argument.map_or(MaybeUninit::uninit(), MaybeUninit::new)
}

/// Nothing: on the target a thread is preempted wherever it is.
#[inline(always)]
pub fn point() {}

/// Nothing: on the target a job has taken its time when it gets here.
#[inline(always)]
pub fn rest() {}

/// Lends `place` to the kernel while `body` runs, by its address.
#[inline(always)]
pub fn with_buffer<R>(place: &mut [MaybeUninit<u8>], _filled: usize, body: impl FnOnce(u32) -> R) -> R {
    body(place.as_mut_ptr().expose_provenance() as u32)
}

/// The address of a place that the kernel can be lent as it is, which it takes at multiples of four. Whether the thread may touch what is
/// there is the kernel's to say.
#[inline(always)]
pub fn lendable(place: *mut u8) -> Option<u32> {
    let address = place.expose_provenance() as u32;
    address.is_multiple_of(4).then_some(address)
}

/// The address, hidden from the optimiser, which then makes nearby addresses from it by an offset in the
/// instruction, not each from two instructions of its own.
#[inline(always)]
pub fn opaque(address: u32) -> u32 {
    let same;
    // SAFETY: no instruction.
    unsafe {
        asm!("/* {0} */", inlateout(reg) address => same, options(pure, nomem, nostack, preserves_flags));
    }
    same
}

/// Keeps the code behind a branch there, so that the branch is all that the other path costs.
#[inline(always)]
pub fn seldom() {
    core::hint::cold_path();
    // SAFETY: no instruction.
    unsafe { asm!("", options(nomem, nostack, preserves_flags)) };
}

/// The byte at `address`: on the target, the address itself.
#[inline(always)]
pub fn memory(address: u32) -> *mut u8 {
    core::ptr::with_exposed_provenance_mut(address as usize)
}

/// Nothing: code takes the time that it takes.
#[inline(always)]
pub fn spend(_duration: Duration) {}

/// Whether application code is unwinding from a panic: on the target, never.
#[inline(always)]
pub const fn is_panicking() -> bool {
    false
}

/// Runs application code; a panic in it is an instruction that the kernel reports.
#[inline(always)]
pub fn contain<R>(body: impl FnOnce() -> R) -> R {
    body()
}
