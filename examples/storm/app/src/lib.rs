//! A device server whose device storms from some time on, and a controller that isn't late for it.
#![no_std]
#![forbid(unsafe_code)]

use beryl_user::bell;
use beryl_user::call;
use beryl_user::interrupt::Interrupt;
use beryl_user::period::Period;
use beryl_user::time::{self, Duration};
use beryl_user::trace::tell;

/// From packet to packet, in nanoseconds, while the device behaves, and when it doesn't any more.
const CALM: u32 = 5_000_000;
const STORM: u32 = 50_000;
/// The packet behind which it storms.
const LAST_CALM: u32 = 4;
/// How long a packet takes, and a job of the controller, in microseconds.
const PACKET: u64 = 500;
const JOB: u64 = 4_500;
/// Ticks of kernel time in a microsecond.
const MICROSECOND: u64 = time::microseconds(1).ticks();

/// Serves the device, whose rings stand for packets.
pub fn listen(mut packet: Interrupt) -> ! {
    bell::every(CALM);
    for count in 1_u32.. {
        if packet.wait().is_err() {
            break;
        }
        tell(1, count);
        bell::acknowledge();
        if count == LAST_CALM {
            bell::every(STORM);
        }
        work(PACKET);
    }
    call::stop()
}

/// Steers.
pub fn steer(mut period: Period) -> ! {
    loop {
        work(JOB);
        period.wait();
    }
}

/// Uses the processor for so many microseconds.
fn work(microseconds: u64) {
    call::keep_busy(Duration::from_ticks(microseconds * MICROSECOND));
}
