//! A section inside of a ceiling lock, entered as applications enter theirs.

use beryl_user::lock::Lock;

/// Runs `body` inside of a lock with this ceiling; `words` are those that the calling thread shares with the kernel.
pub fn inside(words: u32, ceiling: u32, body: impl FnOnce()) {
    // SAFETY: the words are the calling thread's own, since its table says so (`bodies`); the ceiling is that of the lock for all of its
    // users, and nothing is protected by it. One handle lives at a time.
    let mut lock = unsafe { Lock::<()>::new(words, ceiling, words) };
    lock.with(|()| body());
}
