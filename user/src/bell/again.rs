//! A timer that goes on by itself: that of the MPS2 boards.

use crate::dual_timer::{CLEAR, CONTROL, LOAD, NEXT_LOAD, ONCE, PERIODIC, RAISED, TICK, read, write};

pub const GOES_ON: bool = true;

pub fn every(nanoseconds: u32) {
    let ticks = nanoseconds / TICK;
    if ticks == 0 {
        write(CONTROL, 0);
    } else if read(CONTROL) != PERIODIC || read(LOAD) != ticks {
        write(LOAD, ticks);
        write(CONTROL, PERIODIC);
    }
}

pub fn after(nanoseconds: u32) {
    write(CONTROL, 0);
    write(CLEAR, 1);
    write(LOAD, nanoseconds / TICK);
    write(CONTROL, ONCE);
}

pub fn has_rung() -> bool {
    read(RAISED) != 0
}

pub fn acknowledge() {
    write(CLEAR, 1);
}

pub fn again_after(nanoseconds: u32) {
    write(NEXT_LOAD, (nanoseconds / TICK).max(1));
}
