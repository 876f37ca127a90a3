//! Beryl's side of what crates of others ask of a system, so that they run unchanged inside a process.
//!
//! | crate | what it is given | here |
//! |---|---|---|
//! | `critical-section` | the ceiling lock that the description names for the process | [`sections`] |
//! | `defmt` | the trace, in which a statement is some events | `log` |
//! | `embedded-hal` | delays, an I2C bus | [`delay`], [`i2c`] |
//! | `embedded-io`, `embedded-io-async` | the console, as a stream of bytes | [`serial`] |
//! | `embassy-executor` | a thread that runs its tasks, and sleeps when none has something to do | [`executor`] |
//! | `embassy-time` | kernel time, in microseconds | [`clock`] |
//!
//! A process pays for what it uses only. What such a crate does wrong is its process's own affair.
#![no_std]

#[cfg(not(target_os = "none"))]
extern crate std;

pub mod clock;
pub mod delay;
pub mod executor;
pub mod i2c;
mod log;
pub mod sections;
pub mod serial;
