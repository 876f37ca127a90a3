//! Ranks: the list of bands laid out flat, as the kernel walks it. Each dynamic band has one rank, and so has each
//! priority of a fixed band that a thread has or may have. Rank 0 is the most urgent, and the last is the idle
//! thread's. There are no gaps between the priorities that a thread may have, so the kernel counts from the rank
//! with which the thread begins. Where budgets lower places, the background has a rank just above the idle thread's,
//! and whoever waits for a budget has one just below. Above the background each partition whose places are lowered has a
//! rank of its own, which counts in its windows only.

use std::collections::BTreeSet;

use crate::assembly::{Assembly, OnSpent, Policy, Role, Thread};

/// The rank of threads that are in no band: the last possible one.
const NONE: u8 = 31;

/// The place of the idle thread in its band, and of whoever else has the priority 0. Before it is the background,
/// behind it is who waits for a budget.
const IDLE: u8 = u8::MAX - 1;
const BACKGROUND: u8 = IDLE - 1;

/// Gives all threads their ranks.
pub(super) fn assign(assembly: &mut Assembly) {
    let places: Vec<_> =
        assembly.threads.iter().map(|thread| place(assembly, thread, thread.place)).collect();
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
    let all = |thread| -> Vec<Place> {
        let priorities = Thread::least(thread)..=Thread::most(thread);
        priorities.filter_map(|priority| place(assembly, thread, priority)).collect()
    };
    let lowered = assembly.threads.iter().filter_map(|thread| lowered(assembly, thread));
    assembly.threads.iter().flat_map(all).chain(lowered).collect()
}

/// The rank of a thread's place while it is lowered; nothing if it never is.
pub(crate) fn background(assembly: &Assembly, thread: &Thread) -> Option<u8> {
    let own = lowered(assembly, thread)?;
    u8::try_from(distinct(assembly).range(..own).count()).ok()
}

/// Where it is then.
fn lowered(assembly: &Assembly, thread: &Thread) -> Option<Place> {
    let idle = assembly.bands.len().saturating_sub(1);
    let own = match thread.budget?.on_spent {
        OnSpent::Lowers => {
            let partition = assembly.partition_of(thread).and_then(|number| u8::try_from(number).ok());
            BACKGROUND.saturating_sub(partition.map_or(0, |number| number.saturating_add(1)))
        }
        // Nobody runs who is below the idle thread.
        OnSpent::Waits => u8::MAX,
        OnSpent::Tells | OnSpent::Faults | OnSpent::PutsOff => return None,
    };
    Some((idle, own))
}

/// That of a thread with this place. Nothing for driver threads, which run above all bands.
fn place(assembly: &Assembly, thread: &Thread, own: u8) -> Option<Place> {
    if matches!(thread.role, Role::Drivers) {
        return None;
    }
    Some(match assembly.bands.get(thread.band)?.policy {
        Policy::Dynamic { .. } | Policy::Code { .. } => (thread.band, 0),
        Policy::Fixed => (thread.band, IDLE.saturating_sub(own)),
    })
}
