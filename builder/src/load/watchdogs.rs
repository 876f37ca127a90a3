//! Watchdogs: what their timers take.

use beryl_analysis::{Interference, Ticks};

use crate::costs::{Costed, Steps};

/// How often a timer goes off in a stretch as long as its supervisor may stay away, at most: it goes off for nothing if its
/// supervisor came back meanwhile, and is set to an instant that is that long behind the last time it did.
const OFTEN: u64 = 2;

/// What the kernel does when the timer of a watchdog goes off: it is set anew, or the watchdog bites, in a step of its own.
/// What follows is a fault, which is counted with the [stops](super::stops()) and [restarts](super::restarts()) of its
/// process; the step in which a timer is set, with each report.
pub(crate) fn watchdogs(costed: &Costed) -> impl Iterator<Item = Interference> {
    let assembly = &costed.assembly;
    let bite = costed.costs.ticks(Steps { jobs: 1, sorting: 0, decisions: 1 });
    assembly.watchdogs.iter().map(move |watchdog| Interference {
        name: format!("watchdog of {}", assembly.threads[watchdog.thread].name),
        period: Ticks::new(watchdog.within.ticks()),
        worst: Ticks::new(costed.costs.timer.saturating_add(bite).saturating_mul(OFTEN)),
        is_sporadic: true,
        ..Default::default()
    })
}
