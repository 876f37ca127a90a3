//! The crank: a device server that makes a speed of teeth, and what is done once a revolution.

use beryl_user::call;
use beryl_user::interrupt::Interrupt;
use beryl_user::notification::{Notification, Notifier};
use beryl_user::state::{Reader, Writer};
use beryl_user::time::{self, Duration, Instant, Wait, microseconds, milliseconds, seconds};

use crate::latest::Latest;
use crate::{TEETH, wheel};

/// Of kernel time.
const TICKS_A_MINUTE: f32 = seconds(60).ticks() as f32;
/// An engine whose teeth are further apart than this stands still: 50 revolutions a minute.
const STANDSTILL: Duration = milliseconds(100);
/// What a tooth takes in the simulator.
const WORK: Duration = microseconds(20);

/// The teeth of the last revolution, by when they came.
pub struct Teeth {
    /// Instants in ticks, the low words; the oldest at `next`.
    instants: [u32; TEETH as usize],
    next: usize,
    /// Teeth since the wheel began to turn.
    count: u32,
}

impl Default for Teeth {
    fn default() -> Teeth {
        Teeth { instants: [0; TEETH as usize], next: 0, count: 0 }
    }
}

impl Teeth {
    /// A tooth at an instant (ticks, the low word). The speed over the last revolution (1/min), from the second
    /// revolution on; 0 before.
    pub fn pass(&mut self, instant: u32) -> f32 {
        let oldest = core::mem::replace(&mut self.instants[self.next], instant);
        self.next = (self.next + 1) % self.instants.len();
        self.count = self.count.saturating_add(1);
        let ticks = instant.wrapping_sub(oldest);
        if self.count <= TEETH || ticks == 0 { 0.0 } else { TICKS_A_MINUTE / ticks as f32 }
    }

    /// Whether the last tooth ended a revolution.
    #[must_use]
    pub fn is_turn(&self) -> bool {
        self.next == 0
    }

    /// Teeth since the wheel began to turn.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.count
    }
}

/// Serves the crank's interrupt: up to 1000 a second.
pub fn crank(mut crank: Interrupt, mut speed: Writer<[f32; 2]>, mut turn: Notifier, tooth: Reader<i32>) -> ! {
    let mut tooth = Latest::new(tooth, 0);
    let mut teeth = Teeth::default();
    loop {
        if crank.wait_for(Wait::AtMost(STANDSTILL)).is_err() {
            teeth = Teeth::default();
            speed.write(&[0.0, 0.0]);
            continue;
        }
        // A line that was still up when the kernel masked it comes once more when it has been served.
        if !wheel::is_tooth(&mut tooth) {
            continue;
        }
        let now = low_word(time::now());
        call::spend(WORK);
        speed.write(&[teeth.pass(now), teeth.count() as f32]);
        if teeth.is_turn() {
            turn.notify();
        }
    }
}

/// Compares each revolution with the one before: misfires make an engine run roughly.
pub fn revolution(mut turn: Notification, mut roughness: Writer<f32>) -> ! {
    let (mut last, mut before) = (low_word(time::now()), 0);
    while turn.wait().is_ok() {
        let now = low_word(time::now());
        let length = now.wrapping_sub(last);
        let change = length.abs_diff(before) as f32 / length.max(1) as f32;
        roughness.write(&change);
        (last, before) = (now, length);
    }
    call::stop()
}

/// The low word of an instant, for distances of up to 171 s.
fn low_word(instant: Instant) -> u32 {
    (instant.ticks() & u64::from(u32::MAX)) as u32
}
