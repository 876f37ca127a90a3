//! What the faces of `beryl-ecosystem` cost, beside the calls below them, as `./x bench` measures it on the board. Elsewhere it is empty.
#![no_std]
#![forbid(unsafe_code)]
#![cfg(all(target_os = "none", target_arch = "arm"))]

mod bus;
mod console;
mod sections;
mod tasks;

pub use bus::ask_the_memory;
pub use console::speak;
pub use sections::{among_the_first, among_the_last};
pub use tasks::{run_tasks, tell, wait_natively};

use bench_board::Sample;

/// How often everything is measured.
const SAMPLES: usize = 100;

/// Prints samples once all are there, so that no printing is between two.
fn print(case: &str, samples: &[Sample; SAMPLES]) {
    samples.iter().for_each(|sample| sample.print(case));
}

/// So many samples.
fn repeat(case: &str, mut sample: impl FnMut() -> Sample) {
    // The first one is of a device that still does something else.
    let _ = sample();
    let samples = core::array::from_fn(|_| sample());
    print(case, &samples);
}

/// Something isn't as it must be: says so, which no measurement survives, and stops the thread.
#[cold]
#[inline(never)]
fn failed(what: &str) -> ! {
    beryl_user::println!("failed: {what}");
    beryl_user::call::stop()
}
