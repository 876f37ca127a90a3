//! Deadline busy periods one by one, as Spuri wrote them: slow, and the oracle for the sweep in
//! `edf/sweep.rs`.

use crate::demand::{Demand, Patience, Stream, busy_period, least_fixed_point, requested};
use crate::locks::Blocking;
use crate::ticks::{TimesTooLarge, sum};
use crate::{Failure, Ticks};

fn streams(band: &[Demand], above: &[Stream]) -> Vec<Stream> {
    band.iter().map(|task| task.stream).chain(above.iter().copied()).collect()
}

/// The worst-case response time of each task of the band, by the deadline busy periods of Spuri (*Analysis of
/// deadline scheduled real-time systems*, 1996, section 3): the task's job is released at some point of a
/// busy period that all others start together.
pub(super) fn of_arrivals(
    band: &[Demand],
    above: &[Stream],
    blocking: &Blocking,
) -> Result<Vec<Ticks>, Failure> {
    let busy = busy_period(&streams(band, above), blocking.most())?;
    let mut deadlines = deadlines_within(band, busy)?;
    deadlines.extend(blocking.changes());
    deadlines.sort();
    deadlines.dedup();
    let due = |deadline: Ticks| (deadline, blocking.within(deadline));
    let deadlines: Vec<(Ticks, Ticks)> = deadlines.into_iter().map(due).collect();
    (0..band.len()).map(|index| response_time(band, index, above, busy, &deadlines)).collect()
}

/// The longest response over all arrivals at which the deadline coincides with another one; in between, it
/// falls. A later deadline with the same interference never lets the job finish earlier, so each search
/// begins where the last one ended.
fn response_time(
    band: &[Demand],
    index: usize,
    above: &[Stream],
    busy: Ticks,
    deadlines: &[(Ticks, Ticks)],
) -> Result<Ticks, Failure> {
    let own = band[index].deadline;
    let (mut longest, mut finished, mut before) = (Ticks::ZERO, Ticks::ZERO, Ticks::ZERO);
    for &(deadline, in_the_way) in deadlines.iter().filter(|(deadline, _)| *deadline >= band[index].lead()) {
        if deadline < busy.plus(own)? {
            let earliest = if in_the_way < before { Ticks::ZERO } else { finished };
            finished = deadline_busy_period(band, index, above, (deadline, in_the_way), earliest)?;
            before = in_the_way;
            longest = longest.max(finished.plus(own)?.less(deadline));
        }
    }
    Ok(longest)
}

/// When the job due at `deadline` is done, with equal deadlines going first and the given blocking; it must
/// not be before `earliest`.
fn deadline_busy_period(
    band: &[Demand],
    index: usize,
    above: &[Stream],
    (deadline, in_the_way): (Ticks, Ticks),
    earliest: Ticks,
) -> Result<Ticks, Failure> {
    let own_work = band[index].due(deadline)?.plus(in_the_way)?;
    least_fixed_point(own_work.max(earliest), &mut Patience::default(), |window| {
        let others = band.iter().enumerate().filter(|&(other, _)| other != index);
        let work = sum(others.map(|(_, other)| {
            let jobs = other.stream.releases(window)?.min(other.jobs_due(deadline));
            other.stream.cost.times(jobs)
        }))?;
        Ok(own_work.plus(work)?.plus(requested(above, window)?)?)
    })
}

/// All deadlines of jobs that are released before the end of `busy`, in order, once each.
fn deadlines_within(band: &[Demand], busy: Ticks) -> Result<Vec<Ticks>, Failure> {
    let jobs = band.iter().map(|task| task.stream.releases(busy)).collect::<Result<Vec<_>, _>>()?;
    let total = jobs.iter().fold(0u64, |total, jobs| total.saturating_add(*jobs));
    if total > Failure::JOB_LIMIT.into() {
        return Err(Failure::TooLong);
    }
    let mut deadlines = Vec::new();
    for (task, jobs) in band.iter().zip(jobs) {
        for job in 0..jobs {
            deadlines.push(task.stream.period.times(job)?.plus(task.lead())?);
        }
    }
    deadlines.sort();
    deadlines.dedup();
    Ok(deadlines)
}

/// The same for deadlines that count from releases.
pub(super) fn of_releases(
    band: &[Demand],
    above: &[Stream],
    blocking: &Blocking,
) -> Result<Vec<Ticks>, Failure> {
    let busy = busy_period(&streams(band, above), blocking.most())?;
    let mut turns = turns_within(band, busy)?;
    turns.extend(blocking.changes());
    (0..band.len()).map(|index| Level { band, index, above, blocking }.response(busy, &turns)).collect()
}

/// One task of a band and everything that may keep it from running.
struct Level<'a> {
    band: &'a [Demand],
    index: usize,
    above: &'a [Stream],
    blocking: &'a Blocking,
}

impl Level<'_> {
    fn own(&self) -> &Demand {
        &self.band[self.index]
    }

    /// The longest over all releases at which more work precedes the job than just before; in between, it
    /// falls.
    fn response(&self, busy: Ticks, turns: &[Ticks]) -> Result<Ticks, Failure> {
        let Demand { stream, deadline, .. } = *self.own();
        let others = turns.iter().filter(|turn| **turn >= deadline).map(|turn| turn.less(deadline));
        let mut releases: Vec<Ticks> = others.collect();
        for job in 0..stream.releases(busy)? {
            releases.push(stream.period.times(job)?);
        }
        releases.retain(|release| *release < busy);
        releases.sort();
        releases.dedup();
        let (mut longest, mut finished, mut before) = (Ticks::ZERO, Ticks::ZERO, Ticks::ZERO);
        for release in releases {
            let turn = release.plus(deadline)?;
            let in_the_way = self.blocking.most_between(turn.less(stream.jitter), turn);
            // With the same interference a later job is never done earlier.
            let earliest = if in_the_way < before { Ticks::ZERO } else { finished };
            let jobs = release.whole(stream.period).saturating_add(1);
            let own_work = stream.cost.times(jobs)?.plus(in_the_way)?;
            finished = self.finish(turn, own_work, earliest)?;
            before = in_the_way;
            longest = longest.max(finished.less(release).plus(stream.jitter)?);
        }
        Ok(longest)
    }

    /// When the job with its turn at a deadline is done, with equal ones going first; it must not be before
    /// `earliest`.
    fn finish(&self, turn: Ticks, own_work: Ticks, earliest: Ticks) -> Result<Ticks, Failure> {
        least_fixed_point(own_work.max(earliest), &mut Patience::default(), |window| {
            let others = self.band.iter().enumerate().filter(|&(other, _)| other != self.index);
            let work = sum(others.map(|(_, other)| {
                let jobs = other.stream.releases(window)?.min(released_and_due(other, turn)?);
                other.stream.cost.times(jobs)
            }))?;
            Ok(own_work.plus(work)?.plus(requested(self.above, window)?)?)
        })
    }
}

/// How many jobs of a task can be released in a window and have their deadlines in it.
fn released_and_due(task: &Demand, window: Ticks) -> Result<u64, TimesTooLarge> {
    match window < task.deadline {
        true => Ok(0),
        false => {
            let last = window.less(task.deadline).plus(task.stream.jitter)?;
            Ok(last.whole(task.stream.period).saturating_add(1))
        }
    }
}

/// The deadlines of all jobs that are released before the end of `busy`, if all first come as late and then
/// as soon as they may.
fn turns_within(band: &[Demand], busy: Ticks) -> Result<Vec<Ticks>, Failure> {
    let jobs = band.iter().map(|task| task.stream.releases(busy)).collect::<Result<Vec<_>, _>>()?;
    if jobs.iter().fold(0u64, |total, jobs| total.saturating_add(*jobs)) > Failure::JOB_LIMIT.into() {
        return Err(Failure::TooLong);
    }
    let mut turns = Vec::new();
    for (task, jobs) in band.iter().zip(jobs) {
        for job in 0..jobs {
            let release = task.stream.period.times(job)?.less(task.stream.jitter);
            turns.push(release.plus(task.deadline)?);
        }
    }
    Ok(turns)
}
