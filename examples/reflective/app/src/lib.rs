//! A time-driven scheduler in user mode, and three threads to which it gives slices of a cycle.
//!
//! It sleeps until a slice begins. When it reads the clock then, it is late by what waking takes. From some slice on it
//! wakes earlier by an estimate of that, which each slice corrects: so in the end it reads the instant that it meant.
#![no_std]
#![forbid(unsafe_code)]

use beryl_user::call;
use beryl_user::thread::Thread;
use beryl_user::time::{self, Duration, Instant, microseconds, milliseconds};
use beryl_user::trace::tell;

/// What is told: how many ticks too late a slice begins, and that a thread has done a piece of work.
const LATE: u16 = 1;
const WORK: u16 = 2;

/// When the slices of a cycle begin, and whose they are.
const CYCLE: Duration = milliseconds(10);
const SLICES: [(Duration, usize); 4] =
    [(milliseconds(0), 0), (milliseconds(3), 1), (milliseconds(6), 0), (milliseconds(9), 2)];
/// The slice from which on the latency is calibrated away.
const CALIBRATED: u32 = 20;

/// The priorities of who has a slice, and of who hasn't.
const HAS: u8 = 5;
const HAS_NOT: u8 = 2;

/// How long a piece of work takes.
const PIECE: Duration = microseconds(200);

/// Gives each thread its slices.
pub fn scheduler(first: Thread, second: Thread, third: Thread) -> ! {
    let mut threads = [first, second, third];
    let mut latency = Latency::default();
    let mut last = 0;
    let mut number = 0_u32;
    let mut cycle = Instant::START.after(CYCLE);
    loop {
        for (offset, next) in SLICES {
            let begin = cycle.after(offset);
            if time::sleep_until(latency.before(begin)).is_err() {
                call::stop();
            }
            let late = signed(time::now(), begin);
            tell(LATE, late.cast_unsigned());
            if number >= CALIBRATED {
                latency.correct(late);
            }
            give(&mut threads, last, next);
            last = next;
            number += 1;
        }
        cycle = cycle.after(CYCLE);
    }
}

/// What it takes from the instant for which the scheduler asks until it reads the clock, as far as it knows.
#[derive(Default)]
struct Latency {
    ticks: i32,
}

impl Latency {
    /// The instant for which to ask.
    fn before(&self, instant: Instant) -> Instant {
        Instant::from_ticks(instant.ticks().saturating_add_signed(-i64::from(self.ticks)))
    }

    /// It was late by so many ticks: half of that, and at least one, is corrected at once.
    fn correct(&mut self, late: i32) {
        self.ticks += late - late / 2;
    }
}

/// How many ticks one instant is behind the other.
fn signed(instant: Instant, meant: Instant) -> i32 {
    instant.ticks().wrapping_sub(meant.ticks()) as i32
}

/// The slice of one thread is over, that of another begins.
fn give(threads: &mut [Thread; 3], last: usize, next: usize) {
    let _ = threads[last].set_priority(HAS_NOT);
    let _ = threads[next].set_priority(HAS);
}

/// Works in its slices.
pub fn first() -> ! {
    work(0)
}

/// The same.
pub fn second() -> ! {
    work(1)
}

/// The same.
pub fn third() -> ! {
    work(2)
}

fn work(who: u32) -> ! {
    loop {
        call::keep_busy(PIECE);
        tell(WORK, who);
    }
}
