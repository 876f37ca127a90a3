//! A section inside a ceiling lock, entered as applications do, and outputs of tasks.

use beryl_user::lock::Lock;

/// Runs `body` inside a lock with this ceiling; `words` are shared by the calling thread and the kernel.
pub fn inside(words: u32, ceiling: u32, body: impl FnOnce()) {
    // SAFETY: the words are the calling thread's own, since its table says so (`bodies`); the ceiling is that
    // of the lock for all of its users, and nothing is protected by it. One handle lives at a time.
    let mut lock = unsafe { Lock::<()>::new(words, ceiling, words) };
    lock.with(|()| body());
}

/// Gives another value to the output at this address, a number.
pub fn give(output: u32) {
    // SAFETY: the output of the task that runs, which nobody else reaches until it is published, so it has no ceiling.
    let mut output = unsafe { Lock::<i32>::new(0, 0, output) };
    output.with(|number| *number = number.wrapping_add(1));
}
