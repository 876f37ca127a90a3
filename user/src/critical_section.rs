//! Critical sections for libraries that know no handles: the ceiling lock that the description names for the process.
//!
//! `critical_section = "name"` of a process says which lock its threads take where a library asks for a critical
//! section. Only the lock's users may enter, and only they are kept out: interrupts, the kernel and other processes go on.
//! A process that is a single thread needs no lock, and its sections cost the look-up alone.
//!
//! # Cost on a Cortex-M3
//!
//! That of a ceiling lock, and on each side a look for the thread's row among those of its process.

use crate::lock::Lock;
use crate::platform;

/// Enters: until [`leave`] no other user of the process's lock runs. Sections nest. Returns what `leave` needs.
///
/// # Panics
///
/// If the calling thread isn't a user of its process's lock for critical sections.
#[must_use]
pub fn enter() -> u32 {
    own().enter()
}

/// Leaves a section.
///
/// # Safety
///
/// `before` is what the last [`enter`] of this thread returned that wasn't left yet.
pub unsafe fn leave(before: u32) {
    own().leave(before);
}

/// The lock, as the calling thread knows it.
fn own() -> Lock<()> {
    let Some((words, ceiling)) = platform::section() else {
        panic!(
            "this thread may enter no critical section: let it use the lock that `critical_section` of its process names"
        );
    };
    // SAFETY: the builder says which words are the thread's, and the same ceiling for all users of the lock. It protects
    // whatever the library does; nothing lies with it.
    unsafe { Lock::new(words, ceiling, 0) }
}
