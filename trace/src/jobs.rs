//! Jobs and runs: which thread had the processor when, and the outcome of each job.

use std::collections::{BTreeMap, VecDeque};

use beryl_abi::{Duration, Instant, ThreadId};

use crate::event::{Event, Happening};
use crate::waits::Waits;
use beryl_abi::DecodedNote;

/// A stretch of time in which one thread had the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The thread.
    pub thread: ThreadId,
    /// When it got the processor.
    pub from: Instant,
    /// When it lost the processor, or when the trace ends.
    pub to: Instant,
}

/// One activation of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// The task.
    pub task: ThreadId,
    /// The logical instant of its release.
    pub release: Instant,
    /// When the kernel reported the release: physical time.
    pub told: Instant,
    /// The end of its logical execution time.
    pub deadline: Instant,
    /// When it first had the processor; `None` if it never had.
    pub start: Option<Instant>,
    /// How long it had the processor, up to its end or the end of the trace.
    pub executed: Duration,
    /// When it ended; `None` if it was still open at the end of the trace.
    pub end: Option<Instant>,
    /// How it ended.
    pub outcome: Outcome,
}

impl Job {
    /// From its release to its end; `None` if it hasn't ended by itself.
    #[must_use]
    pub fn response(&self) -> Option<Duration> {
        let by_itself = matches!(self.outcome, Outcome::Completed | Outcome::Missed);
        self.end.filter(|_| by_itself).map(|end| end.since(self.release))
    }
}

/// The outcome of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// No record of its end: the trace ends earlier, or has lost it.
    Open,
    /// It completed by its deadline.
    Completed,
    /// It wasn't done by its deadline; it has an end if it went on to complete.
    Missed,
    /// The program needed its result too early; it was stopped.
    Violated,
    /// Its thread did something forbidden, or it used more than it may; it was stopped.
    Faulted,
}

/// The use of the processor, derived from a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// The runs, in order, including those of the idle thread.
    pub runs: Vec<Run>,
    /// The jobs, in the order of their releases.
    pub jobs: Vec<Job>,
    /// Waits, locks and kernel entries, if the trace has them.
    pub waits: Waits,
    /// The first and the last instant of the trace.
    pub span: (Instant, Instant),
    /// The indices of jobs whose miss was reported, by task and deadline.
    pub(crate) missed: BTreeMap<(ThreadId, Instant), usize>,
}

impl History {
    /// Follows a trace from its first to its last event, in time linear in their number.
    #[must_use]
    pub fn of(events: &[Event]) -> History {
        let mut follower = Follower::default();
        let Some(first) = events.first() else { return follower.history };
        let mut now = first.time;
        follower.since = now;
        for event in events {
            // Time never runs backwards, except in a damaged trace.
            now = now.max(event.time);
            follower.follow(event, now);
        }
        follower.history.waits = Waits::of(events);
        follower.history.span = (first.time, now);
        if let Some(runner) = follower.runner {
            follower.run(runner, now);
        }
        follower.history
    }

    /// The job of a task that missed a deadline; `None` if the trace doesn't have its release.
    #[must_use]
    pub fn missed(&self, task: ThreadId, deadline: Instant) -> Option<&Job> {
        self.jobs.get(*self.missed.get(&(task, deadline))?)
    }

    /// The jobs of one task, in the order of their releases.
    pub fn jobs_of(&self, task: ThreadId) -> impl Iterator<Item = &Job> {
        self.jobs.iter().filter(move |job| job.task == task)
    }
}

struct Follower {
    history: History,
    /// The thread that has the processor, as far as the trace has said.
    runner: Option<ThreadId>,
    /// Since when.
    since: Instant,
    /// Up to when its time has been charged.
    charged: Instant,
    /// Whether notes were lost and the running thread hasn't been known since.
    is_blind: bool,
    /// The state of each thread.
    threads: Vec<Followed>,
}

#[derive(Clone, Default)]
struct Followed {
    /// Indices of the open jobs, oldest first.
    open: VecDeque<usize>,
    /// The job that ended last.
    ended: Option<usize>,
    /// Its processor time since it was reported to be in its program's way: it may have gone on.
    gone_on: Duration,
}

impl Default for Follower {
    fn default() -> Follower {
        let threads = vec![Followed::default(); usize::from(u8::MAX) + 1];
        Follower {
            history: History::default(),
            runner: None,
            since: Instant::START,
            charged: Instant::START,
            is_blind: false,
            threads,
        }
    }
}

impl Follower {
    fn follow(&mut self, event: &Event, now: Instant) {
        match event.happening {
            Happening::Switch { from, to } => {
                self.run(from, now);
                (self.since, self.runner, self.is_blind) = (now, Some(to), false);
                self.start(to, now);
            }
            Happening::Release { task, instant, deadline } => {
                self.threads[task.index()].open.push_back(self.history.jobs.len());
                self.history.jobs.push(Job {
                    task,
                    release: instant,
                    told: now,
                    deadline,
                    start: None,
                    executed: Duration::ZERO,
                    end: None,
                    outcome: Outcome::Open,
                });
                if self.runner == Some(task) {
                    self.start(task, now);
                }
            }
            Happening::Complete { task } => self.complete(task, now),
            Happening::Miss { task, deadline } => self.miss(task, deadline, now),
            Happening::Violation { task, .. } => self.violate(task, now),
            // A job that has used more than it may is ended.
            Happening::Note(DecodedNote::Stop { thread, begins_anew: true }) => {
                self.end(thread, now, Outcome::Faulted);
            }
            Happening::Fault { thread, .. } => while self.end(thread, now, Outcome::Faulted) {},
            Happening::Note(DecodedNote::Lost { .. }) => self.lose(),
            _ => {}
        }
    }

    /// The lost notes may include the end of any job and any switch: from now on, ends belong to jobs
    /// released after the loss.
    fn lose(&mut self) {
        for followed in &mut self.threads {
            *followed = Followed::default();
        }
        (self.runner, self.is_blind) = (None, true);
    }

    /// `thread` had the processor until `to`.
    fn run(&mut self, thread: ThreadId, to: Instant) {
        if self.is_blind {
            return;
        }
        if self.since < to {
            self.history.runs.push(Run { thread, from: self.since, to });
        }
        self.charge(thread, to);
    }

    /// The thread had the processor until `to`: charge its oldest open job.
    fn charge(&mut self, thread: ThreadId, to: Instant) {
        let since = self.since.max(self.charged);
        self.charged = to;
        let followed = &mut self.threads[thread.index()];
        let Some(index) = followed.open.front() else {
            followed.gone_on = followed.gone_on.plus(to.since(since));
            return;
        };
        let job = &mut self.history.jobs[*index];
        // A thread without a recorded switch has run since the trace began.
        let from = *job.start.get_or_insert(self.since.max(job.told.min(to)));
        job.executed = job.executed.plus(to.since(since.max(from)));
    }

    fn start(&mut self, thread: ThreadId, at: Instant) {
        if let Some(index) = self.threads[thread.index()].open.front() {
            self.history.jobs[*index].start.get_or_insert(at);
        }
    }

    /// A job is done: the oldest open one, or else the one that was in its program's way and has gone on.
    fn complete(&mut self, task: ThreadId, at: Instant) {
        if !self.end(task, at, Outcome::Completed) {
            return self.complete_late(task, at);
        }
        // While releases wait to be made up for, the kernel reports no miss when a job is done.
        let ended = self.threads[task.index()].ended.map(|index| &mut self.history.jobs[index]);
        if let Some(job) = ended.filter(|job| at > job.deadline) {
            job.outcome = Outcome::Missed;
        }
    }

    fn complete_late(&mut self, task: ThreadId, at: Instant) {
        if self.runner == Some(task) {
            self.charge(task, at);
        }
        let followed = &self.threads[task.index()];
        let violated = followed.ended.map(|index| &mut self.history.jobs[index]);
        if let Some(job) = violated.filter(|job| job.outcome == Outcome::Violated) {
            job.end = Some(at);
            job.executed = job.executed.plus(followed.gone_on);
            job.outcome = Outcome::Missed;
        }
    }

    /// Ends the oldest open job of `task`; returns whether there was one.
    fn end(&mut self, task: ThreadId, at: Instant, outcome: Outcome) -> bool {
        if self.runner == Some(task) {
            self.charge(task, at);
        }
        let followed = &mut self.threads[task.index()];
        let Some(index) = followed.open.pop_front() else { return false };
        (followed.ended, followed.gone_on) = (Some(index), Duration::ZERO);
        let job = &mut self.history.jobs[index];
        job.end = Some(at);
        if job.outcome == Outcome::Open || outcome != Outcome::Completed {
            job.outcome = outcome;
        }
        if self.runner == Some(task) {
            self.start(task, at);
        }
        true
    }

    /// A job's result is needed. One that was ended before has kept its end.
    fn violate(&mut self, task: ThreadId, now: Instant) {
        if self.end(task, now, Outcome::Violated) {
            return;
        }
        let ended = self.threads[task.index()].ended.map(|index| &mut self.history.jobs[index]);
        if let Some(job) = ended.filter(|job| job.outcome == Outcome::Faulted) {
            job.outcome = Outcome::Violated;
        }
    }

    /// A miss is reported next to the completion, before or after it; for a periodic thread, at its next
    /// release, while the job goes on. If that release comes before the deadline, the job may still meet it.
    fn miss(&mut self, task: ThreadId, deadline: Instant, now: Instant) {
        if now < deadline {
            return;
        }
        let followed = &self.threads[task.index()];
        let mut candidates = followed.open.front().copied().into_iter().chain(followed.ended);
        let late = candidates.find(|index| self.history.jobs[*index].deadline == deadline);
        if let Some(index) = late {
            self.history.jobs[index].outcome = Outcome::Missed;
            self.history.missed.insert((task, deadline), index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TASK: ThreadId = ThreadId(0);
    const IDLE: ThreadId = ThreadId(9);

    fn at(ticks: u64) -> Instant {
        Instant::from_ticks(ticks)
    }

    fn release(ticks: u64, deadline: u64) -> Event {
        let happening = Happening::Release { task: TASK, instant: at(ticks), deadline: at(deadline) };
        Event { time: at(ticks), happening }
    }

    fn event(ticks: u64, happening: Happening) -> Event {
        Event { time: at(ticks), happening }
    }

    fn outcomes(events: &[Event]) -> Vec<(Outcome, Option<u64>)> {
        History::of(events).jobs.iter().map(|job| (job.outcome, job.end.map(Instant::ticks))).collect()
    }

    #[test]
    fn runs_are_cut_at_switches() {
        let switch = |ticks, from, to| event(ticks, Happening::Switch { from, to });
        let events = [
            release(0, 10),
            switch(2, IDLE, TASK),
            switch(5, TASK, IDLE),
            event(8, Happening::Stray { line: beryl_abi::Line(0) }),
        ];
        let runs: Vec<_> = History::of(&events)
            .runs
            .iter()
            .map(|run| (run.thread, run.from.ticks(), run.to.ticks()))
            .collect();
        assert_eq!(runs, [(IDLE, 0, 2), (TASK, 2, 5), (IDLE, 5, 8)]);
    }

    #[test]
    fn a_miss_counts_whether_told_before_or_after_the_completion() {
        let complete = event(12, Happening::Complete { task: TASK });
        let miss = event(12, Happening::Miss { task: TASK, deadline: at(10) });
        let expected = [(Outcome::Missed, Some(12))];
        assert_eq!(outcomes(&[release(0, 10), complete.clone(), miss.clone()]), expected);
        assert_eq!(outcomes(&[release(0, 10), miss.clone(), complete]), expected);
    }

    /// The kernel reports it at the next release, and the job goes on.
    #[test]
    fn a_periodic_threads_late_job_goes_on_after_its_miss() {
        let miss = |ticks| event(ticks, Happening::Miss { task: TASK, deadline: at(10) });
        let complete = event(25, Happening::Complete { task: TASK });
        assert_eq!(outcomes(&[release(0, 10), miss(10)]), [(Outcome::Missed, None)]);
        let events = [release(0, 10), miss(10), miss(20), complete, release(20, 30)];
        assert_eq!(outcomes(&events), [(Outcome::Missed, Some(25)), (Outcome::Open, None)]);
    }

    #[test]
    fn a_job_is_charged_what_it_ran_and_nothing_else() {
        let switch = |ticks, from, to| event(ticks, Happening::Switch { from, to });
        let other = ThreadId(3);
        let events = [
            release(0, 100),
            switch(2, IDLE, TASK),
            switch(5, TASK, other),
            switch(9, other, TASK),
            event(12, Happening::Complete { task: TASK }),
            release(12, 100), // taken over without a switch
            event(14, Happening::Complete { task: TASK }),
            switch(15, TASK, IDLE),
        ];
        let jobs = History::of(&events).jobs;
        let told: Vec<_> =
            jobs.iter().map(|job| (job.start.map(Instant::ticks), job.executed.ticks())).collect();
        assert_eq!(told, [(Some(2), 6), (Some(12), 2)]);
        assert_eq!(jobs[0].response(), Some(Duration::from_ticks(12)));
    }

    /// The loss covers an end, a release and two switches: no later job may get an earlier one's end, and no
    /// thread time that it may not have had.
    #[test]
    fn where_something_was_lost_no_job_gets_the_end_of_another() {
        let switch = |ticks, from, to| event(ticks, Happening::Switch { from, to });
        let complete = |ticks| event(ticks, Happening::Complete { task: TASK });
        let events = [
            release(0, 10),
            switch(1, IDLE, TASK),
            event(6, Happening::Note(DecodedNote::Lost { count: 4 })),
            complete(14), // of a job whose release was lost
            switch(15, TASK, IDLE),
            release(20, 30),
            switch(21, IDLE, TASK),
            complete(24),
        ];
        assert_eq!(outcomes(&events), [(Outcome::Open, None), (Outcome::Completed, Some(24))]);
        let history = History::of(&events);
        assert_eq!(history.jobs[1].executed, Duration::from_ticks(3));
        let runs: Vec<_> = history.runs.iter().map(|run| (run.from.ticks(), run.to.ticks())).collect();
        assert_eq!(runs, [(0, 1), (15, 21), (21, 24)]);
    }

    /// A million releases without jobs must still be followed quickly.
    #[test]
    fn jobs_that_never_end_cost_no_more_than_others() {
        let releases = (0..1_000_000).map(|ticks| release(ticks, ticks + 1));
        let misses =
            (0..1_000_000).map(|ticks| event(ticks, Happening::Miss { task: TASK, deadline: at(ticks + 1) }));
        let events: Vec<Event> = releases.chain(misses).collect();
        assert_eq!(History::of(&events).jobs.len(), 1_000_000);
    }

    #[test]
    fn every_job_has_its_outcome() {
        let fault = beryl_abi::Fault { kind: beryl_abi::FaultKind::Data, address: 1, instruction: 2 };
        let events = [
            release(0, 10),
            event(4, Happening::Complete { task: TASK }),
            release(10, 20),
            event(20, Happening::Violation { task: TASK, instant: at(20) }),
            release(20, 30),
            event(21, Happening::Fault { thread: TASK, fault }),
            release(30, 40),
        ];
        let expected = [
            (Outcome::Completed, Some(4)),
            (Outcome::Violated, Some(20)),
            (Outcome::Faulted, Some(21)),
            (Outcome::Open, None),
        ];
        assert_eq!(outcomes(&events), expected);
    }

    #[test]
    fn a_job_that_was_ended_waits_for_nothing_and_is_late_when_its_result_is_needed() {
        let ended =
            |ticks| event(ticks, Happening::Note(DecodedNote::Stop { thread: TASK, begins_anew: true }));
        let events = [
            release(0, 10),
            ended(6),
            event(10, Happening::Violation { task: TASK, instant: at(10) }),
            release(10, 20),
            ended(16),
            release(20, 30),
            event(22, Happening::Complete { task: TASK }),
        ];
        let expected =
            [(Outcome::Violated, Some(6)), (Outcome::Faulted, Some(16)), (Outcome::Completed, Some(22))];
        assert_eq!(outcomes(&events), expected);
    }
}
