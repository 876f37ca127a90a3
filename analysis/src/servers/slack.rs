//! Slack: how much other work may go before all tasks of a fixed band without making a job late.
//!
//! **Rule.** All tasks are released together at instant 0, and then periodically. For each job there is a most
//! that can be done, of other work and by less urgent tasks, from instant 0 to its deadline. Less what has been
//! done, that is the slack of its level; other work may go before all tasks while all levels have slack.
//! (Lehoczky and Ramos-Thuel, *An optimal algorithm for scheduling soft-aperiodic tasks in fixed-priority
//! preemptive systems*, RTSS 1992.)

use crate::demand::{Patience, Stream, requested};
use crate::failure::Failure;
use crate::sporadic::{self, Deadlines, Sporadic};
use crate::ticks::Ticks;

/// The slack of each job in a hyperperiod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slack {
    levels: Vec<Vec<Ticks>>,
    /// What each level leaves in a hyperperiod.
    left: Vec<Ticks>,
}

impl Slack {
    /// The most of other and less urgent work from instant 0 on that leaves this job in time, and all later
    /// ones of its task; tasks count from 0 in the order of priorities, jobs from 0. `None` if there is no such
    /// task, or the time doesn't fit.
    pub fn until(&self, task: usize, job: u64) -> Option<Ticks> {
        let jobs = self.levels.get(task)?;
        let count = u64::try_from(jobs.len()).ok()?;
        let (rounds, job) = (job.checked_div(count)?, job.checked_rem(count)?);
        let in_round = jobs.get(usize::try_from(job).ok()?)?;
        self.left.get(task)?.times(rounds).ok()?.plus(*in_round).ok()
    }
}

/// The slack of all jobs, for tasks in the order of priorities.
///
/// *Exact* for independent, preemptive, strictly periodic tasks that are released together, with deadlines up to
/// their periods and without jitter, whose jobs take their worst case: with a tick more a job is late. *Safe*
/// where jobs take less. Cost: for each job of the hyperperiod all releases until its deadline; memory: a time for
/// each job.
///
/// # Errors
/// [`Failure::Invalid`]; [`Failure::NotProved`] names a task that is late even without other work;
/// [`Failure::TimesTooLarge`]; [`Failure::TooLong`] if the hyperperiod holds too many jobs.
pub fn table(tasks: &[Sporadic]) -> Result<Slack, Failure> {
    sporadic::validate(tasks, Deadlines::OnTime)?;
    for (index, task) in tasks.iter().enumerate() {
        if task.deadline > task.period {
            return Err(Failure::Invalid {
                name: format!("task {index}"),
                fault: crate::Fault::DeadlineOutOfRange,
            });
        }
    }
    // So that no job is late without other work.
    super::promotion::times(tasks, &[])?;
    let hyperperiod = tasks.iter().try_fold(Ticks::new(1), |all, task| all.common_multiple(task.period))?;
    let mut patience = Patience::default();
    let mut slack = Slack { levels: Vec::new(), left: Vec::new() };
    for index in 0..tasks.len() {
        let level = Level { task: tasks[index], above: streams(&tasks[..index]) };
        slack.levels.push(level.jobs(hyperperiod, &mut patience)?);
        slack.left.push(hyperperiod.less(requested(&streams(&tasks[..=index]), hyperperiod)?));
    }
    Ok(slack)
}

fn streams(tasks: &[Sporadic]) -> Vec<Stream> {
    tasks.iter().map(Sporadic::stream).collect()
}

/// A task and everything more urgent.
struct Level {
    task: Sporadic,
    above: Vec<Stream>,
}

impl Level {
    fn jobs(&self, hyperperiod: Ticks, patience: &mut Patience) -> Result<Vec<Ticks>, Failure> {
        let count = hyperperiod.whole(self.task.period);
        // Later jobs have no less: where one can be done, so is all before it, and what comes behind is in time.
        (0..count).map(|job| self.until(job, patience)).collect()
    }

    /// The most that is free of the level from instant 0 to an instant at which the job can be done.
    fn until(&self, job: u64, patience: &mut Patience) -> Result<Ticks, Failure> {
        let release = self.task.period.times(job)?;
        let deadline = release.plus(self.task.deadline)?;
        let work = self.task.worst.times(job + 1)?;
        let mut most = Ticks::ZERO;
        // Between releases nothing is asked for, so what is free is most right before one.
        let mut end = deadline;
        while end > release {
            patience.step()?;
            let asked = work.plus(requested(&self.above, end)?)?;
            most = most.max(end.less(asked));
            let before = |stream: &Stream| stream.period.times(end.less(Ticks::new(1)).whole(stream.period));
            let mut latest = self.above.iter().map(before);
            end = latest.try_fold(Ticks::ZERO, |last, next| Ok::<_, Failure>(last.max(next?)))?;
        }
        Ok(most)
    }
}
