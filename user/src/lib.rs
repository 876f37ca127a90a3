//! What an application links: system calls, ports, mathematics, the environment.
//!
//! The same source runs on the target and in the simulator; `platform` is the only difference.
#![no_std]

#[cfg(not(target_arch = "arm"))]
extern crate std;

#[cfg(target_arch = "arm")]
#[path = "platform_arm.rs"]
mod platform;
#[cfg(not(target_arch = "arm"))]
#[path = "platform_host.rs"]
pub mod platform;

pub mod call;
pub mod console;
pub mod drivers;
pub mod environment;
pub mod math;
pub mod memory;
pub mod port;
pub mod task;
