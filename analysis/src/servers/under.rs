//! Tasks under a supply: inside a server, or a partition, or a server inside a partition.
//!
//! Any order of the work that a server gets is a list here: a stream of jobs alone is a list of one task.

use super::supply::Supply;
use crate::demand::{Demand, Patience, Stream, requested};
use crate::failure::Failure;
use crate::sporadic::{self, Deadlines, Sporadic};
use crate::ticks::{Ticks, sum};
use crate::utilisation::{self, Utilisation};

/// One task beneath others, under a supply.
pub(super) struct Level<'a, S> {
    pub(super) task: Stream,
    pub(super) above: &'a [Stream],
    pub(super) blocking: Ticks,
    pub(super) supply: &'a S,
}

/// The longest response of each task from its arrival, by fixed priorities in the order of the list, the most
/// urgent first; `None` for a task that may miss its deadline. `blocking` is how long less urgent tasks may
/// block each task, by position; missing entries are zero.
///
/// *Exact* for independent, preemptive sporadic tasks with arbitrary deadlines and release jitter, without
/// blocking, under a supply that some run has in windows of all lengths, as that of a periodic resource; *safe*
/// for others. (Lehoczky 1990, beneath the supply of Shin and Lee 2003.) Cost: a fixed point for each job in
/// each task's busy period.
///
/// # Errors
/// [`Failure::Invalid`]; [`Failure::TimesTooLarge`]; [`Failure::TooLong`] if a busy period holds too many
/// jobs.
pub fn responses(
    tasks: &[Sporadic],
    blocking: &[Ticks],
    supply: &impl Supply,
) -> Result<Vec<Option<Ticks>>, Failure> {
    sporadic::validate(tasks, Deadlines::Arbitrary)?;
    let streams: Vec<Stream> = tasks.iter().map(Sporadic::stream).collect();
    let of = |(index, task): (usize, &Sporadic)| {
        let blocking = blocking.get(index).copied().unwrap_or_default();
        let level = Level { task: streams[index], above: &streams[..index], blocking, supply };
        level.response(task.deadline)
    };
    tasks.iter().enumerate().map(of).collect()
}

/// Whether all deadlines are met by fixed priorities: model, class and cost of [`responses`].
///
/// # Errors
/// Those of [`responses`].
pub fn fixed(tasks: &[Sporadic], blocking: &[Ticks], supply: &impl Supply) -> Result<bool, Failure> {
    Ok(responses(tasks, blocking, supply)?.iter().all(Option::is_some))
}

/// Whether all deadlines are met under earliest deadline first.
///
/// *Exact* for independent, preemptive sporadic tasks with arbitrary deadlines and release jitter, under a
/// supply that some run has in each window; *safe* for others. (Baruah, Rosier and Howell 1990 beneath the supply
/// of Shin and Lee 2003.) Cost: each deadline of the busy period, linear in the number of tasks.
///
/// # Errors
/// [`Failure::Invalid`]; [`Failure::TimesTooLarge`]; [`Failure::TooLong`].
pub fn dynamic(tasks: &[Sporadic], supply: &impl Supply) -> Result<bool, Failure> {
    sporadic::validate(tasks, Deadlines::Arbitrary)?;
    if sporadic::utilisation(tasks)? > supply.share() {
        return Ok(false);
    }
    dynamic_within(tasks, supply, &mut Patience::default())
}

/// The same for tasks that ask for no more than the supply.
pub(super) fn dynamic_within(
    tasks: &[Sporadic],
    supply: &impl Supply,
    patience: &mut Patience,
) -> Result<bool, Failure> {
    let streams: Vec<Stream> = tasks.iter().map(Sporadic::stream).collect();
    let demands: Vec<Demand> = tasks.iter().map(Sporadic::demand).collect();
    let mut deadline = Ticks::ZERO;
    let horizon = horizon(&demands, supply)?;
    // All deadlines up to the end of the busy period, which grows as far as has been looked at.
    let mut busy = Ticks::new(1);
    while let Some(next) = next_deadline(&demands, deadline)? {
        if horizon.is_some_and(|horizon| next > horizon) {
            return Ok(true);
        }
        while busy < next {
            patience.step()?;
            let longer = supply.longest(requested(&streams, busy)?)?;
            if longer <= busy {
                return Ok(true);
            }
            busy = longer;
        }
        patience.step()?;
        if sum(demands.iter().map(|demand| demand.due(next)))? > supply.least(next)? {
            return Ok(false);
        }
        deadline = next;
    }
    Ok(true)
}

/// When everything has been seen, of tasks that ask for no more than the supply: a hyperperiod behind where all
/// have had a deadline, and the supply something.
fn horizon(demands: &[Demand], supply: &impl Supply) -> Result<Option<Ticks>, Failure> {
    let leads = demands.iter().map(Demand::lead);
    let begun = leads.fold(supply.longest(Ticks::new(1))?, Ticks::max);
    let cycle = repeats(demands.iter().map(|demand| demand.stream), supply);
    Ok(cycle.and_then(|cycle| cycle.plus(begun).ok()))
}

/// After what time tasks and supply repeat, if that fits.
fn repeats(streams: impl Iterator<Item = Stream>, supply: &impl Supply) -> Option<Ticks> {
    let mut periods = streams.map(|stream| stream.period);
    periods.try_fold(supply.cycle()?, |cycle, period| cycle.common_multiple(period).ok())
}

/// The first deadline after an instant, of jobs that are all released at the beginning and then as often as
/// may be.
fn next_deadline(demands: &[Demand], after: Ticks) -> Result<Option<Ticks>, Failure> {
    let of = |demand: &Demand| -> Result<Ticks, Failure> {
        Ok(demand.lead().plus(demand.stream.period.times(demand.jobs_due(after))?)?)
    };
    demands.iter().map(of).try_fold(None, |first: Option<Ticks>, next| {
        let next = next?;
        Ok(Some(first.map_or(next, |first| first.min(next))))
    })
}

impl<S: Supply> Level<'_, S> {
    /// The longest response, if it is at most the deadline.
    pub(super) fn response(&self, deadline: Ticks) -> Result<Option<Ticks>, Failure> {
        let mut patience = Patience::default();
        if self.utilisation()? > self.supply.share() {
            return Ok(None);
        }
        let streams = self.above.iter().chain([&self.task]).copied();
        // Behind it jobs take no longer than those before.
        let jobs = repeats(streams, self.supply).map_or(u64::MAX, |cycle| cycle.whole(self.task.period));
        let (mut longest, mut done) = (Ticks::ZERO, Ticks::ZERO);
        for job in 0..u64::from(Failure::JOB_LIMIT) {
            let before = self.task.period.times(job)?;
            let work = self.blocking.plus(self.task.cost.times(job + 1)?)?;
            let latest = before.plus(deadline)?.less(self.task.jitter);
            done = match self.finish(work, done, latest, &mut patience)? {
                Some(done) => done,
                None => return Ok(None),
            };
            longest = longest.max(done.plus(self.task.jitter)?.less(before));
            // Work that is done before the next job arrives doesn't delay that job: see `fixed_priority::level`.
            if done <= self.task.period.times(job + 1)? || job + 1 >= jobs {
                return Ok(Some(longest));
            }
        }
        Err(Failure::TooLong)
    }

    fn utilisation(&self) -> Result<Utilisation, Failure> {
        let streams = self.above.iter().chain([&self.task]);
        Ok(utilisation::sum(streams.map(|stream| Ok(Utilisation::new(stream.cost, stream.period))))?)
    }

    /// When that much work is done, from a window on that isn't longer; `None` if after the limit.
    fn finish(
        &self,
        work: Ticks,
        from: Ticks,
        limit: Ticks,
        patience: &mut Patience,
    ) -> Result<Option<Ticks>, Failure> {
        let mut window = from;
        while window <= limit {
            patience.step()?;
            let next = self.supply.longest(work.plus(requested(self.above, window)?)?)?;
            if next <= window {
                return Ok(Some(window));
            }
            window = next;
        }
        Ok(None)
    }
}
