//! State messages of 8 bytes.

use bench_board::{made, used};
use beryl_user::state::{Reader, SlowReader, Writer};

use crate::{failed, repeat};

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
