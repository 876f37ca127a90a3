//! The cells of the last readings, in a ring: what is older is taken back from the map.

use core::sync::atomic::{AtomicU16, Ordering::Relaxed};

/// How many readings count: those of 25 s.
pub const READINGS: usize = 300;
/// A reading that is in no cell.
const NOWHERE: u16 = u16::MAX;

static RING: [AtomicU16; READINGS] = [const { AtomicU16::new(NOWHERE) }; READINGS];
static NEXT: AtomicU16 = AtomicU16::new(0);

/// Puts a reading's cell in, and returns that of the oldest one, which is out.
pub fn replace(cell: Option<usize>) -> Option<usize> {
    let next = usize::from(NEXT.load(Relaxed)) % READINGS;
    NEXT.store(((next + 1) % READINGS) as u16, Relaxed);
    let cell = cell.and_then(|cell| u16::try_from(cell).ok()).unwrap_or(NOWHERE);
    let oldest = RING[next].load(Relaxed);
    RING[next].store(cell, Relaxed);
    (oldest != NOWHERE).then_some(usize::from(oldest))
}
