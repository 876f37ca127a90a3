//! Which clocks the chip runs on (RM0090, 7): the processor at 160 MHz, made of the chip's own 16 MHz, so that no board's crystal
//! matters; the timers at 80 MHz.
//!
//! The emulator has nothing of this: all of these registers read as zero, and its timers count nanoseconds.

use beryl_emulated::register::Register;

use crate::map::{CLOCKS, FLASH_ACCESS, TICK_NANOSECONDS};

// SAFETY: registers that say which clocks run, and reach no memory.
const CONTROL: Register = unsafe { Register::at(CLOCKS.address) };
/// How the faster clock is made of the chip's own.
// SAFETY: as above.
const MULTIPLIED: Register = unsafe { Register::at(CLOCKS.address + 0x04) };
/// Which clock is taken, and what others are made of it.
// SAFETY: as above.
const TAKEN: Register = unsafe { Register::at(CLOCKS.address + 0x08) };
/// What resets the devices of the slower bus.
// SAFETY: as above.
const RESET: Register = unsafe { Register::at(CLOCKS.address + 0x20) };
/// Which devices have a clock: the ports, the devices of the slower bus, those of the faster one.
// SAFETY: as above.
const DEVICES: [Register; 3] = unsafe {
    [
        Register::at(CLOCKS.address + 0x30),
        Register::at(CLOCKS.address + 0x40),
        Register::at(CLOCKS.address + 0x44),
    ]
};
// SAFETY: how long flash is waited for: nothing but time depends on it.
const FLASH: Register = unsafe { Register::at(FLASH_ACCESS) };

/// The chip's own clock is steady.
const OWN_IS_READY: u32 = 1 << 1;
const MULTIPLY: u32 = 1 << 24;
const MULTIPLIED_IS_READY: u32 = 1 << 25;
/// 16 MHz / 8 * 160 / 2; the part for USB gets 40 MHz, and is off.
const BY_TEN: u32 = 8 << 24 | 160 << 6 | 8;
/// The processor takes it as it is; the faster bus half of it, the slower a quarter.
const BUSES: u32 = 0b100 << 13 | 0b101 << 10;
const TAKE_MULTIPLIED: u32 = 0b10;
const IS_TAKEN: u32 = 0b1000;
/// Five wait states, with both caches and what fetches ahead.
const FIVE: u32 = 0b111 << 8 | 5;
/// All ports; the timers 2 to 5, the serial lines, the buses, power and the converter; the other timers and converters.
const USED: [u32; 3] = [0x1FF, 0x107E_C00F, 0x0007_5733];

/// Cycles of the timers in a tick: on the chip.
const CYCLES: u32 = 4;
/// In the emulator, whose timers count nanoseconds.
pub const MOST_CYCLES: u32 = TICK_NANOSECONDS;
/// How often is looked whether something is ready. The chip takes less than 300 microseconds.
const PATIENCE: u32 = 10_000;

/// Brings the clocks up, and answers how many cycles of the timers a tick has.
pub fn start() -> u32 {
    if CONTROL.read() & OWN_IS_READY == 0 {
        return MOST_CYCLES;
    }
    FLASH.write(FIVE);
    MULTIPLIED.write(BY_TEN);
    CONTROL.write(CONTROL.read() | MULTIPLY);
    wait_for(CONTROL, MULTIPLIED_IS_READY);
    TAKEN.write(BUSES);
    TAKEN.write(BUSES | TAKE_MULTIPLIED);
    wait_for(TAKEN, IS_TAKEN);
    for (register, used) in DEVICES.into_iter().zip(USED) {
        register.write(used);
    }
    CYCLES
}

/// Gives a device of the slower bus its state after reset.
#[inline(always)]
pub fn reset(device: u32) {
    RESET.write(device);
    RESET.write(0);
}

fn wait_for(register: Register, bits: u32) {
    // bound: 10000, `PATIENCE`
    for _ in 0..PATIENCE {
        if register.read() & bits == bits {
            return;
        }
    }
}
