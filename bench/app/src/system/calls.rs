//! What needs one thread: the calibration, a subroutine and the system call that do nothing.

use bench_board::{Sample, around, calibration};
use beryl_user::call;

use crate::system::{SAMPLES, quiet};

/// Thread: calibration, then null calls.
pub fn calls() -> ! {
    repeat("calibration/nothing", calibration::nothing);
    repeat("calibration/100-nops", calibration::hundred_instructions);
    repeat("calibration/1000-rounds", calibration::thousand_rounds);
    repeat("null-subroutine", calibration::subroutine);
    repeat("null-call", || around(call::null));
    call::stop()
}

fn repeat(case: &str, sample: impl Fn() -> Sample) {
    for _ in 0..SAMPLES {
        quiet::wait();
        sample().print(case);
    }
}
