//! Offsets between tasks of different periods: since their pattern repeats, all their distances are known.
//!
//! ```text
//!     start            p          p + T
//!       |--------------|------------|-----      a task's releases after the start of a busy period
//! ```
//! A busy period begins with the release of some task. Each known release of the hyperperiod is tried as that
//! start; this fixes when all other known releases come, `p` after it and each period `T`. Everything else,
//! including drivers and the kernel's work, comes at any time, so at the start and as often as it may.

use crate::demand::{Patience, Stream, least_fixed_point, requested};
use crate::failure::Failure;
use crate::ticks::{Ticks, TimesTooLarge, sum};

/// A task as seen from another one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) stream: Stream,
    /// Less than the period; `None` if it isn't known.
    pub(super) offset: Option<Ticks>,
}

/// The worst-case response time of the last row below all others, with `in_the_way` as blocking; `None` if no
/// two releases are at a known distance. *Safe*, even if jobs pile up, since all jobs of a busy period are
/// checked, each after those before it. Their utilisation must not exceed one.
///
/// Of the tasks with known releases, those with the longest periods keep their offsets, as many as have
/// [`MOST_RELEASES`] in a hyperperiod together: for frequent tasks, offsets matter little. Cost: a fixed
/// point for each of these releases and each job in its busy period.
pub(super) fn response_of_last(rows: &[Row], in_the_way: Ticks) -> Result<Option<Ticks>, Failure> {
    let Some((last, above)) = rows.split_last() else { return Ok(None) };
    let (known, others) = part(last, above);
    if known.is_empty() {
        return Ok(None);
    }
    let own = last.offset.map(|offset| Periodic { stream: last.stream, offset });
    let level = Level { last: last.stream, own, known, others, in_the_way };
    let (mut longest, mut patience) = (Ticks::ZERO, Patience::default());
    for start in level.starts()? {
        longest = longest.max(level.response_from(start, &mut patience)?);
    }
    Ok(Some(longest))
}

/// How many releases to try as the start of a busy period.
const MOST_RELEASES: u64 = 128;

/// A task with known releases.
#[derive(Clone, Copy)]
struct Periodic {
    stream: Stream,
    offset: Ticks,
}

/// Splits them into those at known distances from the last and from each other, and all others.
fn part(last: &Row, above: &[Row]) -> (Vec<Periodic>, Vec<Stream>) {
    let (mut known, mut others) = (Vec::new(), Vec::new());
    let mut periodic = Vec::new();
    for row in above {
        match row.offset {
            Some(offset) => periodic.push(Periodic { stream: row.stream, offset }),
            None => others.push(row.stream),
        }
    }
    periodic.sort_by_key(|task| std::cmp::Reverse(task.stream.period));
    let mut periods: Vec<Ticks> = last.offset.iter().map(|_| last.stream.period).collect();
    for task in periodic {
        periods.push(task.stream.period);
        if releases(&periods).is_some_and(|count| count <= MOST_RELEASES) {
            known.push(task);
        } else {
            periods.pop();
            others.push(task.stream);
        }
    }
    (known, others)
}

/// How many releases tasks with these periods have in a hyperperiod.
fn releases(periods: &[Ticks]) -> Option<u64> {
    let all = hyperperiod(periods)?;
    periods.iter().try_fold(0, |count: u64, period| count.checked_add(all.whole(*period)))
}

fn hyperperiod(periods: &[Ticks]) -> Option<Ticks> {
    periods.iter().try_fold(Ticks::new(1), |all, period| all.common_multiple(*period).ok())
}

struct Level {
    last: Stream,
    /// The task under analysis, if its releases are known.
    own: Option<Periodic>,
    known: Vec<Periodic>,
    others: Vec<Stream>,
    in_the_way: Ticks,
}

impl Level {
    /// All releases of the known tasks in a hyperperiod.
    fn starts(&self) -> Result<Vec<Ticks>, Failure> {
        let known: Vec<&Periodic> = self.known.iter().chain(&self.own).collect();
        let periods: Vec<Ticks> = known.iter().map(|task| task.stream.period).collect();
        let all = hyperperiod(&periods).ok_or(Failure::TimesTooLarge)?;
        let mut starts = Vec::new();
        for task in known {
            for job in 0..all.whole(task.stream.period) {
                starts.push(task.stream.period.times(job)?.plus(task.offset)?);
            }
        }
        starts.sort();
        starts.dedup();
        Ok(starts)
    }

    /// The longest response of the jobs in a busy period that begins with this release. A task with unknown
    /// releases comes at the start.
    fn response_from(&self, start: Ticks, patience: &mut Patience) -> Result<Ticks, Failure> {
        let first = self.own.map_or(Ok(Ticks::ZERO), |own| own.behind(start))?;
        let phase = |task: &Periodic| Ok((task.stream, task.behind(start)?));
        let phases = self.known.iter().map(phase).collect::<Result<Vec<_>, TimesTooLarge>>()?;
        let mut longest = Ticks::ZERO;
        // More urgent work keeps the processor busy until then, even before the first job comes.
        let mut finished = self.finish(Ticks::ZERO, &phases, Ticks::ZERO, patience)?;
        for job in 0..u64::from(Failure::JOB_LIMIT) {
            let release = first.plus(self.last.period.times(job)?)?;
            let begins_with_it = job == 0 && release == Ticks::ZERO;
            if finished <= release && !begins_with_it {
                return Ok(longest);
            }
            let work = self.last.cost.times(job + 1)?;
            finished = self.finish(work, &phases, finished, patience)?;
            longest = longest.max(finished.less(release).plus(self.last.jitter)?);
        }
        Err(Failure::TooLong)
    }

    fn finish(
        &self,
        work: Ticks,
        phases: &[(Stream, Ticks)],
        earliest: Ticks,
        patience: &mut Patience,
    ) -> Result<Ticks, Failure> {
        let work = work.plus(self.in_the_way)?;
        least_fixed_point(work.max(earliest).max(Ticks::new(1)), patience, |window| {
            let known = phases
                .iter()
                .map(|(stream, phase)| stream.cost.times(window.less(*phase).covered_by(stream.period)));
            let known: Ticks = sum(known)?;
            Ok(work.plus(known)?.plus(requested(&self.others, window)?)?)
        })
    }
}

impl Periodic {
    /// The time from an instant to the next release at or after it.
    fn behind(&self, start: Ticks) -> Result<Ticks, TimesTooLarge> {
        let period = self.stream.period;
        let since = start.less(period.times(start.whole(period))?);
        match self.offset >= since {
            true => Ok(self.offset.less(since)),
            false => period.less(since).plus(self.offset),
        }
    }
}
