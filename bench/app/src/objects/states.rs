//! State messages of 8 bytes, and of 256 that the kernel copies in pieces.

use bench_board::{made, used};
use beryl_user::state::{Reader, SlowReader, Writer};

use crate::failed;
use crate::objects::repeat;

/// Thread: writes.
#[inline(always)]
pub fn state_writer(mut speed: Writer<[i32; 2]>) -> ! {
    repeat("state-message/write-8", || speed.write(&[made(), made()]))
}

/// Thread of another process: reads, and looks whether it was overrun.
#[inline(always)]
pub fn state_reader(mut speed: Reader<[i32; 2]>) -> ! {
    repeat("state-message/read-8", || match speed.read() {
        Ok([first, second]) => {
            used(first);
            used(second);
        }
        Err(_) => failed(),
    })
}

/// Thread of another process: reads by a call.
#[inline(always)]
pub fn state_slow_reader(mut speed: SlowReader<[i32; 2]>) -> ! {
    repeat("state-message/read-slow-8", || match speed.read() {
        Ok([first, second]) => {
            used(first);
            used(second);
        }
        Err(_) => failed(),
    })
}

/// Thread of another process: writes once, and has nothing more to do.
#[inline(always)]
pub fn wide_writer(mut wide: Writer<[i32; 64]>) {
    wide.write(&[made(); 64]);
}

/// Thread of another process: reads a long value by a call.
#[inline(always)]
pub fn wide_slow_reader(mut wide: SlowReader<[i32; 64]>) -> ! {
    repeat("state-message/read-slow-256", || match wide.read() {
        Ok(values) => used(values[63]),
        Err(_) => failed(),
    })
}
