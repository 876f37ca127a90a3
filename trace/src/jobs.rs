//! Jobs and runs: who had the processor when, and what became of each job of a task.

use std::collections::VecDeque;

use beryl_abi::{Instant, ThreadId};

use crate::event::{Event, Happening};

/// A stretch of time in which one thread had the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The thread.
    pub thread: ThreadId,
    /// When it was given the processor.
    pub from: Instant,
    /// When it lost it, or when the trace ends.
    pub to: Instant,
}

/// One activation of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// The task.
    pub task: ThreadId,
    /// The logical instant of its release.
    pub release: Instant,
    /// The end of its logical execution time.
    pub deadline: Instant,
    /// When it ended; nothing if it was still open when the trace ended.
    pub end: Option<Instant>,
    /// How it ended.
    pub outcome: Outcome,
}

/// What became of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The trace ends before the job does.
    Open,
    /// It ended before its deadline.
    Completed,
    /// It ended after its deadline.
    Missed,
    /// The program needed its result too early; it was stopped.
    Violated,
    /// Its thread did something that it may not do; it was stopped.
    Faulted,
}

/// What a trace says about the processor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// The runs, in order, the idle thread's among them.
    pub runs: Vec<Run>,
    /// The jobs, in the order of their releases.
    pub jobs: Vec<Job>,
    /// The first and the last instant of the trace.
    pub span: (Instant, Instant),
}

impl History {
    /// Follows a trace from its first to its last event.
    #[must_use]
    pub fn of(events: &[Event]) -> History {
        let mut follower = Follower::default();
        let (Some(first), Some(last)) = (events.first(), events.last()) else { return follower.history };
        follower.history.span = (first.time, last.time);
        let (mut since, mut runner) = (first.time, None);
        for event in events {
            if let Happening::Switch { from, to } = event.happening {
                follower.run(from, since, event.time);
                (since, runner) = (event.time, Some(to));
            }
            follower.job(event);
        }
        if let Some(runner) = runner {
            follower.run(runner, since, last.time);
        }
        follower.history
    }
}

#[derive(Default)]
struct Follower {
    history: History,
    /// Positions of the jobs that haven't ended, oldest first.
    open: VecDeque<usize>,
}

impl Follower {
    fn run(&mut self, thread: ThreadId, from: Instant, to: Instant) {
        if from < to {
            self.history.runs.push(Run { thread, from, to });
        }
    }

    fn job(&mut self, event: &Event) {
        match event.happening {
            Happening::Release { task, instant, deadline } => {
                self.open.push_back(self.history.jobs.len());
                let job = Job { task, release: instant, deadline, end: None, outcome: Outcome::Open };
                self.history.jobs.push(job);
            }
            Happening::Complete { task } => {
                self.end(task, event.time, Outcome::Completed);
            }
            Happening::Miss { task, deadline } => self.miss(task, deadline, event.time),
            Happening::Violation { task, .. } => {
                self.end(task, event.time, Outcome::Violated);
            }
            Happening::Fault { thread, .. } => while self.end(thread, event.time, Outcome::Faulted) {},
            _ => {}
        }
    }

    /// Ends the oldest open job of `task`; answers whether there was one.
    fn end(&mut self, task: ThreadId, at: Instant, outcome: Outcome) -> bool {
        let jobs = &mut self.history.jobs;
        let Some(place) = self.open.iter().position(|index| jobs[*index].task == task) else { return false };
        let Some(index) = self.open.remove(place) else { return false };
        jobs[index].end = Some(at);
        jobs[index].outcome = outcome;
        true
    }

    /// A miss is told beside the completion, before or after it.
    fn miss(&mut self, task: ThreadId, deadline: Instant, at: Instant) {
        let late = |job: &&mut Job| job.task == task && job.deadline == deadline;
        if let Some(job) = self.history.jobs.iter_mut().rev().find(late) {
            job.end = Some(at);
            job.outcome = Outcome::Missed;
        }
        let jobs = &self.history.jobs;
        self.open.retain(|index| jobs[*index].outcome == Outcome::Open);
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
        assert_eq!(outcomes(&[release(0, 10), miss]), expected);
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
}
