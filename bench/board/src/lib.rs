//! Counting instructions on the board. `./x bench` does that there, so elsewhere this is empty. On each board what a
//! clock can tell is counted; what needs a device of the first one is for that.
//!
//! A measured program prints lines:
//!
//! ```text
//! sample <case> <before> <after>                the timer's ticks around what is measured
//! tally <case> <instructions>x<samples> ..      how many samples took how many instructions
//! end                                           all is measured
//! ```
//! What they mean is up to the program on the other side of the console.
#![no_std]
#![cfg(target_os = "none")]

#[cfg_attr(not(target_arch = "arm"), path = "calibration_riscv.rs")]
pub mod calibration;
#[cfg(target_arch = "arm")]
pub mod device;
#[cfg(target_arch = "arm")]
mod fault;
#[cfg(target_arch = "arm")]
mod meter;
#[cfg_attr(not(target_arch = "arm"), path = "reading_riscv.rs")]
mod reading;
mod register;
mod sample;
mod tally;
#[cfg(target_arch = "arm")]
pub mod ticker;

#[cfg(target_arch = "arm")]
pub use fault::fault;
#[cfg(target_arch = "arm")]
pub use meter::next_gap;
#[cfg(target_arch = "arm")]
pub use reading::enclosed;
pub use reading::{around, elapsed};
pub use register::{made, used};
pub use sample::Sample;
pub use tally::Tally;

/// Ends a measured program: says so, then goes round for ever. The thread never sleeps: under emulation
/// a sleeping processor jumps to the next event, and nothing can be counted. Nor does it say that it only waits:
/// the emulator leaves its translated code at each such hint, and took a hundred times as long for the rest of a run.
#[allow(clippy::empty_loop, reason = "a hint in it is dear, see above")]
pub fn end() -> ! {
    beryl_user::println!("end");
    loop {}
}
