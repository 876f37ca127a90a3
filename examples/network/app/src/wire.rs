//! The wire: packets come at instants that are fixed beforehand, whoever is ready for them. On the board a timer tells
//! of the next one, in the simulation the environment.

use beryl_user::bell;
use beryl_user::call::time;
use beryl_user::environment::{self, Channel};
use beryl_user::time::{Duration, Instant, microseconds};

/// Where the environment hears when the next packet comes, in microseconds from then on.
pub const NEXT: Channel = Channel::new(0);
/// The least from packet to packet.
const NEAREST: u64 = microseconds(10).ticks();
const TICKS_A_MICROSECOND: u64 = microseconds(1).ticks();

/// What comes.
pub struct Wire {
    next: Instant,
    /// The most from packet to packet, in ticks.
    farthest: u64,
    random: u32,
}

impl Wire {
    /// One whose first packet is there, and the others so far from each other at most.
    pub fn with(farthest: Duration) -> Wire {
        Wire { next: Instant::from_ticks(0), farthest: farthest.ticks(), random: 1 }
    }

    /// Lets the device interrupt when the next packet comes; at once, if it is there.
    pub fn interrupt_for_the_next(&self) {
        let left = self.next.ticks().saturating_sub(time().ticks()).div_ceil(TICKS_A_MICROSECOND);
        let left = i32::try_from(left.max(1)).unwrap_or(i32::MAX);
        bell::after(left.unsigned_abs().saturating_mul(1_000));
        if cfg!(not(target_os = "none")) {
            environment::write(NEXT, &left);
        }
    }

    /// Takes the line back.
    pub fn acknowledge(&self) {
        bell::acknowledge();
    }

    /// Takes a packet, if there is one.
    pub fn has_brought_a_packet(&mut self) -> bool {
        let has = self.next <= time();
        if has {
            let distance = NEAREST + u64::from(self.draw()) % (self.farthest - NEAREST + 1);
            self.next = self.next.after(Duration::from_ticks(distance));
        }
        has
    }

    /// The next of a row of numbers that look as if they came by chance (Marsaglia's shifts).
    fn draw(&mut self) -> u32 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 17;
        self.random ^= self.random << 5;
        self.random
    }
}
