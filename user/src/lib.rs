//! The library that an application links: system calls, handles of objects, ports, mathematics, the
//! environment.
//!
//! The same source runs on the target and in the simulator; `platform` is the only difference.
#![no_std]

#[cfg(not(target_os = "none"))]
extern crate std;

#[cfg(target_arch = "riscv32")]
mod ns16550;
#[cfg(target_arch = "arm")]
#[path = "platform_arm.rs"]
mod platform;
#[cfg(target_arch = "riscv32")]
#[path = "platform_riscv.rs"]
mod platform;
#[cfg(not(target_os = "none"))]
#[path = "platform_host.rs"]
pub mod platform;
#[cfg(all(target_arch = "arm", not(feature = "stm32f4")))]
#[path = "cmsdk.rs"]
mod serial;
#[cfg(all(target_arch = "arm", feature = "stm32f4"))]
#[path = "usart.rs"]
mod serial;
#[cfg(target_os = "none")]
mod target;
#[cfg(target_os = "none")]
mod window;

pub mod bell;
pub mod c;
pub mod call;
pub mod condition;
pub mod console;
pub mod critical_section;
pub mod drivers;
#[cfg(target_arch = "arm")]
pub mod dual_timer;
pub mod endpoint;
pub mod environment;
pub mod event_group;
#[cfg(not(target_os = "none"))]
pub mod fake;
#[cfg(target_arch = "riscv32")]
pub mod goldfish;
pub mod interrupt;
pub mod lan9118;
pub mod link;
pub mod lock;
pub mod mailbox;
pub mod math;
pub mod memory;
mod message;
pub mod notification;
pub mod period;
pub mod port;
pub mod region;
#[cfg(target_arch = "arm")]
pub mod sbcon;
pub mod semaphore;
pub mod slot;
pub mod state;
#[cfg(all(target_arch = "arm", feature = "stm32f4"))]
pub mod stm32_timer;
#[cfg(test)]
#[path = "stm32_timer/cycles.rs"]
mod stm32_timer_cycles;
pub mod supervisor;
pub mod task;
pub mod thread;
pub mod time;
pub mod trace;
pub mod vote;
