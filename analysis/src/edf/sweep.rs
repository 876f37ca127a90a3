//! Computes when all due work of a band is done, for all deadlines of a busy period in one sweep.
//!
//! The work that counts up to a deadline is that of the jobs whose turn is by then. It is done at the first
//! instant by which all of it that has arrived is done, together with the work above and the blocking. Both
//! instants only grow with the deadline, so each job is visited once at its turn and once at its release.
//!
//! That is enough for the response times of all tasks. By Spuri, a task's own jobs count in full, whenever
//! they come. If the band finishes after the release of the task's last job, all of them have come, and both
//! counts are the same. If it finishes earlier, at an instant `t`, the remaining work is no more than with
//! everything released together at `t`, so the deadline that is `t` earlier gives at least as long a
//! response. After Guan and Yi, *General and efficient response time analysis for EDF scheduling* (2014), who
//! search for the decisive deadline; here all deadlines are at hand, and one walk from the last to the first
//! gives each task's longest response.

use crate::demand::{Demand, Stream, requested};
use crate::failure::Failure;
use crate::ticks::{Ticks, TimesTooLarge};

/// A job that comes as early as it may.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job {
    /// The deadline that decides its turn.
    pub(super) turn: Ticks,
    /// Its release.
    pub(super) release: Ticks,
    pub(super) cost: Ticks,
}

/// A deadline, and when all work due by then is done.
#[derive(Clone, Copy, Debug)]
pub(super) struct Done {
    pub(super) deadline: Ticks,
    pub(super) at: Ticks,
}

/// The jobs of a band that are released before the end of `busy`, each with its turn by `turn(task, job)`.
pub(super) fn jobs<'a>(
    band: impl Iterator<Item = &'a Demand> + Clone,
    busy: Ticks,
    turn: impl Fn(&Demand, Ticks) -> Result<Ticks, TimesTooLarge>,
) -> Result<Vec<Job>, Failure> {
    let counts = band.clone().map(|task| task.stream.releases(busy)).collect::<Result<Vec<_>, _>>()?;
    if counts.iter().fold(0u64, |total, count| total.saturating_add(*count)) > Failure::JOB_LIMIT.into() {
        return Err(Failure::TooLong);
    }
    let mut jobs = Vec::new();
    for (task, count) in band.zip(counts) {
        for number in 0..count {
            let arrival = task.stream.period.times(number)?;
            let release = arrival.less(task.stream.jitter);
            jobs.push(Job { turn: turn(task, arrival)?, release, cost: task.stream.cost });
        }
    }
    Ok(jobs)
}

/// A band, prepared for the sweep.
pub(super) struct Sweep {
    /// Sorted by turn.
    jobs: Vec<Job>,
    /// Releases and their indices in `jobs`; sorted by release.
    releases: Vec<(Ticks, usize)>,
    above: Above,
    /// How many jobs have reached their turn, and how many are released.
    due: usize,
    released: usize,
    /// The work of the jobs that are both.
    work: Ticks,
    now: Ticks,
    /// How many visits there were; they determine the time of a sweep.
    pub(super) steps: u64,
}

impl Sweep {
    /// Jobs below the work above, which is known up to `busy`.
    pub(super) fn new(mut jobs: Vec<Job>, above: &[Stream], busy: Ticks) -> Result<Sweep, Failure> {
        jobs.sort_unstable_by_key(|job| job.turn);
        let mut releases: Vec<_> =
            jobs.iter().enumerate().map(|(position, job)| (job.release, position)).collect();
        releases.sort_unstable();
        let above = Above::new(above, busy)?;
        let (due, released, work, now) = (0, 0, Ticks::ZERO, Ticks::new(1));
        let mut sweep = Sweep { jobs, releases, above, due, released, work, now, steps: 0 };
        sweep.release()?;
        Ok(sweep)
    }

    /// When all due work is done, for each of some sorted deadlines, with the blocking from `in_the_way`.
    pub(super) fn done(
        &mut self,
        deadlines: impl Iterator<Item = Ticks>,
        in_the_way: impl Fn(Ticks) -> Ticks,
    ) -> Result<Vec<Done>, Failure> {
        let (mut done, mut before) = (Vec::new(), Ticks::ZERO);
        for deadline in deadlines {
            let in_the_way = in_the_way(deadline);
            if in_the_way < before {
                self.begin_again()?;
            }
            before = in_the_way;
            self.come_due(deadline)?;
            done.push(Done { deadline, at: self.finish(in_the_way)? });
        }
        Ok(done)
    }

    /// With less blocking, the work may be done sooner than it was for an earlier deadline.
    fn begin_again(&mut self) -> Result<(), TimesTooLarge> {
        (self.released, self.work, self.now) = (0, Ticks::ZERO, Ticks::new(1));
        self.above.begin_again();
        self.release()
    }

    fn come_due(&mut self, deadline: Ticks) -> Result<(), TimesTooLarge> {
        while let Some(job) = self.jobs.get(self.due).filter(|job| job.turn <= deadline) {
            self.steps += 1;
            if job.release < self.now {
                self.work = self.work.plus(job.cost)?;
            }
            self.due += 1;
        }
        Ok(())
    }

    fn finish(&mut self, in_the_way: Ticks) -> Result<Ticks, TimesTooLarge> {
        loop {
            self.steps += 1;
            let next = self.work.plus(in_the_way)?.plus(self.above.work(self.now, &mut self.steps)?)?;
            if next <= self.now {
                return Ok(self.now);
            }
            self.now = next;
            self.release()?;
        }
    }

    /// Adds everything that has arrived by now.
    fn release(&mut self) -> Result<(), TimesTooLarge> {
        while let Some((_, position)) = self.releases.get(self.released).filter(|(at, _)| *at < self.now) {
            self.steps += 1;
            if *position < self.due {
                self.work = self.work.plus(self.jobs[*position].cost)?;
            }
            self.released += 1;
        }
        Ok(())
    }
}

/// The work above: rare streams release by release, frequent ones by counting.
struct Above {
    releases: Vec<(Ticks, Ticks)>,
    released: usize,
    work: Ticks,
    often: Vec<Stream>,
}

impl Above {
    fn new(streams: &[Stream], busy: Ticks) -> Result<Above, TimesTooLarge> {
        let mut counted: Vec<(u64, Stream)> = Vec::new();
        for stream in streams.iter().filter(|stream| stream.cost > Ticks::ZERO) {
            counted.push((stream.releases(busy)?, *stream));
        }
        counted.sort_unstable_by_key(|(count, _)| *count);
        let (mut total, mut releases, mut often) = (0u64, Vec::new(), Vec::new());
        for (count, stream) in counted {
            total = total.saturating_add(count);
            if total > Failure::JOB_LIMIT.into() {
                often.push(stream);
                continue;
            }
            for number in 0..count {
                let arrival = stream.delay.plus(stream.period.times(number)?)?;
                releases.push((arrival.less(stream.jitter), stream.cost));
            }
        }
        releases.sort_unstable();
        Ok(Above { releases, released: 0, work: Ticks::ZERO, often })
    }

    fn begin_again(&mut self) {
        (self.released, self.work) = (0, Ticks::ZERO);
    }

    /// The work released before an instant; instants must not decrease.
    fn work(&mut self, now: Ticks, steps: &mut u64) -> Result<Ticks, TimesTooLarge> {
        while let Some((_, cost)) = self.releases.get(self.released).filter(|(at, _)| *at < now) {
            *steps += 1;
            self.work = self.work.plus(*cost)?;
            self.released += 1;
        }
        self.work.plus(requested(&self.often, now)?)
    }
}

/// For each task, from its first and its relative deadline: the longest time from a deadline's release to
/// when all work due by it is done.
pub(super) fn longest(
    done: &[Done],
    tasks: impl Iterator<Item = (Ticks, Ticks)>,
) -> Result<Vec<Ticks>, TimesTooLarge> {
    let latest = latest(done)?;
    tasks
        .map(|(first, relative)| {
            let from = done.partition_point(|done| done.deadline < first);
            latest.get(from).map_or(Ok(Ticks::ZERO), |done| Ok(done.at.plus(relative)?.less(done.deadline)))
        })
        .collect()
}

/// From each deadline on, the one whose work is done the latest.
fn latest(done: &[Done]) -> Result<Vec<Done>, TimesTooLarge> {
    let mut latest = done.to_vec();
    for position in (1..latest.len()).rev() {
        let (behind, own) = (latest[position], latest[position - 1]);
        if behind.at.plus(own.deadline)? > own.at.plus(behind.deadline)? {
            latest[position - 1] = behind;
        }
    }
    Ok(latest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demand::busy_period;
    use crate::locks::Blocking;

    /// With 500 tasks, visiting each pair of a task and a deadline would take two million steps. The count
    /// doesn't depend on the machine.
    #[test]
    fn each_job_of_500_tasks_is_looked_at_a_few_times() {
        const TASKS: u64 = 500;
        let band: Vec<Demand> = (0..TASKS)
            .map(|task| {
                let period = 5000 + (task * 7919) % 100_000;
                let stream = Stream::new(Ticks::new(period), Ticks::new(period * 9 / 10 / TASKS));
                let deadline = Ticks::new(period);
                Demand { stream, deadline, latest: deadline, limit: deadline, priority: 0, is_share: false }
            })
            .collect();
        let above: Vec<Stream> =
            band.iter().map(|task| Stream { cost: Ticks::new(1), ..task.stream }).collect();
        let all: Vec<Stream> = band.iter().map(|task| task.stream).chain(above.iter().copied()).collect();
        let busy = busy_period(&all, Ticks::ZERO).unwrap();
        let jobs = jobs(band.iter(), busy, |task, arrival| arrival.plus(task.deadline)).unwrap();
        let mut deadlines: Vec<Ticks> = jobs.iter().map(|job| job.turn).collect();
        deadlines.sort_unstable();
        let count = u64::try_from(jobs.len()).unwrap();
        let mut sweep = Sweep::new(jobs, &above, busy).unwrap();
        let done = sweep.done(deadlines.into_iter(), |deadline| Blocking::NONE.within(deadline)).unwrap();
        let last = done.last().unwrap().at;
        assert!(last > Ticks::ZERO && last <= busy);
        // At its turn, at its release, for its releases above, and at the instant itself.
        assert!(count > 4000 && sweep.steps <= 5 * count, "{count} jobs, {} steps", sweep.steps);
    }
}
