//! The dual timer of the MPS2 boards: for a process that has the device `dualtimer`, or `timers` on mps2-an505. It runs as
//! fast as the kernel's clock, behind which it lies on each of these boards. These are the registers of its first timer.

use core::ptr::with_exposed_provenance_mut;

use crate::time::microseconds;

unsafe extern "C" {
    /// The clock's second register; its address comes from the linker script.
    static __beryl_clock: u32;
}

/// From the clock's second register to the first of these.
const DISTANCE: usize = 0x1FFC;

/// Its ticks in a microsecond.
pub const MICROSECOND: u32 = microseconds(1).ticks() as u32;
/// The length of its tick, in nanoseconds.
pub const TICK: u32 = 1_000 / MICROSECOND;

/// Where it counts down from; written, it begins there.
pub const LOAD: usize = 0x00;
/// What it does: [`PERIODIC`], [`ONCE`], or nothing.
pub const CONTROL: usize = 0x08;
/// Written, its line is taken back.
pub const CLEAR: usize = 0x0C;
/// Whether it has raised its line.
pub const RAISED: usize = 0x10;
/// As [`LOAD`], from when it begins anew.
pub const NEXT_LOAD: usize = 0x18;

/// Of [`CONTROL`]: enabled, begins anew each time, interrupts, counts in 32 bits.
pub const PERIODIC: u32 = 0b1110_0010;
/// The same, but that it stops at zero.
pub const ONCE: u32 = 0b1110_0011;

/// What a register holds.
#[must_use]
pub fn read(register: usize) -> u32 {
    // SAFETY: as in `write`.
    unsafe { with_exposed_provenance_mut::<u32>(place(register)).read_volatile() }
}

/// Changes a register's content.
pub fn write(register: usize, value: u32) {
    // SAFETY: a register of a timer, or of what lies behind it, which no Rust object lives in; the timer counts and
    // interrupts, and reaches no memory. A process that wasn't given it faults.
    unsafe { with_exposed_provenance_mut::<u32>(place(register)).write_volatile(value) }
}

/// Nothing but its own registers, whatever is asked for.
fn place(register: usize) -> usize {
    (&raw const __beryl_clock).addr() + DISTANCE + (register & 0x1C)
}
