//! A level: one task below everything more urgent, from the start of a busy period to its end.

use crate::demand::{Patience, Rest, Stream, finish_by};
use crate::failure::Failure;
use crate::ticks::Ticks;

/// One task and everything that may keep it from running.
///
/// All releases of a busy period are the earliest ones after a common start, which is the worst case
/// (Lehoczky, 1990; with a non-preemptive last stretch, Bril, Lukkien and Verhaegh, *Worst-case response time
/// analysis of real-time tasks under fixed-priority scheduling with deferred preemption*, 2009).
#[derive(Clone, Copy)]
pub(crate) struct Level<'a> {
    pub(crate) task: Stream,
    /// Everything more urgent.
    pub(crate) above: &'a [Stream],
    /// Less urgent work that has already begun.
    pub(crate) blocking: Ticks,
    /// The non-preemptive end of each job, in ticks; one is the same as none.
    pub(crate) last: Ticks,
}

impl<'a> Level<'a> {
    pub(crate) fn preemptive(task: Stream, above: &'a [Stream]) -> Level<'a> {
        Level { task, above, blocking: Ticks::ZERO, last: Ticks::new(1) }
    }

    /// The longest response of any job, from its arrival. The level must not require more than the processor.
    pub(crate) fn response(&self) -> Result<Ticks, Failure> {
        self.longest(None, &mut Patience::default())?.ok_or(Failure::TimesTooLarge)
    }

    /// The same, if it is at most the deadline.
    pub(crate) fn response_within(&self, deadline: Ticks) -> Result<Option<Ticks>, Failure> {
        self.longest(Some(deadline), &mut Patience::default())
    }

    /// The same as part of a larger question.
    pub(crate) fn is_late(&self, deadline: Ticks, patience: &mut Patience) -> Result<bool, Failure> {
        Ok(self.longest(Some(deadline), patience)?.is_none())
    }

    fn longest(&self, deadline: Option<Ticks>, patience: &mut Patience) -> Result<Option<Ticks>, Failure> {
        let (mut longest, mut begun) = (Ticks::ZERO, Ticks::ZERO);
        let after_begun = self.last.less(Ticks::new(1));
        let rest = Rest::beneath(self.above);
        for job in 0..u64::from(Failure::JOB_LIMIT) {
            let work = self.blocking.plus(self.task.cost.times(job + 1)?)?;
            let before = self.task.period.times(job)?;
            let latest = match deadline {
                None => Ticks::new(u64::MAX),
                Some(deadline) => before.plus(deadline)?.less(self.task.jitter).less(after_begun),
            };
            // The job is done after the first tick of its last stretch, and then the rest of the stretch.
            let work_before = work.less(after_begun);
            let earliest = begun.max(rest.earliest(work_before));
            let first = finish_by(work_before, self.above, earliest, latest, patience)?;
            let Some(first) = first else { return Ok(None) };
            longest = longest.max(first.plus(after_begun)?.plus(self.task.jitter)?.less(before));
            // Work that is done before the next job arrives doesn't delay that job, even if it is released
            // earlier: the jobs from there on fare no worse than those from the start (Tindell, Burns and
            // Wellings, 1994).
            let next = self.task.period.times(job + 1)?;
            if finish_by(work, self.above, first, next, patience)?.is_some() {
                return Ok(Some(longest));
            }
            begun = first.plus(self.task.cost)?;
        }
        Err(Failure::TooLong)
    }
}
