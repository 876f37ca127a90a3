//! What of the system isn't in C: the calibration before the six programs, and the end behind them.

use bench_board::{Sample, calibration};
use beryl_user::call;

/// How often what is known is measured.
const SAMPLES: u32 = 100;

/// Thread, the most urgent: measures what is known.
pub fn calibrate() -> ! {
    repeat("calibration/nothing", calibration::nothing);
    repeat("calibration/100-nops", calibration::hundred_instructions);
    repeat("calibration/1000-rounds", calibration::thousand_rounds);
    call::stop()
}

fn repeat(case: &str, sample: impl Fn() -> Sample) {
    (0..SAMPLES).for_each(|_| sample().print(case));
}
