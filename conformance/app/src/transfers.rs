//! Transfers: a thread starts one, works shorter or longer than it takes, and waits for its end.

use beryl_user::interrupt::Interrupt;
use beryl_user::notification::wait_any;
use beryl_user::time::{self, Instant, Wait, microseconds};
use beryl_user::trace::tell;

use crate::{carrier, work};

/// How long a transfer takes, in microseconds.
const LENGTH: i32 = 683;

/// Starts one transfer after the other. Each end is seen once: seen again, it would come before the next transfer's.
pub fn transferring(mut ended: Interrupt) -> ! {
    let mut next = Instant::START.after(microseconds(450));
    let mut round = 0_u32;
    loop {
        time::sleep_until(next).ok();
        next = next.after(microseconds(2_900));
        carrier::start(LENGTH);
        if round % 3 == 2 {
            ended.acknowledge();
        }
        work([110, 330, 1_193, 1_570][round as usize % 4]);
        match round % 3 {
            0 => _ = ended.wait(),
            // What it does in between is interrupted, since the line may come from the first wait on.
            1 => {
                while ended.wait_for(Wait::AtMost(microseconds(83))).is_err() {
                    work(117);
                }
            }
            _ => _ = wait_any(ended.bits(), Wait::Forever),
        }
        tell(1, round);
        assert!(carrier::is_done(), "the end of a transfer is seen twice");
        round = round.wrapping_add(1);
    }
}
