//! Where everything is on the chip (STM32F405 datasheet, 5; reference manual RM0090, 2.3).

use beryl_abi::{Line, Range};

/// Flash, of which the processor also sees a copy at 0, from where it begins.
pub const FLASH: Range = Range::new(0x0800_0000, 0x0010_0000);
/// Memory for data: the first three quarters of the SRAM.
pub const RAM: Range = Range::new(0x2000_0000, 0x0001_8000);
/// The environment's window: SRAM behind that. The 64 kB of core coupled memory aren't used: the emulator has them
/// elsewhere in each of its versions.
pub const ENVIRONMENT: Range = Range::new(0x2001_8000, 0x6000);
/// Where trace records wait until they are written to a file: the end of the SRAM.
pub const TRACE: Range = Range::new(0x2001_E000, 0x2000);
/// The console: USART 1.
pub const UART0: Range = Range::new(0x4001_1000, 0x400);
/// The line of its interrupt.
pub const UART0_LINE: u16 = 37;
/// The kernel's clock: TIM5, which has 32 bits.
pub const TIMER5: Range = Range::new(0x4000_0C00, 0x400);
/// The kernel's alarm: TIM2, which has 32 bits, too.
pub const TIMER2: Range = Range::new(0x4000_0000, 0x400);
/// The interrupt line of [`TIMER2`].
pub const TIMER2_LINE: Line = Line(28);
/// The pins of port A.
pub const PORT_A: u32 = 0x4002_0000;
/// The ports A to D, of sixteen pins each.
pub const PORTS: [Range; 4] = [
    Range::new(PORT_A, 0x400),
    Range::new(0x4002_0400, 0x400),
    Range::new(0x4002_0800, 0x400),
    Range::new(0x4002_0C00, 0x400),
];
/// Another serial line: USART 2.
pub const UART2: Range = Range::new(0x4000_4400, 0x400);
/// The line of its interrupt.
pub const UART2_LINE: u16 = 38;
/// A serial peripheral bus.
pub const SPI1: Range = Range::new(0x4001_3000, 0x400);
/// Two timers of 16 bits with four channels, for the system.
pub const TIMER3: Range = Range::new(0x4000_0400, 0x400);
/// The interrupt line of [`TIMER3`].
pub const TIMER3_LINE: Line = Line(29);
/// The second.
pub const TIMER4: Range = Range::new(0x4000_0800, 0x400);
/// The interrupt line of [`TIMER4`].
pub const TIMER4_LINE: Line = Line(30);
/// Three converters with a common interrupt line, 18.
pub const CONVERTER: Range = Range::new(0x4001_2000, 0x400);
/// What says which clocks run, and resets devices (RCC).
pub const CLOCKS: Range = Range::new(0x4002_3800, 0x400);
/// How long the processor waits for flash.
pub const FLASH_ACCESS: u32 = 0x4002_3C00;
/// Interrupt lines (datasheet, 3.12).
pub const LINES: usize = 82;
/// One tick of kernel time: the clock runs at 20 MHz.
pub const TICK_NANOSECONDS: u32 = 50;
