//! What `./x bench` measures on the board. It counts instructions there, so elsewhere it is empty.
//!
//! A measurement prints lines `sample <case> <before> <after>`: the timer's ticks in front of what is
//! measured and behind it. What they mean is up to the program on the other side of the console.
#![no_std]
#![cfg(target_arch = "arm")]

mod calls;
mod quiet;
mod release;
mod sample;
mod yields;

pub use calls::calls;
pub use release::{released_impl, releases};
pub use yields::{same_process, two_processes};

/// How often everything is measured.
const SAMPLES: u32 = 1000;
