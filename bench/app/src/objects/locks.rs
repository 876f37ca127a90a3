//! Ceiling locks.

use beryl_user::call;
use beryl_user::lock::Lock;

use crate::objects::repeat;

/// Thread: locks and unlocks where nobody contends.
#[inline(always)]
pub fn lock(mut map: Lock<i32>) -> ! {
    repeat("ceiling-lock/pair", || map.with(|_| ()))
}

/// Thread: the lock's other user, less urgent. With one user, a lock costs nothing.
#[inline(always)]
pub fn lock_user(mut map: Lock<i32>) -> ! {
    map.with(|value| *value = 1);
    call::stop()
}
