//! Yielding to another thread of the same priority, in the same process and in another one.
//!
//! Two threads take turns. What counts lies between one's reading before its call and the other's
//! behind its own, earlier one: whoever reads the lines puts them in order of time.

use bench_board::around;
use beryl_user::call;

use crate::system::{SAMPLES, quiet};

/// Two threads have one switch less than samples.
const ROUNDS: u32 = SAMPLES / 2 + 1;

/// Thread: yields to a thread of its own process.
pub fn same_process() -> ! {
    take_turns("yield/same-process")
}

/// Thread: yields to a thread of the other process.
pub fn two_processes() -> ! {
    take_turns("yield/two-processes")
}

fn take_turns(case: &str) -> ! {
    for _ in 0..ROUNDS {
        quiet::wait();
        around(call::yield_now).print(case);
    }
    call::stop()
}
