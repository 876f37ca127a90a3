//! Sporadic tasks: the model of the tests for lists of tasks.

use crate::demand::{Demand, Stream};
use crate::failure::{Failure, Fault};
use crate::ticks::Ticks;
use crate::utilisation::{self, Utilisation};

/// A task whose jobs arrive at least a period apart, at any instants. Strictly periodic tasks with unknown
/// phases are the same to every test here: the worst case is that all arrive together, each as often as it
/// may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sporadic {
    /// The shortest time from one arrival to the next; positive.
    pub period: Ticks,
    /// From an arrival to the instant by which the job must be complete; positive. *Implicit* if it is the
    /// period, *constrained* if at most that, else *arbitrary*; each test says which it accepts.
    pub deadline: Ticks,
    /// The longest time from a job's arrival to its release; less than the deadline. Jobs of a task are
    /// released in the order of their arrivals.
    pub jitter: Ticks,
    /// Worst-case execution time; positive.
    pub worst: Ticks,
}

/// The deadlines that a test accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deadlines {
    /// The periods, and no jitter.
    Implicit,
    /// Any, and no jitter.
    OnTime,
    Arbitrary,
}

impl Sporadic {
    /// A task whose deadline is its period, released on arrival.
    pub const fn implicit(period: Ticks, worst: Ticks) -> Sporadic {
        Sporadic { period, deadline: period, jitter: Ticks::ZERO, worst }
    }

    /// The same with another deadline.
    pub const fn due(self, deadline: Ticks) -> Sporadic {
        Sporadic { deadline, ..self }
    }

    /// The same with release jitter.
    pub const fn released_within(self, jitter: Ticks) -> Sporadic {
        Sporadic { jitter, ..self }
    }

    /// Its share of the processor.
    pub fn utilisation(&self) -> Utilisation {
        Utilisation::new(self.worst, self.period)
    }

    pub(crate) fn stream(&self) -> Stream {
        Stream { jitter: self.jitter, ..Stream::new(self.period, self.worst) }
    }

    pub(crate) fn demand(&self) -> Demand {
        let Sporadic { deadline, .. } = *self;
        Demand {
            stream: self.stream(),
            deadline,
            latest: deadline,
            limit: deadline,
            priority: 0,
            is_share: false,
        }
    }

    fn fault(&self, deadlines: Deadlines) -> Option<Fault> {
        let implicit = deadlines == Deadlines::Implicit;
        if self.period == Ticks::ZERO {
            Some(Fault::NoPeriod)
        } else if self.deadline == Ticks::ZERO {
            Some(Fault::NoDeadline)
        } else if implicit && self.deadline != self.period {
            Some(Fault::DeadlineNotPeriod)
        } else if deadlines != Deadlines::Arbitrary && self.jitter > Ticks::ZERO {
            Some(Fault::Jitter)
        } else if self.jitter >= self.deadline {
            Some(Fault::JitterTooLong)
        } else if self.worst == Ticks::ZERO {
            Some(Fault::NoWorst)
        } else {
            None
        }
    }
}

/// Refuses invalid values; tasks are named by their position from 0.
pub(crate) fn validate<'a>(
    tasks: impl IntoIterator<Item = &'a Sporadic>,
    deadlines: Deadlines,
) -> Result<(), Failure> {
    let faults = tasks.into_iter().enumerate().map(|(index, task)| (index, task.fault(deadlines)));
    match faults.into_iter().find_map(|(index, fault)| Some((index, fault?))) {
        Some((index, fault)) => Err(Failure::Invalid { name: format!("task {index}"), fault }),
        None => Ok(()),
    }
}

/// The share of the processor that all tasks require.
///
/// # Errors
/// [`Failure::TimesTooLarge`] if it doesn't fit.
pub fn utilisation(tasks: &[Sporadic]) -> Result<Utilisation, Failure> {
    Ok(utilisation::sum(tasks.iter().map(|task| Ok(task.utilisation())))?)
}

/// Refuses tasks that aren't in the order of their periods.
pub(crate) fn in_order_of_periods(tasks: &[Sporadic]) -> Result<(), Failure> {
    match tasks.windows(2).position(|pair| pair[0].period > pair[1].period) {
        Some(before) => {
            Err(Failure::Invalid { name: format!("task {}", before + 1), fault: Fault::OutOfOrder })
        }
        None => Ok(()),
    }
}

/// Response times are finite only if there is no more work than time.
pub(crate) fn refuse_overload(tasks: &[Sporadic]) -> Result<(), Failure> {
    if utilisation::exceed_one(tasks.iter().map(|task| (task.worst, task.period)))? {
        return Err(Failure::Overload { utilisation: utilisation(tasks)? });
    }
    Ok(())
}
