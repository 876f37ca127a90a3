//! Those that do nothing wrong, and must not notice that others do.

use core::sync::atomic::{AtomicU32, Ordering};

use beryl_user::call::spend;
use beryl_user::condition::Condition;
use beryl_user::endpoint::Server;
use beryl_user::environment::{self, Channel};
use beryl_user::event_group::{Source, Waiter, any};
use beryl_user::mailbox::{Receiver, Sender};
use beryl_user::notification::{Notification, Notifier};
use beryl_user::period::Period;
use beryl_user::semaphore::{Binary, Counting};
use beryl_user::state::SlowReader;
use beryl_user::time::{self, Duration, Wait};

const COUNT: Channel = Channel::new(0);
/// 2 ms at 25 MHz.
const WHILE: Duration = Duration::from_ticks(50_000);

/// What a process knows its memory to hold: each word is a function of its place.
struct Known([AtomicU32; WORDS]);

const WORDS: usize = 64;

static KNOWN: Known = Known([const { AtomicU32::new(0) }; WORDS]);

impl Known {
    fn word(place: usize) -> u32 {
        (place as u32).wrapping_mul(0x9E37_79B9) ^ 0x5EED_5EED
    }

    /// Whether nothing has changed; at first it is filled.
    fn is_whole(&self) -> bool {
        self.0.iter().enumerate().all(|(place, word)| {
            let held = word.load(Ordering::Relaxed);
            if held == 0 {
                word.store(Known::word(place), Ordering::Relaxed);
            }
            held == 0 || held == Known::word(place)
        })
    }
}

/// Counts its jobs.
pub fn steady_impl(jobs: &mut i32, count: &mut i32) {
    *jobs = jobs.saturating_add(1);
    *count = *jobs;
}

/// Shows the count.
pub fn show_count(count: &i32) {
    environment::write(COUNT, count);
}

/// A periodic thread: looks whether its memory is as it was, and faults if it isn't.
pub fn beat(mut period: Period) -> ! {
    loop {
        assert!(KNOWN.is_whole(), "somebody has written to our memory");
        spend(Duration::from_ticks(100));
        period.wait();
    }
}

/// Answers whoever asks. What else it has is there for others to reach for.
pub fn clerk(
    mut desk: Server<[i32; 2], [i32; 2]>,
    _safe: Binary<()>,
    _bell: Condition,
    _inside: Sender<[i32; 2]>,
    _hint: Notifier,
    _lamp: Source,
) -> ! {
    desk.serve(|[first, second]| [second, first])
}

/// Takes whatever comes, and never waits for long.
#[expect(clippy::too_many_arguments, reason = "it is given one object of each kind")]
pub fn porter(
    mut post: Receiver<[i32; 2]>,
    mut shared: Binary<()>,
    mut units: Counting,
    mut flags: Waiter,
    mut ring: Notification,
    mut level: SlowReader<[i32; 4]>,
    _inside: Receiver<[i32; 2]>,
    _hint: Notification,
    _lamp: Waiter,
) -> ! {
    loop {
        let wait = Wait::AtMost(WHILE);
        let _ = post.receive_for(wait);
        let _ = shared.wait_for(wait).map(drop);
        let _ = units.wait_for(wait);
        let _ = flags.wait_for(any(1).taking(), wait);
        let _ = ring.wait_for(wait);
        let _ = level.read();
        if time::sleep(WHILE).is_err() {
            beryl_user::call::stop();
        }
    }
}
