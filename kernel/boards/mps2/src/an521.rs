//! Where everything is on the board of application note AN521, as the emulator has it: as on that of AN505, and what its second
//! processor needs. Where both have a kernel, each has half of each memory, and the second has the two more timers' first for an alarm.

use beryl_abi::{Line, Range};

pub use crate::an505::{
    DUAL_TIMER, DUAL_TIMER_LINE, ENVIRONMENT, ETHERNET, ETHERNET_LINE, FLASH, I2C, LINES, OPENED, PSRAM, RAM,
    TICK_NANOSECONDS, TIMER0, TIMER1, TIMER1_LINE, TRACE, UART0,
};

/// How many processors kernels can have.
pub const CORES: usize = 2;
/// What the kernels of both tell each other, in memory of the subsystem's own that no process reaches: each writes its own.
pub const PANEL: Range = Range::new(0x3000_0000, 0x20);
/// What the core of the threads and that of the kernel tell each other, where one kernel has a core to itself: there as well.
pub const HATCH: Range = Range::new(0x3000_0040, 0x40);
/// The stack of such a kernel's core: there as well.
pub const STACK: Range = Range::new(0x3000_0400, 0x3C00);
/// The message handling unit, by which processors call each other.
pub const MESSAGES: Range = Range::new(0x5000_3000, 0x1000);
/// The interrupt line of [`MESSAGES`], of both processors.
pub const MESSAGES_LINE: Line = Line(6);
/// The interrupt line on which another processor calls.
pub const CALLED: Option<Line> = Some(MESSAGES_LINE);
/// Where the second processor finds its vector table when it begins.
pub const SECOND_BEGINS: u32 = 0x5002_1114;
/// Which processors wait before they begin.
pub const WAITING: u32 = 0x5002_1118;

/// Which half of a memory a core has.
#[must_use]
pub const fn half(whole: Range, core: u32) -> Range {
    let length = whole.length / 2;
    Range::new(whole.address + core * length, length)
}

/// The environment's window of a core: the first part of its half of the PSRAM.
#[must_use]
pub const fn environment(core: u32) -> Range {
    Range::new(half(PSRAM, core).address, ENVIRONMENT.length)
}

/// Where a core's trace records are collected: behind its window.
#[must_use]
pub const fn trace(core: u32) -> Range {
    let Range { address, length } = half(PSRAM, core);
    Range::new(address + ENVIRONMENT.length, length - ENVIRONMENT.length)
}
