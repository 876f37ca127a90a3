//! Preemption levels of threads and ceilings of locks (Baker, *Stack-based scheduling of realtime processes*, 1991).
//!
//! A thread preempts another only if its level is higher. In a fixed band a higher priority gives a higher level; in
//! a dynamic one a shorter relative deadline does. Threads of a more urgent band have higher levels than those of
//! all bands below. Each priority that a thread may have has a level. A holder of a ceiling lock runs at the lock's
//! ceiling: the highest level of all users, and of all threads that may lend a user their place (`lenders`). So no
//! other user of the lock can preempt it, in its own place or in another's.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::assembly::{Assembly, Policy, Thread, lenders};
use crate::description::Use;

/// Gives all threads their levels, all locks their ceilings, and all threads the highest ceiling of their locks.
pub(super) fn assign(assembly: &mut Assembly) {
    let urgencies: Vec<_> =
        assembly.threads.iter().map(|thread| urgency(assembly, thread, thread.place)).collect();
    let all = |thread| -> Vec<Urgency> {
        let places = Thread::least(thread)..=Thread::most(thread);
        places.filter_map(|place| urgency(assembly, thread, place)).collect()
    };
    // Whoever is in the background has the lowest of all: `Budget::BACKGROUND`.
    let background = assembly.has_background().then_some((Reverse(usize::MAX), Reverse(u64::MAX)));
    let levels: BTreeSet<_> = assembly.threads.iter().flat_map(all).chain(background).collect();
    // A level is the number of urgencies up to one's own, so there are at most as many as threads and priorities.
    let level = |own: &Option<Urgency>| own.map_or(0, |own| levels.range(..=own).count());
    for (thread, urgency) in assembly.threads.iter_mut().zip(&urgencies) {
        thread.level = u8::try_from(level(urgency)).unwrap_or(u8::MAX);
    }
    for lock in 0..assembly.objects.locks.len() {
        let users = lenders::users(assembly, Use::Lock(lock));
        let lending = users.iter().flat_map(|user| lenders::of(assembly, *user));
        let levels =
            lending.chain(users.iter().copied()).map(|thread| assembly.threads[thread].highest_level());
        let highest = levels.max().unwrap_or(0);
        assembly.objects.locks[lock].ceiling = if users.len() > 1 { highest } else { 0 };
    }
    for thread in &mut assembly.threads {
        let ceilings = thread.uses.iter().map(|used| match used {
            Use::Lock(lock) => assembly.objects.locks[*lock].ceiling,
            _ => 0,
        });
        thread.highest_ceiling = ceilings.max().unwrap_or(0);
    }
}

/// Band, and place in it; larger is more urgent.
type Urgency = (Reverse<usize>, Reverse<u64>);

/// That of a thread with this place. Nothing for threads that take no locks: those of drivers, and the idle thread.
fn urgency(assembly: &Assembly, thread: &Thread, place: u8) -> Option<Urgency> {
    let key = match assembly.bands.get(thread.band)?.policy {
        // What is left of its budget may be due at once: nobody's section may keep it out who doesn't share the lock.
        Policy::Dynamic { .. } if thread.has_bandwidth() => 0,
        Policy::Dynamic { .. } | Policy::Code { .. } => thread.role.deadline()?.ticks(),
        Policy::Fixed => u64::from(u8::MAX - place),
    };
    thread.role.is_applications().then_some((Reverse(thread.band), Reverse(key)))
}
