//! What was aimed at, and what others reach.

use crate::row::Row;

/// An aim, and what it is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aim {
    /// The most that is wanted now.
    pub now: u64,
    /// The most that is wanted in the end, where that is less.
    pub finally: Option<u64>,
    /// What other kernels reach, none of which protects memory here.
    pub peer: Option<&'static str>,
}

/// The aim for a row, if there is one.
pub fn aim(row: &Row) -> Option<Aim> {
    let aim = |now, finally, peer| Some(Aim { now, finally, peer });
    match (row.bench, row.case) {
        ("null-call", _) => aim(40, Some(16), None),
        ("yield/same-process", _) => aim(90, Some(44), Some("40 ChibiOS")),
        ("yield/two-processes", _) => aim(90, Some(48), Some("40 ChibiOS")),
        ("kernel/step", crate::step::STATIC) => aim(300, None, Some("5 (RTX5) to 1524")),
        ("size/kernel-text", _) => aim(8192, None, Some("1.7 to 6.8 kB")),
        ("size/data-per-thread", _) => aim(96, None, Some("40 to 180")),
        _ => None,
    }
}
