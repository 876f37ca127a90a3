//! Scans that wait until it is known where the robot was: odometers are read less often than sonars.

use core::sync::atomic::{AtomicI32, Ordering::Relaxed};

/// As many as there are sonars.
pub type Ranges = [i32; 6];

/// More than can wait: a scan waits at most twice the time from one look at the wheels to the next, which is five scans.
const PLACES: usize = 8;

/// Each with its instant in ms, and its ranges.
static SCANS: [[AtomicI32; 7]; PLACES] = [const { [const { AtomicI32::new(0) }; 7] }; PLACES];
static FIRST: AtomicI32 = AtomicI32::new(0);
static COUNT: AtomicI32 = AtomicI32::new(0);

/// Puts a scan behind the others. If there is no place left the first one goes.
pub fn put(instant: i32, ranges: Ranges) {
    if COUNT.load(Relaxed) >= PLACES as i32 {
        drop_first();
    }
    let place = &SCANS[place(COUNT.load(Relaxed))];
    place[0].store(instant, Relaxed);
    for (kept, range) in place[1..].iter().zip(ranges) {
        kept.store(range, Relaxed);
    }
    COUNT.store(COUNT.load(Relaxed) + 1, Relaxed);
}

/// Takes the first scan, if it is of that instant or before.
pub fn take_until(instant: i32) -> Option<(i32, Ranges)> {
    let scan = &SCANS[place(0)];
    let at = scan[0].load(Relaxed);
    if COUNT.load(Relaxed) == 0 || at > instant {
        return None;
    }
    drop_first();
    Some((at, core::array::from_fn(|sonar| scan[sonar + 1].load(Relaxed))))
}

fn drop_first() {
    FIRST.store(place(1) as i32, Relaxed);
    COUNT.store(COUNT.load(Relaxed) - 1, Relaxed);
}

/// The place of the scan that so many are before.
fn place(before: i32) -> usize {
    (FIRST.load(Relaxed) + before).rem_euclid(PLACES as i32) as usize
}
