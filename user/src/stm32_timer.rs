//! Timer 3 of an STM32F405 as an alarm that goes off once (RM0090, 18.4): for a process that has the device `timer3`. What time it
//! is the kernel says, so an alarm goes off as much late as whoever sets it is held up between asking and setting it.
//!
//! The timer has four channels that nobody uses otherwise, of 16 bits each. They hold when the alarm goes off, so that all who have
//! the device know.

mod cycles;

use core::ptr::with_exposed_provenance_mut;

use cycles::divided;

use crate::call;
use crate::time::{Instant, in_nanoseconds};

const BASE: usize = 0x4000_0400;
const CONTROL: usize = 0x00;
const INTERRUPTS: usize = 0x0C;
const STATE: usize = 0x10;
/// Written, what was set counts from now on.
const EVENT: usize = 0x14;
/// Cycles for each that it counts, less one.
const DIVIDER: usize = 0x28;
/// What it counts up to.
const LAST: usize = 0x2C;
const CHANNELS: [usize; 4] = [0x34, 0x38, 0x3C, 0x40];
/// It counts, once, and tells only of what it has counted.
const ONCE: u32 = 0b1101;
/// The same, but that it doesn't count.
const STOPPED: u32 = 0b1100;

/// What time it is, in nanoseconds.
#[must_use]
pub fn now() -> u64 {
    in_nanoseconds(call::time().since(Instant::START))
}

/// When the alarm goes off, or went off.
#[must_use]
pub fn alarm() -> u64 {
    CHANNELS.iter().rev().fold(0, |instant, channel| instant << 16 | u64::from(read(*channel) & 0xFFFF))
}

/// Whether it has, since it was set.
#[must_use]
pub fn has_gone_off() -> bool {
    read(STATE) & 1 == 1
}

/// Takes back the line that the last alarm has raised, and sets the next: a microsecond from now if it is due, and 4.29 s from now
/// if it is further off.
pub fn set(instant: u64) {
    silence();
    for (place, channel) in CHANNELS.into_iter().enumerate() {
        write(channel, (instant >> (16 * place)) as u32 & 0xFFFF);
    }
    let count = counted(instant.saturating_sub(now()).clamp(1_000, u32::MAX.into()) as u32);
    write(LAST, count);
    write(INTERRUPTS, 1);
    write(CONTROL, ONCE);
    // What is due before the timer is on never comes in the emulator. On a chip this changes nothing.
    write(LAST, count);
}

/// Takes the line back, and lets no alarm go off until one is set. The emulator's timer goes on behind an alarm.
pub fn silence() {
    write(CONTROL, STOPPED);
    write(INTERRUPTS, 0);
    write(STATE, 0);
}

/// What the timer counts up to for so many nanoseconds. The emulator's has 32 bits and counts nanoseconds, as long as nobody
/// has touched its divider; a chip's is told what to divide by.
fn counted(nanoseconds: u32) -> u32 {
    write(LAST, u32::MAX);
    if read(LAST) == u32::MAX {
        return nanoseconds;
    }
    let [divider, last] = divided(nanoseconds);
    write(DIVIDER, divider);
    write(EVENT, 1);
    last
}

fn read(register: usize) -> u32 {
    // SAFETY: as in `write`.
    unsafe { with_exposed_provenance_mut::<u32>(BASE + register).read_volatile() }
}

fn write(register: usize, value: u32) {
    // SAFETY: a register of a timer, which no Rust object lives in; the timer counts and interrupts, and reaches no memory. A
    // process that wasn't given it faults.
    unsafe { with_exposed_provenance_mut::<u32>(BASE + register).write_volatile(value) }
}
