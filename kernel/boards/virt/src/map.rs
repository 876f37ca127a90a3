//! Where everything is on this board, as the emulator has it. What is memory for the image and memory for data is a
//! choice: all of it is RAM. Where several kernels share the board, each has a part of the memory that is laid out as the first.

use beryl_abi::Range;

/// All memory that is used; the emulator's machine may have more.
pub const MEMORY: Range = Range::new(0x8000_0000, 0x0200_0000);
/// How many harts, which are processors, kernels can have.
pub const HARTS: usize = 4;
/// Bytes from one kernel's memory to the next one's.
pub const PART: u32 = MEMORY.length;
/// Memory for the image, filled by the emulator before reset. The processor begins at its start.
pub const FLASH: Range = Range::new(0x8000_0000, 0x0040_0000);
/// Memory for data.
pub const RAM: Range = Range::new(0x8040_0000, 0x0040_0000);
/// The environment's window.
pub const ENVIRONMENT: Range = Range::new(0x8100_0000, 0x0010_0000);
/// Where trace records are collected: behind the window.
pub const TRACE: Range = Range::new(0x8110_0000, 0x00E0_0000);
/// What the kernels of several harts tell each other, in memory that no process reaches: each writes its own.
pub const PANEL: Range = Range::new(0x8080_0000, 0x20);
/// The console: an NS16550, on line 10.
pub const UART0: Range = Range::new(0x1000_0000, 0x100);
/// The kernel's clock: the count of the machine timer, 64 bits.
pub const MTIME: Range = Range::new(0x0200_BFF8, 8);
/// The kernel's alarm: what the count is compared with, by the first hart; the others' follow.
pub const MTIMECMP: Range = Range::new(0x0200_4000, 8);
/// A word for each hart, with which others interrupt it.
pub const MSIP: Range = Range::new(0x0200_0000, 4 * HARTS as u32);
/// The interrupt controller (PLIC).
pub const INTERRUPTS: Range = Range::new(0x0C00_0000, 0x0060_0000);
/// Interrupt lines: the controller's sources. It has none of number 0, which stands for the alarm.
pub const LINES: usize = 32;
/// A real-time clock with an alarm, for the system (Goldfish), on line 11.
pub const RTC: Range = Range::new(0x0010_1000, 0x1000);
/// One tick of kernel time: the timer runs at 10 MHz.
pub const TICK_NANOSECONDS: u32 = 100;

/// Where a hart has what the first has in this range.
#[must_use]
pub const fn of_hart(first: Range, hart: u32) -> Range {
    Range::new(first.address + hart * PART, first.length)
}
