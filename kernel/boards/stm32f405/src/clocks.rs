//! Which clocks the chip runs on (RM0090, 7): the processor at 160 MHz, made of the chip's own 16 MHz, so that no board's crystal
//! matters; the timers at 80 MHz. And the console: pins 9 and 10 of port A, at 115,200 bits a second (8.4, 30.6).
//!
//! The emulator has no clocks: all of these registers read as zero, and its timers count nanoseconds.

use beryl_emulated::register::Step::{self, Await, Set, Write};

use crate::map::{CLOCKS, FLASH_ACCESS, PORT_A, UART0};

/// The chip's own clock is steady.
pub const IS_STEADY: u32 = 1 << 1;

/// What is done on a chip.
pub const UP: [Step; 10] = [
    // Flash has five wait states, with both caches and what fetches ahead.
    Write(FLASH_ACCESS, 0b111 << 8 | 5),
    // The chip's own clock is multiplied: / 8 * 160 / 2. The part for USB gets 40 MHz, and is off.
    Write(CLOCKS.address + 0x04, 8 << 24 | 160 << 6 | 8),
    Set(CLOCKS.address, 1 << 24),
    Await(CLOCKS.address, 1 << 25),
    // The processor takes that as it is; the faster bus half of it, the slower a quarter.
    Write(CLOCKS.address + 0x08, BUSES),
    Write(CLOCKS.address + 0x08, BUSES | 0b10),
    Await(CLOCKS.address + 0x08, 0b1000),
    // All ports; the timers 2 to 5, the serial lines, the buses, power and the converter; the other timers and converters.
    Write(CLOCKS.address + 0x30, 0x1FF),
    Write(CLOCKS.address + 0x40, 0x107E_C00F),
    Write(CLOCKS.address + 0x44, 0x0007_5733),
];
const BUSES: u32 = 0b100 << 13 | 0b101 << 10;

/// The console's pins are a device's, and that is this one; 80 MHz / 115,200; it is on, and sends.
pub const CONSOLE: [Step; 4] = [
    Set(PORT_A, 0b1010 << 18),
    Set(PORT_A + 0x24, 7 << 8 | 7 << 4),
    Write(UART0.address + 0x08, 694),
    Write(UART0.address + 0x0C, 1 << 13 | 1 << 3),
];
