//! The console: pins 9 and 10 of port A, at 115,200 bits a second (RM0090, 8.4 and 30.6).

use beryl_emulated::register::Register;

use crate::map::{PORT_A, UART0};

// SAFETY: what the pins of a port are for, which reaches no memory.
const MODE: Register = unsafe { Register::at(PORT_A) };
/// Which device a pin from 8 on is for.
// SAFETY: as above.
const DEVICE: Register = unsafe { Register::at(PORT_A + 0x24) };
// SAFETY: the registers of a serial line, which reach no memory.
const RATE: Register = unsafe { Register::at(UART0.address + 0x08) };
// SAFETY: as above.
const CONTROL: Register = unsafe { Register::at(UART0.address + 0x0C) };

/// The pins are a device's, and that is this one.
const OF_A_DEVICE: u32 = 0b1010 << 18;
const THIS: u32 = 7 << 8 | 7 << 4;
/// 80 MHz / 115,200.
const DIVIDED: u32 = 694;
/// It is on, and sends.
const SENDS: u32 = 1 << 13 | 1 << 3;

/// Turns it on, so that it sends.
pub fn start() {
    MODE.write(MODE.read() | OF_A_DEVICE);
    DEVICE.write(DEVICE.read() | THIS);
    RATE.write(DIVIDED);
    CONTROL.write(SENDS);
}
