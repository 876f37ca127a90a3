//! Critical sections of the `critical-section` crate: the process's ceiling lock, and no interrupt is masked.
//!
//! Crates that build on it follow: `portable-atomic` with its feature of the same name, `embassy-sync`, and all that keep a
//! `critical_section::Mutex`. Who may enter, and whom it keeps out, is in [`beryl_user::critical_section`].

use critical_section::RawRestoreState;

struct Sections;

critical_section::set_impl!(Sections);

// SAFETY: of the threads that may enter, all are users of one ceiling lock, so no other of them runs until the section is
// left. A thread that isn't among them panics instead of entering. Memory accesses stay inside: the lock has fences.
unsafe impl critical_section::Impl for Sections {
    unsafe fn acquire() -> RawRestoreState {
        beryl_user::critical_section::enter()
    }

    unsafe fn release(before: RawRestoreState) {
        // SAFETY: sections are left in the opposite order, each with its own state: the caller's duty.
        unsafe { beryl_user::critical_section::leave(before) }
    }
}
