//! A thread beside the executor's: it counts, and tells a task of it.

use beryl_user::lock::Lock;
use beryl_user::time::{milliseconds, now, sleep_until};

use portable_atomic::{AtomicU64, Ordering};

use crate::keeper::NEWS;

/// How often something was told of. No board has an instruction for so much at once.
pub static TOLD: AtomicU64 = AtomicU64::new(0);

/// Tells of something every 30 ms, for ever. What finds no room is forgotten.
pub fn watch(_exclusion: Lock<()>) -> ! {
    let mut next = now();
    for count in (0..=u32::MAX).cycle() {
        if let Err(full) = NEWS.try_send(count) {
            defmt::warn!("{=u32} found no room: {}", count, full);
        }
        TOLD.fetch_add(1, Ordering::Relaxed);
        next = next.after(milliseconds(30));
        let _ = sleep_until(next);
    }
    unreachable!("it cycles")
}
