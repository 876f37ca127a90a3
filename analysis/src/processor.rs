//! The processor: its pending work at each instant of the schedule, and its past.
//!
//! At each instant the kernel enters system code, calls the due drivers in list order, and releases the jobs;
//! then the most urgent job runs until something else happens.
//!
//! Jobs may be equally urgent, and no order of equals is guaranteed. A schedule shows one order: earlier
//! releases first, then the order of the description. Response times hold for all orders: a job is [`Open`]
//! until it would be done if all its equals, including those that arrive before it is done, went first. The
//! amount of work of some urgency and above doesn't depend on which of the equals goes first, as long as none
//! of them waits for anything less urgent; so there is no need to try orders.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, VecDeque};

use crate::failure::{Failure, Miss};
use crate::model::{Policy, System, Task};
use crate::schedule::{DriverIndex, Job, Outcome, Schedule, Segment, TaskIndex, Work};
use crate::ticks::{Ticks, TimesTooLarge};

/// The processor's state while the schedule is laid out.
pub(crate) struct Processor<'a> {
    system: &'a System,
    pub(crate) now: Ticks,
    /// The next call of each driver and the next release of each task, in time order.
    next: BinaryHeap<Reverse<(Ticks, Arrival)>>,
    /// The work above the bands, in its order, and the incomplete jobs, each with its remaining work.
    above: VecDeque<(Work, Ticks)>,
    ready: Vec<(Job, Ticks)>,
    open: Vec<Open>,
    /// The task that goes after all its equals released at the same instant.
    last: Option<TaskIndex>,
    /// The sum of the work above the bands.
    backlog: Ticks,
    pub(crate) past: Schedule,
    pub(crate) responses: Vec<Vec<Ticks>>,
    /// Jobs released and drivers called so far.
    pub(crate) admitted: u32,
}

/// An arrival at an instant: drivers are called before jobs are released, each in list order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Arrival {
    Call(DriverIndex),
    Release(TaskIndex),
}

/// A job that isn't yet done in every order of equals.
#[derive(Clone, Copy)]
struct Open {
    job: Job,
    /// The time until it is done in the worst order, if nothing else arrives.
    left: Ticks,
}

/// The work left at some instant, in the schedule's order and in the worst one for each job.
#[derive(PartialEq, Eq)]
pub(crate) struct Pending {
    backlog: Ticks,
    jobs: Vec<(TaskIndex, Ticks)>,
    open: Vec<(TaskIndex, Ticks)>,
}

impl<'a> Processor<'a> {
    pub(crate) fn new(system: &'a System) -> Processor<'a> {
        let calls = system.interference.iter().enumerate();
        let calls = calls.map(|(index, driver)| (driver.offset, Arrival::Call(DriverIndex(index))));
        let members = system.bands.iter().enumerate();
        let releases = members.flat_map(|(band, members)| {
            let release =
                move |(task, of): (usize, &Task)| (of.offset, Arrival::Release(TaskIndex { band, task }));
            members.tasks.iter().enumerate().map(release)
        });
        Processor {
            system,
            now: Ticks::ZERO,
            next: calls.chain(releases).map(Reverse).collect(),
            above: VecDeque::new(),
            ready: Vec::new(),
            open: Vec::new(),
            last: None,
            backlog: Ticks::ZERO,
            past: Schedule::default(),
            responses: system.bands.iter().map(|band| vec![Ticks::ZERO; band.tasks.len()]).collect(),
            admitted: 0,
        }
    }

    /// The same, with one task after all its equals released at the same instant.
    pub(crate) fn with_last(system: &'a System, last: TaskIndex) -> Processor<'a> {
        Processor { last: Some(last), ..Processor::new(system) }
    }

    /// Runs up to the instant `end`, exclusive; returns an outcome if the end wasn't reached.
    pub(crate) fn run(&mut self, end: Ticks) -> Result<Option<Outcome>, Failure> {
        while self.now < end {
            self.step(end)?;
            if let Some((job, unfinished)) = self.late() {
                return Ok(Some(Outcome::Missed(Box::new(self.miss(job, unfinished)))));
            }
            if self.admitted > Failure::JOB_LIMIT {
                return Ok(Some(Outcome::TooLong));
            }
            self.forget_if_idle();
        }
        Ok(None)
    }

    /// From now to the next event, at most to `end`.
    pub(crate) fn step(&mut self, end: Ticks) -> Result<(), TimesTooLarge> {
        self.admit()?;
        self.advance(end)
    }

    /// The events of an instant: system code is entered, drivers are called, jobs are released.
    fn admit(&mut self) -> Result<(), TimesTooLarge> {
        if self.next_instant() != Some(self.now) {
            return Ok(());
        }
        if self.enters() {
            self.push_above(Work::Kernel, self.system.costs.entry()?)?;
        }
        while let Some(&Reverse((instant, arrival))) = self.next.peek()
            && instant == self.now
        {
            self.next.pop();
            let period = match arrival {
                Arrival::Call(driver) => self.call(driver)?,
                Arrival::Release(task) => self.release(task)?,
            };
            self.next.push(Reverse((self.now.plus(period)?, arrival)));
            self.admitted += 1;
        }
        Ok(())
    }

    /// Whether system code is entered now: not for sporadic jobs alone.
    fn enters(&self) -> bool {
        let is_sporadic = |arrival: Arrival| match arrival {
            Arrival::Call(DriverIndex(driver)) => self.system.interference[driver].is_sporadic,
            Arrival::Release(TaskIndex { band, task }) => self.system.bands[band].tasks[task].is_sporadic,
        };
        let now = self.next.iter().filter(|Reverse((instant, _))| *instant == self.now);
        now.into_iter().any(|Reverse((_, arrival))| !is_sporadic(*arrival))
    }

    fn call(&mut self, index: DriverIndex) -> Result<Ticks, TimesTooLarge> {
        let driver = &self.system.interference[index.0];
        self.push_above(Work::Driver(index), self.system.costs.call(driver)?)?;
        Ok(driver.period)
    }

    fn release(&mut self, index: TaskIndex) -> Result<Ticks, TimesTooLarge> {
        let task = &self.system.bands[index.band].tasks[index.task];
        let job = Job { task: index, release: self.now, deadline: self.now.plus(task.deadline)? };
        self.push_above(Work::Kernel, self.system.costs.release)?;
        let cost = self.system.costs.job(task)?;
        self.open(job, cost)?;
        self.ready.push((job, cost));
        self.past.releases.push(job);
        Ok(task.period)
    }

    /// Adds a new job: equally urgent work goes before it, and it goes before unfinished work as urgent; but
    /// the jobs of one task keep their order.
    fn open(&mut self, job: Job, cost: Ticks) -> Result<(), TimesTooLarge> {
        let urgency = self.urgency(&job);
        // The kernel's work for a less urgent thread comes once before everything as urgent, so no more of it
        // is ever left.
        let costs = &self.system.costs;
        let mut left = self.backlog.plus(cost)?.plus(costs.under_way)?.plus(costs.timers)?;
        for (other, work) in &self.ready {
            if self.urgency(other) <= urgency {
                left = left.plus(*work)?;
            }
        }
        let mut open = std::mem::take(&mut self.open);
        for other in &mut open {
            if other.job.task != job.task && urgency <= self.urgency(&other.job) {
                other.left = other.left.plus(cost)?;
            }
        }
        open.push(Open { job, left });
        self.open = open;
        Ok(())
    }

    fn push_above(&mut self, work: Work, cost: Ticks) -> Result<(), TimesTooLarge> {
        if cost > Ticks::ZERO {
            self.above.push_back((work, cost));
        }
        self.backlog = self.backlog.plus(cost)?;
        for open in &mut self.open {
            open.left = open.left.plus(cost)?;
        }
        Ok(())
    }

    /// Runs the most urgent work until it is done, or until the next instant, a deadline, or `end`.
    fn advance(&mut self, end: Ticks) -> Result<(), TimesTooLarge> {
        let deadline = self.ready.iter().map(|(job, _)| job.deadline).min();
        let stop = [self.next_instant(), deadline].into_iter().flatten().fold(end, Ticks::min);
        match self.most_urgent() {
            None => {
                self.close(stop)?;
                self.now = stop;
            }
            Some((work, left)) => {
                let until = self.now.plus(left)?.min(stop);
                self.note(work, until);
                self.spend(work, until.less(self.now));
                self.close(until)?;
                self.now = until;
                self.complete();
            }
        }
        Ok(())
    }

    fn next_instant(&self) -> Option<Ticks> {
        self.next.peek().map(|Reverse((instant, _))| *instant)
    }

    fn most_urgent(&self) -> Option<(Work, Ticks)> {
        let job = || self.ready.iter().min_by_key(|(job, _)| self.order(job));
        self.above.front().copied().or_else(|| job().map(|&(job, left)| (Work::Job(job), left)))
    }

    /// Subtracts `time` from the remaining work.
    fn spend(&mut self, work: Work, time: Ticks) {
        let left = match work {
            Work::Job(running) => {
                self.ready.iter_mut().find(|(job, _)| *job == running).map(|(_, left)| left)
            }
            Work::Kernel | Work::Driver(_) => {
                self.backlog = self.backlog.less(time);
                self.above.front_mut().map(|(_, left)| left)
            }
        };
        if let Some(left) = left {
            *left = left.less(time);
        }
    }

    /// Removes finished work.
    fn complete(&mut self) {
        self.above.pop_front_if(|(_, left)| *left == Ticks::ZERO);
        self.ready.retain(|(_, left)| *left > Ticks::ZERO);
    }

    /// Lets time pass, all of it for work as urgent as an open job. Keeps the longest response times.
    fn close(&mut self, until: Ticks) -> Result<(), TimesTooLarge> {
        let passed = until.less(self.now);
        for Open { job, left } in self.open.extract_if(.., |open| open.left <= passed) {
            let longest = &mut self.responses[job.task.band][job.task.task];
            *longest = self.now.plus(left)?.less(job.release).max(*longest);
        }
        self.open.iter_mut().for_each(|open| open.left = open.left.less(passed));
        Ok(())
    }

    /// Adds to the past; extends the last segment if it is the same work.
    fn note(&mut self, work: Work, end: Ticks) {
        match self.past.segments.last_mut() {
            Some(last) if last.work == work && last.end == self.now => last.end = end,
            _ => self.past.segments.push(Segment { work, start: self.now, end }),
        }
    }

    /// Nothing before an idle time explains anything after it.
    fn forget_if_idle(&mut self) {
        if self.above.is_empty() && self.ready.is_empty() {
            self.past = Schedule::default();
        }
    }

    /// The most urgent job that is past its deadline.
    pub(crate) fn late(&self) -> Option<(Job, Ticks)> {
        self.ready
            .iter()
            .filter(|(job, _)| job.deadline <= self.now)
            .min_by_key(|(job, _)| self.order(job))
            .copied()
    }

    /// How urgent a job is: band and key, smaller first.
    fn urgency(&self, job: &Job) -> (usize, u64) {
        let band = &self.system.bands[job.task.band];
        let key = match band.policy {
            Policy::Dynamic => job.deadline.get(),
            Policy::Fixed => u64::from(u32::MAX - band.tasks[job.task.task].priority),
        };
        (job.task.band, key)
    }

    /// Urgency, then the order of releases, then that of the description except for the task that goes last.
    fn order(&self, job: &Job) -> ((usize, u64), Ticks, bool, TaskIndex) {
        (self.urgency(job), job.release, self.last == Some(job.task), job.task)
    }

    /// The work left, independent of arrival times: a task has at most one job, so its phase is known; and of
    /// the work above the bands only the sum matters for the future.
    pub(crate) fn pending(&self) -> Pending {
        let mut jobs: Vec<_> = self.ready.iter().map(|&(job, left)| (job.task, left)).collect();
        jobs.sort();
        let mut open: Vec<_> = self.open.iter().map(|open| (open.job.task, open.left)).collect();
        open.sort();
        Pending { backlog: self.backlog, jobs, open }
    }

    fn miss(&self, job: Job, unfinished: Ticks) -> Miss {
        let band = &self.system.bands[job.task.band];
        let task = band.tasks[job.task.task].name.clone();
        let schedule = self.explanation(&job);
        let is_equal = |other: &Job| other.task != job.task && self.urgency(other) == self.urgency(&job);
        let ran = schedule.segments.iter().filter_map(|segment| match segment.work {
            Work::Job(other) if is_equal(&other) => Some(other.task.task),
            _ => None,
        });
        let equals: BTreeSet<usize> = ran.collect();
        let equals = equals.into_iter().map(|task| band.tasks[task].name.clone()).collect();
        Miss { task, band: band.name.clone(), job, unfinished, equals, schedule }
    }

    /// The end of the past in which nothing less urgent than the late job ran.
    fn explanation(&self, late: &Job) -> Schedule {
        let mut start = self.now;
        let explains = |segment: &&Segment| {
            let urgent = match segment.work {
                Work::Job(job) => self.urgency(&job) <= self.urgency(late),
                Work::Kernel | Work::Driver(_) => true,
            };
            let kept = urgent && segment.end == start;
            start = if kept { segment.start } else { start };
            kept
        };
        let mut segments: Vec<_> = self.past.segments.iter().rev().take_while(explains).copied().collect();
        segments.reverse();
        let begins = segments.first().map_or(self.now, |segment| segment.start);
        let releases = self.past.releases.iter().filter(|job| job.release >= begins).copied().collect();
        Schedule { start: begins, end: self.now, segments, releases }
    }
}
