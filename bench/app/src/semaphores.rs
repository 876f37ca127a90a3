//! Contention for a semaphore, as `./x bench` measures it on the board (EMERALDS, section 6 and Figures 14
//! and 15).
//!
//! Each case is a band of n threads: an urgent one that waits for an event and then wants the semaphore, a less
//! urgent one that holds it while the event happens, and n - 2 that are ready and never get the processor
//! as long as it matters. What is measured begins before the event is signalled and ends when the holder, which
//! has given the semaphore back, runs again.

mod cases;
mod cycle;

pub use cases::*;

/// Thread: takes up a place in its band.
pub fn filler() -> ! {
    beryl_user::call::stop()
}
