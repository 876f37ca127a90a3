//! Where everything is on these boards: application notes AN385 and AN386 on the MPS2, as the emulator has them.

use beryl_abi::{Line, Range};

/// Memory for the image (ZBT SRAM 1, filled by the emulator before reset).
pub const FLASH: Range = Range::new(0x0000_0000, 0x0040_0000);
/// Memory for data (ZBT SRAM 2 and 3).
pub const RAM: Range = Range::new(0x2000_0000, 0x0040_0000);
/// The environment's window: the first part of the 16 MB of PSRAM.
pub const ENVIRONMENT: Range = Range::new(0x2100_0000, 0x0010_0000);
/// Where trace records are collected: PSRAM behind the window.
pub const TRACE: Range = Range::new(0x2110_0000, 0x00E0_0000);
/// The console.
pub const UART0: Range = Range::new(0x4000_4000, 0x1000);
/// The kernel's clock.
pub const TIMER0: Range = Range::new(0x4000_0000, 0x1000);
/// The kernel's alarm.
pub const TIMER1: Range = Range::new(0x4000_1000, 0x1000);
/// The interrupt line of [`TIMER1`].
pub const TIMER1_LINE: Line = Line(9);
/// Two more timers, for the system.
pub const DUAL_TIMER: Range = Range::new(0x4000_2000, 0x1000);
/// The interrupt line of [`DUAL_TIMER`].
pub const DUAL_TIMER_LINE: Line = Line(10);
/// The network's device, a LAN9118.
pub const ETHERNET: Range = Range::new(0x4020_0000, 0x1000);
/// The interrupt line of [`ETHERNET`].
pub const ETHERNET_LINE: Line = Line(13);
/// Two wires on the second connector for shields, with an I2C bus.
pub const I2C: Range = Range::new(0x4002_A000, 0x1000);
/// Interrupt lines of the processor.
pub const LINES: usize = 32;
/// One tick of kernel time: the timers run at 25 MHz.
pub const TICK_NANOSECONDS: u32 = 40;
/// Registers to be written before user mode can reach its devices: none.
pub const OPENED: [(u32, u32); 0] = [];
/// The interrupt line on which another processor calls: there is none.
pub const CALLED: Option<Line> = None;

/// The environment's window, of the one processor that there is.
#[must_use]
pub const fn environment(_processor: u32) -> Range {
    ENVIRONMENT
}
