//! Where everything is on the board of application note AN505, as the emulator has it: at the addresses of the secure state.

use beryl_abi::{Line, Range};

/// Memory for the image (SSRAM 1, filled by the emulator before reset).
pub const FLASH: Range = Range::new(0x1000_0000, 0x0040_0000);
/// Memory for data (SSRAM 2 and 3).
pub const RAM: Range = Range::new(0x3800_0000, 0x0040_0000);
/// All of the PSRAM, which is what the emulator calls the memory of its machine.
pub const PSRAM: Range = Range::new(0x8000_0000, 0x0100_0000);
/// The environment's window: the first part of the PSRAM.
pub const ENVIRONMENT: Range = Range::new(0x8000_0000, 0x0010_0000);
/// Where trace records are collected: PSRAM behind the window.
pub const TRACE: Range = Range::new(0x8010_0000, 0x00E0_0000);
/// The console: it has received on line 32, and sent on line 33.
pub const UART0: Range = Range::new(0x5020_0000, 0x1000);
/// The kernel's clock.
pub const TIMER0: Range = Range::new(0x5000_0000, 0x1000);
/// The kernel's alarm.
pub const TIMER1: Range = Range::new(0x5000_1000, 0x1000);
/// The interrupt line of [`TIMER1`].
pub const TIMER1_LINE: Line = Line(4);
/// Two more timers, for the system.
pub const DUAL_TIMER: Range = Range::new(0x5000_2000, 0x1000);
/// The interrupt line of [`DUAL_TIMER`].
pub const DUAL_TIMER_LINE: Line = Line(5);
/// The network's device, a LAN9118.
pub const ETHERNET: Range = Range::new(0x5200_0000, 0x1000);
/// The interrupt line of [`ETHERNET`].
pub const ETHERNET_LINE: Line = Line(48);
/// Two wires on the second connector for shields, with an I2C bus.
pub const I2C: Range = Range::new(0x5020_D000, 0x1000);
/// Interrupt lines of the processor that the vector table has; what is wired to more of them, nobody needs.
pub const LINES: usize = 64;
/// One tick of kernel time: the timers run at 20 MHz.
pub const TICK_NANOSECONDS: u32 = 50;
/// The subsystem's own controller lets user mode reach devices: the network's; the timers; the console, and the I2C
/// bus.
pub const OPENED: [(u32, u32); 3] =
    [(0x5008_00A0, 0b10_0000), (0x5008_00B0, 0b101), (0x5008_00C4, 0b10_0000_0010_0000)];
/// The interrupt line on which another processor calls: there is none.
pub const CALLED: Option<Line> = None;

/// The environment's window, of the one processor that there is.
#[must_use]
pub const fn environment(_processor: u32) -> Range {
    ENVIRONMENT
}
