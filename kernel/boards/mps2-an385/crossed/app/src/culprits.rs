//! A board: what goes wrong, and who is beside it in calls and interrupts.
//!
//! The environment's window says what each is to do: four words a case, which are what goes wrong, the stack
//! pointer with which it does, when, and an address for it.

use beryl_user::bell;
use beryl_user::call;
use beryl_user::environment::{self, Channel};
use beryl_user::interrupt::Interrupt;
use beryl_user::time::{self, Instant};

use crate::processor::{commit, count, hold_in_a_register};

/// The cases of threads, in the order in which they begin.
const OF_THREADS: Channel = Channel::new(1);
/// The cases of the driver, one at each instant.
const OF_DRIVER: Channel = Channel::new(2);
/// So many ticks before its instant a thread wakes up.
const EARLY: u64 = 1_500;
/// From ring to ring, in nanoseconds.
const RINGS: u32 = 370_000;

/// A case.
#[derive(Clone, Copy)]
pub struct Case {
    pub what: u32,
    pub stack_pointer: u32,
    at: u32,
    pub address: u32,
}

impl Case {
    fn next(channel: Channel) -> Case {
        let mut words = [NOTHING.cast_signed(), 0, 0, 0];
        environment::read(channel, &mut words);
        let [what, stack_pointer, at, address] = words.map(i32::cast_unsigned);
        Case { what, stack_pointer, at, address }
    }
}

/// Nothing goes wrong.
const NOTHING: u32 = u32::MAX;

/// Thread: its case.
pub fn culprit() -> ! {
    let case = Case::next(OF_THREADS);
    time::sleep_until(Instant::from_ticks(u64::from(case.at).saturating_sub(EARLY))).ok();
    while count() < case.at {}
    commit(case);
    call::stop()
}

/// Setter: the next case.
pub fn go_wild(_nothing: &i32) {
    let case = Case::next(OF_DRIVER);
    let begin = count();
    while count().wrapping_sub(begin) < case.at {}
    commit(case);
}

/// Thread: makes one call after another.
pub fn caller() -> ! {
    loop {
        for _ in 0..100 {
            call::null();
            let _ = call::execution_time();
        }
        call::yield_now();
    }
}

/// Thread: is always about to make the call that would end it.
pub fn about_to_stop() -> ! {
    const STOP: u32 = 6;
    loop {
        if hold_in_a_register(STOP) != STOP {
            call::stop();
        }
        call::yield_now();
    }
}

/// Thread: serves a timer, whose line is up until it does.
pub fn ringer(mut heard: Interrupt) -> ! {
    bell::every(RINGS);
    loop {
        if heard.wait().is_err() {
            call::stop();
        }
        bell::acknowledge();
    }
}
