//! Ranks: the band list laid out flat, as the kernel walks it. Each dynamic band has one, and each priority of a fixed
//! band that somebody has; 0 is the most urgent, the last is the idle thread's.

use std::collections::BTreeSet;

use crate::assembly::{Assembly, Policy, Role, Thread};

/// The rank of threads that stand in no band: the last possible.
const NONE: u8 = 31;

/// Gives all threads their ranks.
pub(super) fn assign(assembly: &mut Assembly) {
    let places: Vec<_> = assembly.threads.iter().map(|thread| place(assembly, thread)).collect();
    let ranks = distinct(assembly);
    for (thread, place) in assembly.threads.iter_mut().zip(places) {
        let rank = place.map(|own| ranks.range(..own).count());
        thread.rank = rank.and_then(|rank| u8::try_from(rank).ok()).unwrap_or(NONE);
    }
}

/// How many ranks there are.
pub(super) fn count(assembly: &Assembly) -> usize {
    distinct(assembly).len()
}

/// Band and place in it; less is more urgent.
type Place = (usize, u8);

fn distinct(assembly: &Assembly) -> BTreeSet<Place> {
    assembly.threads.iter().filter_map(|thread| place(assembly, thread)).collect()
}

/// Nothing for driver threads, which run above all bands.
fn place(assembly: &Assembly, thread: &Thread) -> Option<Place> {
    if matches!(thread.role, Role::Drivers) {
        return None;
    }
    Some(match assembly.bands.get(thread.band)?.policy {
        Policy::Dynamic { .. } | Policy::Code { .. } => (thread.band, 0),
        Policy::Fixed => (thread.band, u8::MAX - thread.place),
    })
}
