//! Offsets: tasks released at fixed times after a common event, so that they never all arrive at once.

use crate::demand::{Patience, least_fixed_point};
use crate::failure::{Failure, Fault};
use crate::sporadic::{self, Deadlines, Sporadic};
use crate::ticks::{Ticks, TimesTooLarge, sum};

/// A task of a transaction. Events of a transaction come at least a period apart, at any instants,
/// independently of other transactions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Member {
    /// The transaction; its members have the same period.
    pub transaction: usize,
    /// From the event to the arrival; less than the period.
    pub offset: Ticks,
    /// The task; deadline and jitter are from its arrival.
    pub task: Sporadic,
}

/// The worst-case response time of each task under preemptive fixed priorities, from its arrivals; members in
/// priority order, the most urgent first.
///
/// *Safe* for preemptive tasks with arbitrary deadlines and release jitter in independent transactions on one
/// processor: Palencia and González Harbour, *Schedulability analysis for tasks with static and dynamic
/// offsets* (1998), section 4, after Tindell, *Adding time-offsets to schedulability analysis* (1994). For
/// every other transaction the worst of all its candidates is taken in each window, so the bound may not be
/// reached. Cost: for each task and each task of its transaction a fixed point for each job in the busy
/// period; a step is quadratic in the size of each transaction.
///
/// # Errors
/// [`Failure::Invalid`], also if an offset isn't less than the period or periods in a transaction differ;
/// [`Failure::Overload`]; [`Failure::TimesTooLarge`]; [`Failure::TooLong`].
pub fn response_times(members: &[Member]) -> Result<Vec<Ticks>, Failure> {
    validate(members)?;
    (0..members.len()).map(|index| Level::of(members, index).response()).collect()
}

/// The worst-case response time of the last member below all others, with `in_the_way` as blocking. Their
/// utilisation must not exceed one.
pub(crate) fn response_of_last(members: &[Member], in_the_way: Ticks) -> Result<Ticks, Failure> {
    match members.len().checked_sub(1) {
        None => Ok(Ticks::ZERO),
        Some(last) => Level { in_the_way, ..Level::of(members, last) }.response(),
    }
}

/// Whether all tasks meet their deadlines. Model, class, source and cost are those of [`response_times`].
///
/// # Errors
/// As [`response_times`], but an overload is a no.
pub fn holds(members: &[Member]) -> Result<bool, Failure> {
    let responses = match response_times(members) {
        Err(Failure::Overload { .. }) => return Ok(false),
        responses => responses?,
    };
    Ok(members.iter().zip(responses).all(|(member, response)| response <= member.task.deadline))
}

fn validate(members: &[Member]) -> Result<(), Failure> {
    let tasks: Vec<Sporadic> = members.iter().map(|member| member.task).collect();
    sporadic::validate(&tasks, Deadlines::Arbitrary)?;
    let fits = |member: &Member| {
        let others = members.iter().filter(|other| other.transaction == member.transaction);
        member.offset < member.task.period
            && others.into_iter().all(|other| other.task.period == member.task.period)
    };
    if let Some(index) = members.iter().position(|member| !fits(member)) {
        return Err(Failure::Invalid { name: format!("task {index}"), fault: Fault::OffsetOutOfRange });
    }
    sporadic::refuse_overload(&tasks)
}

/// A task below everything more urgent.
struct Level<'a> {
    task: &'a Member,
    /// The more urgent members of the task's transaction.
    beside: Vec<&'a Member>,
    /// The more urgent members of each other transaction.
    others: Vec<Vec<&'a Member>>,
    /// Less urgent work that has already begun.
    in_the_way: Ticks,
}

impl<'a> Level<'a> {
    fn of(members: &'a [Member], index: usize) -> Level<'a> {
        let (task, above) = (&members[index], &members[..index]);
        let mut transactions: Vec<usize> = above.iter().map(|member| member.transaction).collect();
        transactions.sort_unstable();
        transactions.dedup();
        let of = |transaction: usize| {
            above.iter().filter(move |member| member.transaction == transaction).collect()
        };
        let others = transactions.into_iter().filter(|transaction| *transaction != task.transaction).map(of);
        Level { task, beside: of(task.transaction), others: others.collect(), in_the_way: Ticks::ZERO }
    }

    /// The longest over all tasks of the transaction whose release may begin the busy period.
    fn response(&self) -> Result<Ticks, Failure> {
        let (mut longest, mut patience) = (Ticks::ZERO, Patience::default());
        for candidate in self.beside.iter().copied().chain([self.task]) {
            longest = longest.max(self.response_after(candidate, &mut patience)?);
        }
        Ok(longest)
    }

    fn response_after(&self, candidate: &Member, patience: &mut Patience) -> Result<Ticks, Failure> {
        let Sporadic { period, worst, .. } = self.task.task;
        let phase = phase(self.task, candidate)?;
        let pending = period.times(waiting(self.task, phase)?)?;
        let mut longest = Ticks::ZERO;
        // More urgent work keeps the processor busy until then, even before the first job comes.
        let mut finished = self.finish(Ticks::ZERO, candidate, Ticks::ZERO, patience)?;
        for job in 0..u64::from(Failure::JOB_LIMIT) {
            let arrival_later_by = phase.plus(period.times(job)?)?;
            // Jobs that come after all earlier ones are done begin a busy period of their own.
            if job >= waiting(self.task, phase)? && finished.plus(pending)? <= arrival_later_by {
                return Ok(longest);
            }
            finished = self.finish(worst.times(job + 1)?, candidate, finished, patience)?;
            longest = longest.max(finished.plus(pending)?.less(arrival_later_by));
        }
        Err(Failure::TooLong)
    }

    fn finish(
        &self,
        work: Ticks,
        candidate: &Member,
        earliest: Ticks,
        patience: &mut Patience,
    ) -> Result<Ticks, Failure> {
        let work = work.plus(self.in_the_way)?;
        least_fixed_point(work.max(earliest).max(Ticks::new(1)), patience, |window| {
            let beside = requested(&self.beside, candidate, window)?;
            let others: Ticks = sum(self.others.iter().map(|members| most_requested(members, window)))?;
            Ok(work.plus(beside)?.plus(others)?)
        })
    }
}

/// The most work that one transaction releases in a window that begins with a release of one of its tasks.
fn most_requested(members: &[&Member], window: Ticks) -> Result<Ticks, TimesTooLarge> {
    let mut most = Ticks::ZERO;
    for candidate in members {
        most = most.max(requested(members, candidate, window)?);
    }
    Ok(most)
}

/// The work that they release in a window that begins when the candidate is released with its full jitter.
fn requested(members: &[&Member], candidate: &Member, window: Ticks) -> Result<Ticks, TimesTooLarge> {
    sum(members.iter().map(|member| {
        let phase = phase(member, candidate)?;
        let later = window.less(phase).covered_by(member.task.period);
        member.task.worst.times(waiting(member, phase)?.checked_add(later).ok_or(TimesTooLarge)?)
    }))
}

/// How long after the candidate's late release the member next arrives: more than zero, at most a period.
fn phase(member: &Member, candidate: &Member) -> Result<Ticks, TimesTooLarge> {
    let period = member.task.period;
    let behind = candidate.offset.plus(candidate.task.jitter)?;
    // Add whole periods so that nothing is negative.
    let ahead = period.times(behind.covered_by(period))?.plus(member.offset)?.less(behind);
    let rest = ahead.less(period.times(ahead.whole(period))?);
    Ok(if rest == Ticks::ZERO { period } else { rest })
}

/// How many jobs of the member that arrived earlier may be released at that instant.
fn waiting(member: &Member, phase: Ticks) -> Result<u64, TimesTooLarge> {
    Ok(member.task.jitter.plus(phase)?.whole(member.task.period))
}
