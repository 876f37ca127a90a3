//! A task that does what only the kernel may.

use crate::count_job;

/// The job that tries to switch off interrupts.
const WITHOUT_EFFECT: i32 = 4;
/// The job that goes wrong.
const WRONG_JOB: i32 = 5;

/// Counts its jobs. The fourth tries to switch off interrupts where the processor ignores that, the fifth to
/// switch off the protection unit.
pub fn privilege_impl(jobs: &mut i32, count: &mut i32) {
    count_job(jobs, count);
    match *jobs {
        WITHOUT_EFFECT => switch_off_interrupts(),
        WRONG_JOB => switch_off_protection(),
        _ => {}
    }
}

/// Armv7-M ignores this instruction in user mode. If it didn't, the system call that ends the job would be a hard
/// fault, and no alarm would come any more.
#[cfg(target_arch = "arm")]
#[expect(unsafe_code, reason = "this example is about being wrong")]
fn switch_off_interrupts() {
    // SAFETY: no memory is touched; in user mode the instruction does nothing.
    unsafe { core::arch::asm!("cpsid i", options(nomem, nostack, preserves_flags)) };
}

/// Other processors don't ignore such an instruction: there is nothing to show.
#[cfg(not(target_arch = "arm"))]
fn switch_off_interrupts() {}

/// Where the processor has privileged instructions that user code can't execute, one of them.
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "this example is about being wrong")]
fn switch_off_protection() {
    // SAFETY: it isn't safe, and that is the point: the instruction may not run in user mode. The processor refuses
    // it, so that it has no effect, and the kernel stops the process.
    unsafe { core::arch::asm!("cli", options(nomem, nostack)) };
}

/// Elsewhere a register of the protection unit.
#[cfg(not(target_arch = "x86_64"))]
#[expect(unsafe_code, reason = "this example is about being wrong")]
fn switch_off_protection() {
    /// The control register of the protection unit (MPU_CTRL).
    const CONTROL: usize = 0xE000_ED94;
    let control = core::ptr::with_exposed_provenance_mut::<u32>(CONTROL);
    // SAFETY: it isn't safe, and that is the point: user mode may not touch this register. The bus refuses the store
    // (on a host nothing is mapped there), so that it has no effect, and the kernel stops the process.
    unsafe { control.write_volatile(0) };
}
