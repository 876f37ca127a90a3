//! Statistics: what a run was like, a line for each task.

use std::fmt;

use beryl_abi::{Duration, ThreadId};
use serde::Serialize;

use crate::clock::{LogicalInstant, Nanoseconds};
use crate::event::{Event, Happening};
use crate::jobs::{History, Job, Outcome};
use crate::names::{Names, ThreadKind};

/// What a run was like.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Statistics {
    /// The length of the trace.
    #[serde(rename = "length_ns")]
    pub length: Nanoseconds,
    /// The part of the time in which no thread wanted the processor, from 0 to 1.
    pub idle_share: f64,
    /// The tasks, in the order of their threads.
    pub tasks: Vec<TaskStatistics>,
    /// The faults, in order.
    pub faults: Vec<FaultReport>,
    /// Drivers and releases that were left out because their task had been stopped.
    pub skipped: usize,
    /// Interrupts that nobody asked for.
    pub stray_interrupts: usize,
}

/// What became of the jobs of one task.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TaskStatistics {
    /// The task.
    pub task: String,
    /// Its process.
    pub process: String,
    /// Jobs that were released.
    pub releases: usize,
    /// Jobs that ended by themselves, in time or late.
    pub completions: usize,
    /// Jobs that ended late.
    pub misses: usize,
    /// Jobs that were stopped because the program needed their result.
    pub violations: usize,
    /// Jobs that used more processor time than allowed.
    pub overruns: usize,
    /// The longest time from release to completion; nothing if no job completed.
    #[serde(rename = "worst_response_ns")]
    pub worst_response: Option<Nanoseconds>,
    /// The median of the times from release to completion, the lower one of two.
    #[serde(rename = "median_response_ns")]
    pub median_response: Option<Nanoseconds>,
    /// The part of the processor's time that it used, from 0 to 1.
    pub share: f64,
}

/// A fault: which thread did what, where and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FaultReport {
    /// When it was stopped.
    #[serde(rename = "time_ns")]
    pub time: LogicalInstant,
    /// The thread.
    pub thread: String,
    /// Its process.
    pub process: String,
    /// What it did, in words.
    pub kind: &'static str,
    /// The address that it touched, 0 if not known.
    pub address: u32,
    /// The instruction that did it, 0 if not known.
    pub instruction: u32,
}

impl Statistics {
    /// Counts over a whole trace.
    #[must_use]
    pub fn of(events: &[Event], names: &Names) -> Statistics {
        let history = History::of(events);
        let (start, end) = history.span;
        let count =
            |wanted: fn(&Happening) -> bool| events.iter().filter(|event| wanted(&event.happening)).count();
        let idle = names.identified().filter(|(_, thread)| thread.kind == ThreadKind::Idle);
        Statistics {
            length: names.tick.length(end.since(start)),
            idle_share: idle.map(|(thread, _)| share(&history, thread)).sum(),
            tasks: names.tasks().map(|(task, _)| TaskStatistics::of(task, events, &history, names)).collect(),
            faults: events.iter().filter_map(|event| FaultReport::of(event, names)).collect(),
            skipped: count(|happening| matches!(happening, Happening::Skip { .. })),
            stray_interrupts: count(|happening| matches!(happening, Happening::Stray { .. })),
        }
    }

    /// Deadline misses and time-safety violations of all tasks.
    #[must_use]
    pub fn failures(&self) -> usize {
        self.tasks.iter().map(|task| task.misses + task.violations).sum()
    }
}

impl TaskStatistics {
    fn of(task: ThreadId, events: &[Event], history: &History, names: &Names) -> TaskStatistics {
        let jobs: Vec<&Job> = history.jobs.iter().filter(|job| job.task == task).collect();
        let ended = |outcome| jobs.iter().filter(|job| job.outcome == outcome).count();
        let responses = responses(&jobs);
        let length = |duration: &Duration| names.tick.length(*duration);
        let overrun = |event: &&Event| event.happening == Happening::Overrun { task };
        TaskStatistics {
            task: names.thread(task),
            process: names.known_thread(task).map(|thread| thread.process.clone()).unwrap_or_default(),
            releases: jobs.len(),
            completions: responses.len(),
            misses: ended(Outcome::Missed),
            violations: ended(Outcome::Violated),
            overruns: events.iter().filter(overrun).count(),
            worst_response: responses.last().map(length),
            median_response: responses.get(responses.len().saturating_sub(1) / 2).map(length),
            share: share(history, task),
        }
    }
}

impl FaultReport {
    fn of(event: &Event, names: &Names) -> Option<FaultReport> {
        let Happening::Fault { thread, fault } = event.happening else { return None };
        Some(FaultReport {
            time: names.tick.logical(event.time),
            thread: names.thread(thread),
            process: names.known_thread(thread).map(|known| known.process.clone()).unwrap_or_default(),
            kind: fault.kind.words(),
            address: fault.address,
            instruction: fault.instruction,
        })
    }
}

/// The response times of the jobs that completed, shortest first.
fn responses(jobs: &[&Job]) -> Vec<Duration> {
    let completed = jobs.iter().filter(|job| matches!(job.outcome, Outcome::Completed | Outcome::Missed));
    let mut responses: Vec<Duration> =
        completed.filter_map(|job| job.end.map(|end| end.since(job.release))).collect();
    responses.sort_unstable();
    responses
}

fn share(history: &History, thread: ThreadId) -> f64 {
    let runs = history.runs.iter().filter(|run| run.thread == thread);
    let used = runs.fold(Duration::ZERO, |used, run| used.plus(run.to.since(run.from)));
    let (start, end) = history.span;
    match end.since(start).ticks() {
        0 => 0.0,
        whole => used.ticks() as f64 / whole as f64,
    }
}

/// A table, a line for each task; then the faults.
impl fmt::Display for Statistics {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head =
            ["task", "released", "completed", "missed", "violated", "overran", "worst", "median", "share"];
        let rows: Vec<[String; 9]> =
            [head.map(str::to_owned)].into_iter().chain(self.tasks.iter().map(cells)).collect();
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..head.len()).map(width).collect();
        for row in &rows {
            write!(formatter, "{:<width$}", row[0], width = widths[0])?;
            for (cell, width) in row.iter().zip(&widths).skip(1) {
                write!(formatter, "  {cell:>width$}")?;
            }
            writeln!(formatter)?;
        }
        self.faults.iter().try_for_each(|fault| writeln!(formatter, "{fault}"))
    }
}

fn cells(task: &TaskStatistics) -> [String; 9] {
    let length =
        |length: Option<Nanoseconds>| length.map_or_else(|| "-".to_owned(), |length| length.to_string());
    [
        task.task.clone(),
        task.releases.to_string(),
        task.completions.to_string(),
        task.misses.to_string(),
        task.violations.to_string(),
        task.overruns.to_string(),
        length(task.worst_response),
        length(task.median_response),
        format!("{:.1} %", task.share * 100.0),
    ]
}

impl fmt::Display for FaultReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{}: {} of process {} stopped: {}",
            self.time, self.thread, self.process, self.kind
        )?;
        if self.address != 0 {
            write!(formatter, " at address {:#010x}", self.address)?;
        }
        if self.instruction != 0 {
            write!(formatter, ", instruction {:#010x}", self.instruction)?;
        }
        Ok(())
    }
}
