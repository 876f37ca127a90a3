//! Three threads that work, two of them with a lock; and one that tells what happens.
//!
//! `slow` holds the store for milliseconds at the lowest priority. When `quick` wants it meanwhile, `slow`
//! runs in its place, so `steady`, which is between them, doesn't come in between. The trace shows it:
//! `beryl trace why quick@worst`.
#![no_std]
#![forbid(unsafe_code)]

mod work;

use beryl_user::mailbox::{Receiver, Sender};
use beryl_user::period::Period;
use beryl_user::semaphore::Binary;
use beryl_user::time::Duration;
use beryl_user::trace::{self, Trace};

use work::work;

/// An event of this application's own: a job of `quick` has ended; the value is its number.
const DONE: u16 = 1;
/// How long `tell` sleeps when all is told: the buffer holds what happens in 10 ms many times over.
const PAUSE: Duration = Duration::from_ticks(250_000);

/// Takes the store for a moment, every 5 ms.
pub fn quick(mut period: Period, mut store: Binary<()>, mut results: Sender<[i32; 2]>) -> ! {
    let mut number = 0_u32;
    loop {
        if let Ok(held) = store.wait() {
            work(100);
            drop(held);
        }
        number = number.wrapping_add(1);
        trace::tell(DONE, number);
        let _ = results.send(&[number.cast_signed(), 0]);
        period.wait();
    }
}

/// Works for 3 ms, every 20 ms.
pub fn steady(mut period: Period) -> ! {
    loop {
        work(3000);
        period.wait();
    }
}

/// Holds the store for 4 ms, every 40 ms.
pub fn slow(mut period: Period, mut store: Binary<()>) -> ! {
    loop {
        if let Ok(held) = store.wait() {
            work(4000);
            drop(held);
        }
        period.wait();
    }
}

/// Takes what `quick` has done.
pub fn gather(mut results: Receiver<[i32; 2]>) -> ! {
    loop {
        let _ = results.receive();
    }
}

/// Sends what is in the trace buffer.
pub fn tell(trace: Trace) -> ! {
    beryl_drain::drain(trace, PAUSE)
}
