//! Wake-ups: what the kernel does until a sporadic thread is ready.

use beryl_analysis::{Interference, Ticks};

use crate::assembly::{Role, Thread, Use};
use crate::costs::{Costed, Steps, promised};

/// Steps of an interrupt that wakes a thread: the interrupt itself, and the thread's place. The decision comes later.
const OF_AN_INTERRUPT: u64 = 2;

/// The kernel's steps for a sporadic thread that becomes ready, without its release, which is counted for each job.
pub(crate) fn wake_ups(system: &Costed, thread: &Thread) -> Option<Interference> {
    let Role::Free { sporadic: Some(times), .. } = &thread.role else { return None };
    let distance = times.separation.ticks().saturating_sub(times.jitter.ticks()).max(1);
    let lines = thread.uses.iter().filter(|used| matches!(used, Use::Interrupt(_))).count();
    let lines = u64::try_from(lines).unwrap_or(u64::MAX);
    let promised = promised(&system.assembly, thread);
    let by_interrupt = match lines {
        0 => 0,
        // Others that come while it is awake only leave their bits.
        lines => {
            let jobs = OF_AN_INTERRUPT.saturating_add(promised).saturating_add(lines - 1);
            system.costs.ticks(Steps { jobs, sorting: 0, decisions: 1 })
        }
    };
    let all = system.costs.timer.saturating_add(by_interrupt.max(system.end_of_wait(thread)));
    Some(Interference {
        name: format!("wake-ups of {}", thread.name),
        period: Ticks::new(distance),
        worst: Ticks::new(all.saturating_sub(system.costs.charges.release.ticks())),
        is_sporadic: true,
        ..Default::default()
    })
}
