//! The real-time clock of the board virt, with its alarm: for a process that has the device `rtc`. It counts nanoseconds,
//! and interrupts once, when its alarm goes off.
//!
//! The first half of an instant that is read holds the second, and the second half that is written sets the alarm.

use core::ptr::with_exposed_provenance_mut;

const BASE: usize = 0x0010_1000;
const TIME: [usize; 2] = [0x00, 0x04];
const ALARM: [usize; 2] = [0x08, 0x0C];
const INTERRUPTS: usize = 0x10;
const CLEAR: usize = 0x1C;

/// What it says, in nanoseconds.
#[must_use]
pub fn now() -> u64 {
    instant(TIME)
}

/// When the alarm goes off, or went off.
#[must_use]
pub fn alarm() -> u64 {
    instant(ALARM)
}

/// Whether it has, or would have if it had been let.
#[must_use]
pub fn has_gone_off() -> bool {
    now() >= alarm()
}

/// Takes back the line that the last alarm has raised, and sets the next, which raises it at once if it is due.
pub fn set(instant: u64) {
    write(CLEAR, 1);
    write(INTERRUPTS, 1);
    write(ALARM[1], (instant >> 32) as u32);
    write(ALARM[0], instant as u32);
}

/// Takes the line back, and lets no alarm go off until one is set.
pub fn silence() {
    write(INTERRUPTS, 0);
    write(CLEAR, 1);
}

fn instant([low, high]: [usize; 2]) -> u64 {
    let low = read(low);
    u64::from(low) | u64::from(read(high)) << 32
}

fn read(offset: usize) -> u32 {
    // SAFETY: as in `write`.
    unsafe { with_exposed_provenance_mut::<u32>(BASE + offset).read_volatile() }
}

fn write(offset: usize, value: u32) {
    // SAFETY: a register of a clock, which no Rust object lives in; the clock counts and interrupts, and reaches no
    // memory.
    unsafe { with_exposed_provenance_mut::<u32>(BASE + offset).write_volatile(value) }
}
