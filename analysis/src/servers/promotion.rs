//! Dual priorities: how long each task may wait behind other work, before it goes ahead of it.
//!
//! **Rule.** There are three bands. A job of a task begins in the lower one, other work runs in the middle one,
//! and the job is promoted to the upper one at its release and so much, there to run by its priority. (Davis and
//! Wellings, *Dual priority scheduling*, RTSS 1995.)
//!
//! *Gain time* makes promotions later, in two ways:
//!
//! - *Self*: for as long as a job has run before its promotion, that is later.
//! - *Propagated*: a job that was promoted ends, with some of its worst case unused. For so long nobody less
//!   urgent needs to be promoted: whoever isn't yet, waits at least until then; whoever should have been by now,
//!   steps back for as long. What a job leaves that ends *before* its promotion isn't passed on: added to the
//!   promotions of others it would make them late, whose windows count that task's next job all the same.

use crate::failure::Failure;
use crate::fixed_priority;
use crate::sporadic::Sporadic;
use crate::ticks::Ticks;

/// From each task's arrival to its promotion: its deadline less its longest response, in the order of
/// priorities. `blocking` is that of [`fixed_priority::response_times`].
///
/// *Safe*: no deadline is missed, of tasks for which those response times are; with jitter a job is promoted
/// no sooner than it is released. The latest instants that don't depend on what runs. Cost: those response
/// times.
///
/// # Errors
/// Those of [`fixed_priority::response_times`]; [`Failure::NotProved`] names a task that may be late even
/// without other work.
pub fn times(tasks: &[Sporadic], blocking: &[Ticks]) -> Result<Vec<Ticks>, Failure> {
    let responses = fixed_priority::response_times(tasks, blocking)?;
    let of = |(index, (task, response)): (usize, (&Sporadic, Ticks))| {
        let failure = || Failure::NotProved { task: index.to_string(), deadline: task.deadline, response };
        match response <= task.deadline {
            true => Ok(task.deadline.less(response)),
            false => Err(failure()),
        }
    };
    tasks.iter().zip(responses).enumerate().map(of).collect()
}
