//! Limits: how long threads wait whose names mark a limited wait, and the actions of threads that wait for a
//! condition or signal it.

use beryl_abi::call::{CallNumber, FOREVER};
use beryl_builder::Project;
use beryl_builder::assembly::{Role, Thread, Use};

use super::{Act, own_time};
use crate::further::{DOZING, LIMITED};

/// How long a thread waits: one that others wake, longer than it ever has to, so that only the timer remains;
/// one that sleeps, until its separation is over.
pub(super) fn limit(project: &Project, index: usize, thread: &Thread) -> u32 {
    if thread.name.starts_with(DOZING) {
        return narrow(told_at_most_every(project, thread).unwrap_or(pause(project, index)));
    }
    let Role::Free { sporadic: Some(times), .. } = &thread.role else { return FOREVER };
    if !thread.name.contains(LIMITED) || waits_for_condition(thread) {
        return FOREVER;
    }
    let separation = times.separation.ticks();
    let rest = separation / 16 * (number(index) % 3);
    match thread.uses.iter().find(|used| matches!(used, Use::Interrupt(_) | Use::Await(_) | Use::Receive(_)))
    {
        Some(Use::Interrupt(_)) => narrow(separation / 4 * 5 + times.jitter.ticks() + rest),
        Some(_) => narrow(separation * 4 + rest),
        None => narrow(separation),
    }
}

/// How long a thread dozes, in ticks: some tenths of a millisecond.
fn pause(project: &Project, index: usize) -> u64 {
    let tenth = 100_000 / u64::from(project.tick().max(1));
    tenth * (1 + number(index) % 7)
}

/// The time between two signals of a condition: the waiting thread's separation.
fn told_at_most_every(project: &Project, teller: &Thread) -> Option<u64> {
    let condition = teller.uses.iter().find(|used| matches!(used, Use::Condition(_)))?;
    let separations = project.assembly.threads.iter().filter_map(|thread| match &thread.role {
        Role::Free { sporadic: Some(times), .. } if thread.uses.contains(condition) => {
            Some(times.separation.ticks())
        }
        _ => None,
    });
    separations.max()
}

pub(super) fn waits_for_condition(thread: &Thread) -> bool {
    thread.uses.iter().any(|used| matches!(used, Use::Condition(_)))
}

/// The lock and the condition of a thread that has both.
pub(super) fn condition(thread: &Thread) -> Option<(u32, u32)> {
    let number = |number: usize| u32::try_from(number).ok();
    let lock = thread.uses.iter().find_map(|used| match *used {
        Use::Semaphore(index) => number(index),
        _ => None,
    });
    let condition = thread.uses.iter().find_map(|used| match *used {
        Use::Condition(index) => number(index),
        _ => None,
    });
    lock.zip(condition)
}

/// The actions of a thread with a condition: one with jobs works in the lock first, and takes it again at the
/// end, to wait; one that signals does so in the lock.
pub(super) fn acts(project: &Project, thread: &Thread) -> Option<Vec<Act>> {
    let (lock, condition) = condition(thread)?;
    let index = usize::try_from(lock).ok()?;
    let hold = project.assembly.hold(thread, Use::Semaphore(index))?;
    let take =
        Act::Call { number: CallNumber::SemaphoreWait, arguments: [Some(lock), None, None, Some(FOREVER)] };
    let give = Act::Call { number: CallNumber::SemaphoreSignal, arguments: [Some(lock), None, None, None] };
    let tell =
        Act::Call { number: CallNumber::ConditionSignal, arguments: [Some(condition), None, None, None] };
    Some(match &thread.role {
        Role::Free { sporadic: Some(_), .. } => {
            vec![Act::Work(hold), give, Act::Work(own_time(project, thread).minus(hold)), take]
        }
        _ => vec![take, Act::Work(hold), tell, give],
    })
}

fn narrow(ticks: u64) -> u32 {
    u32::try_from(ticks).unwrap_or(FOREVER)
}

fn number(index: usize) -> u64 {
    u64::try_from(index).unwrap_or_default()
}
