//! Priority orders, the most urgent first, as positions in the list of tasks.

use super::level::Level;
use super::streams;
use crate::demand::Stream;
use crate::failure::Failure;
use crate::sporadic::{self, Deadlines, Sporadic};
use crate::ticks::Ticks;

/// Shortest periods first (Liu and Layland, *Scheduling algorithms for multiprogramming in a hard-real-time
/// environment*, 1973). For implicit deadlines without jitter, no order does better. Equal periods keep their
/// order.
pub fn rate_monotonic(tasks: &[Sporadic]) -> Vec<usize> {
    by(tasks, |task| task.period)
}

/// Shortest deadlines first, from releases (Leung and Whitehead, *On the complexity of fixed-priority
/// scheduling of periodic, real-time tasks*, 1982; with jitter, Zuhily and Burns, *Optimal (D-J)-monotonic
/// priority assignment*, 2007). For constrained deadlines, no order does better. Equal ones keep their order.
pub fn deadline_monotonic(tasks: &[Sporadic]) -> Vec<usize> {
    by(tasks, |task| task.deadline.less(task.jitter))
}

fn by(tasks: &[Sporadic], key: impl Fn(&Sporadic) -> Ticks) -> Vec<usize> {
    let mut order: Vec<usize> = (0..tasks.len()).collect();
    order.sort_by_key(|&index| key(&tasks[index]));
    order
}

/// An order in which all tasks meet their deadlines under preemptive fixed priorities, if there is one:
/// Audsley's assignment with the test of [`holds`](super::holds), which is *exact* for independent,
/// preemptive sporadic tasks with arbitrary deadlines and release jitter on one processor. Cost: that test
/// for up to `n^2 / 2` levels.
///
/// # Errors
/// As [`holds`](super::holds).
pub fn best(tasks: &[Sporadic]) -> Result<Option<Vec<usize>>, Failure> {
    sporadic::validate(tasks, Deadlines::Arbitrary)?;
    let streams = streams(tasks);
    audsley(tasks.len(), |task, above, _| {
        let above: Vec<Stream> = above.iter().map(|&index| streams[index]).collect();
        let level = Level::preemptive(streams[task], &above);
        Ok(level.response_within(tasks[task].deadline)?.is_some())
    })
}

/// Audsley's assignment (*On priority assignment in fixed priority scheduling*, 2001): from the least urgent
/// level upwards, each level gets a task that fits below all remaining ones. `fits` gets a task, those above
/// it and those below it; the order within either must not matter to it, and with fewer tasks above it must
/// not turn from yes to no. Then an order is found if there is one. Later tasks are tried first, so that a
/// list in a valid order stays in that order.
///
/// # Errors
/// Those of `fits`.
pub fn audsley<E>(
    tasks: usize,
    mut fits: impl FnMut(usize, &[usize], &[usize]) -> Result<bool, E>,
) -> Result<Option<Vec<usize>>, E> {
    let mut left: Vec<usize> = (0..tasks).collect();
    let mut below: Vec<usize> = Vec::new();
    while let Some(mut candidate) = left.len().checked_sub(1) {
        loop {
            let task = left.remove(candidate);
            if fits(task, &left, &below)? {
                below.insert(0, task);
                break;
            }
            left.insert(candidate, task);
            let Some(next) = candidate.checked_sub(1) else { return Ok(None) };
            candidate = next;
        }
    }
    Ok(Some(below))
}
