//! What needs one thread: the calibration, and the system call that does nothing.

use beryl_user::call;

use crate::sample::{Sample, measure, measure_call};
use crate::{SAMPLES, quiet};

/// The number of the system call that does nothing.
const NULL: u32 = 0;

/// Thread: calibration, then null calls.
pub fn calls() -> ! {
    repeat("calibration/nothing", || measure!());
    repeat("calibration/100-nops", || measure!(".rept 100", "nop", ".endr"));
    repeat("calibration/1000-rounds", || measure!("mov r0, #1000", "0: subs r0, r0, #1", "bne 0b"));
    repeat("null-call", || measure_call!(NULL));
    call::stop()
}

fn repeat(case: &str, sample: impl Fn() -> Sample) {
    for _ in 0..SAMPLES {
        quiet::wait();
        sample().print(case);
    }
}
