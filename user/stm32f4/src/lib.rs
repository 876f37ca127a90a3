//! What device servers do with the registers of an STM32F405 (reference manual RM0090): pins, serial lines, SPI, pulse widths, the
//! converter.
//!
//! A server is a thread of a process that the description gives the device; its clients call or send, and have no device. The
//! kernel has turned the device's clock on before ([`beryl_user`](https://docs.rs/beryl-user) has what a server waits for).
//! Each driver is given its registers, those of [`device`] on the chip, or memory that stands for them in a test.
#![no_std]

#[cfg(test)]
extern crate std;

pub mod converter;
pub mod device;
pub mod pins;
pub mod pulses;
pub mod serial;
pub mod spi;

#[cfg(test)]
mod model;
#[cfg(test)]
mod tests;

/// How often a driver looks whether a device is done: far longer than any takes that has its clock, so that a server whose
/// device is dead says so, and doesn't wait for ever.
const PATIENCE: u32 = 100_000;

/// The device didn't do what it was asked for in 100,000 looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Silent;

/// Waits until it `is_done`.
fn wait_until(mut is_done: impl FnMut() -> bool) -> Result<(), Silent> {
    // bound: 100000, `PATIENCE`
    for _ in 0..PATIENCE {
        #[cfg(test)]
        model::step();
        if is_done() {
            return Ok(());
        }
    }
    Err(Silent)
}
