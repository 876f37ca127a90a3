//! Tasks that events release: a bell that rings more often than it may, and a port that changes now and then.

use crate::{bell, work};

/// Starts the bell when nothing has rung yet: at the first instant, before all else.
pub fn start_once(rung: &i32) {
    if *rung == 0 {
        bell::start();
    }
    work(25);
}

/// Another value with each third one.
pub fn step_impl(count: &i32, rung: &i32, step: &mut i32) {
    work(730);
    *step = (*count / 3).wrapping_mul(100).wrapping_add(rung / 5);
}

/// Counts how often the bell rang.
pub fn ring_impl(rung: &mut i32, total: &mut i32) {
    bell::silence();
    work(340);
    *rung = rung.wrapping_add(1);
    *total = *rung;
}

/// Says what has changed.
pub fn changed_impl(step: &i32, seen: &mut i32, shown: &mut i32) {
    work(460);
    *seen = seen.wrapping_add(1);
    *shown = step.wrapping_add(*seen);
}

/// Whether a change counts.
pub fn counts(step: &i32) -> bool {
    work(25);
    *step != 200
}
