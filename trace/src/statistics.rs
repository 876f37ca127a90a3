//! Statistics of a run, a line for each task.

mod budgets;
mod difference;
mod distribution;
mod execution;
mod lacked;
mod modes;
mod power;
mod processor;
mod promises;
mod refused;
mod tables;
mod tally;
mod waiting;

use std::fmt;

use beryl_abi::ThreadId;
use serde::Serialize;

pub use budgets::BudgetStatistics;
pub use difference::{Difference, Pair, TaskDifference};
pub use distribution::{Bar, Distribution};
pub use execution::{Drift, Execution, Warning};
pub use lacked::LackedStatistics;
pub use modes::ModeStatistics;
pub use power::SleepStatistics;
pub use processor::{DriverStatistics, ThreadStatistics};
pub use promises::{Kind, Promise};
pub use refused::RefusedStatistics;
pub use tally::Tally;
pub use waiting::{KernelStatistics, LockStatistics, WaitStatistics};

use crate::clock::{LogicalInstant, Nanoseconds};
use crate::event::{Event, Happening};
use crate::jobs::{History, Job, Outcome};
use crate::modes::Modes;
use crate::names::{Declared, Names, ThreadKind};
use crate::releases;
use crate::table::{cell, table};
use beryl_abi::DecodedNote;
use processor::Usage;

/// The statistics of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Statistics {
    /// The length of the trace.
    #[serde(rename = "length_ns")]
    pub length: Nanoseconds,
    /// The share of time in which no thread was ready, from 0 to 1.
    pub idle_share: f64,
    /// The tasks, in the order of their threads.
    pub tasks: Vec<TaskStatistics>,
    /// The threads that ran, in the order of the thread table.
    pub threads: Vec<ThreadStatistics>,
    /// The sensors and actuators that were used.
    pub drivers: Vec<DriverStatistics>,
    /// The waits of threads, if the trace has them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub waits: Vec<WaitStatistics>,
    /// The locks that were held, if the trace has them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub locks: Vec<LockStatistics>,
    /// The modes of modules with several modes, if the trace has them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub modes: Vec<ModeStatistics>,
    /// Declared limits of locks and wake-ups, if the trace has these.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub promises: Vec<Promise>,
    /// The kernel's time, if the trace has it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kernel: Vec<KernelStatistics>,
    /// Budgets that were used up, if the trace has them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub budgets: Vec<BudgetStatistics>,
    /// What came too early to a gate or was more than its client may ask, if the trace has messages.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<RefusedStatistics>,
    /// What threads asked for without a right to it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lacked: Vec<LackedStatistics>,
    /// How deep the processor slept, if the trace has that.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sleeps: Vec<SleepStatistics>,
    /// Notes that were lost for lack of room.
    #[serde(skip_serializing_if = "is_zero")]
    pub lost: u64,
    /// The faults, in order.
    pub faults: Vec<FaultReport>,
    /// Drivers and releases that were skipped because their task had been stopped.
    pub skipped: usize,
    /// Unexpected interrupts.
    pub stray_interrupts: usize,
}

/// The jobs of one task.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TaskStatistics {
    /// The task.
    pub task: String,
    /// Its process.
    pub process: String,
    /// Jobs that were released.
    pub releases: usize,
    /// Jobs that completed, in time or late.
    pub completions: usize,
    /// Jobs that ended late.
    pub misses: usize,
    /// Releases that no job came of, because the previous job was still at work.
    pub lost_releases: usize,
    /// Jobs that were stopped because the program needed their result.
    pub violations: usize,
    /// Jobs that used more processor time than allowed.
    pub overruns: usize,
    /// The longest time from release to completion; `None` if no job completed.
    #[serde(rename = "worst_response_ns")]
    pub worst_response: Option<Nanoseconds>,
    /// The median time from release to completion, the lower one of two.
    #[serde(rename = "median_response_ns")]
    pub median_response: Option<Nanoseconds>,
    /// Its share of the processor's time, from 0 to 1.
    pub share: f64,
    /// The times from release to completion of the completed jobs.
    pub response: Option<Distribution>,
    /// The difference between the longest and the shortest time from release to start.
    #[serde(rename = "start_jitter_ns")]
    pub start_jitter: Option<Nanoseconds>,
    /// The execution times of completed jobs.
    pub execution: Option<Execution>,
    /// Its declared execution times.
    pub declared: Option<Declared>,
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
    /// The offence, in words.
    pub kind: &'static str,
    /// The address that it touched, 0 if unknown.
    pub address: u32,
    /// The instruction that caused it, 0 if unknown.
    pub instruction: u32,
}

impl Statistics {
    /// Computes them from a whole trace.
    #[must_use]
    pub fn of(events: &[Event], names: &Names) -> Statistics {
        let history = History::of(events);
        let usage = Usage::of(&history);
        let (start, end) = history.span;
        let count =
            |wanted: fn(&Happening) -> bool| events.iter().filter(|event| wanted(&event.happening)).count();
        let idle = names.identified().filter(|(_, thread)| thread.kind == ThreadKind::Idle);
        let overruns = overruns(events, names);
        let lost_releases = releases::lost(events, names);
        let task = |task: ThreadId, jobs: &[&Job]| TaskStatistics {
            share: usage.share(task),
            lost_releases: lost_releases.get(&task).copied().unwrap_or(0),
            ..TaskStatistics::of(task, jobs, overruns[task.index()], names)
        };
        let jobs = jobs_by_task(&history);
        Statistics {
            length: names.tick.length(end.since(start)),
            idle_share: idle.map(|(thread, _)| usage.share(thread)).sum(),
            tasks: names.tasks().map(|(thread, _)| task(thread, &jobs[thread.index()])).collect(),
            threads: usage.threads(names),
            drivers: processor::drivers(events, names),
            waits: waiting::waits(&history.waits, names),
            locks: waiting::locks(&history.waits, names, end.since(start)),
            modes: modes::modes(&Modes::of(events, names), names),
            promises: promises::promises(&history, names),
            kernel: waiting::kernel(&history.waits, names, end.since(start)),
            budgets: budgets::budgets(events, names),
            refused: refused::refused(events, names),
            lacked: lacked::lacked(events, names),
            sleeps: power::sleeps(events, history.span, names),
            lost: events.iter().map(lost).sum(),
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
    fn of(task: ThreadId, jobs: &[&Job], overruns: usize, names: &Names) -> TaskStatistics {
        let ended = |outcome| jobs.iter().filter(|job| job.outcome == outcome).count();
        let length = |duration| names.tick.length(duration);
        let completed: Vec<&&Job> = jobs.iter().filter(|job| job.response().is_some()).collect();
        let response =
            Distribution::of(completed.iter().filter_map(|job| job.response()).map(length).collect());
        let starts = jobs.iter().filter_map(|job| job.start.map(|start| length(start.since(job.release))));
        let known = names.known_thread(task);
        let executed = completed.iter().map(|job| length(job.executed)).collect();
        TaskStatistics {
            task: names.thread(task),
            process: known.map(|thread| thread.process.clone()).unwrap_or_default(),
            releases: jobs.len(),
            completions: completed.len(),
            misses: ended(Outcome::Missed),
            lost_releases: 0,
            violations: ended(Outcome::Violated),
            overruns,
            worst_response: response.as_ref().map(|response| response.most),
            median_response: response.as_ref().map(|response| response.median),
            share: 0.0,
            response,
            start_jitter: Distribution::of(starts.collect()).map(|starts| starts.spread()),
            execution: Execution::of(executed, known.and_then(|known| known.declared)),
            declared: known.and_then(|known| known.declared),
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

/// How many notes were lost before an event.
fn lost(event: &Event) -> u64 {
    match event.happening {
        Happening::Note(DecodedNote::Lost { count }) => count.into(),
        _ => 0,
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The jobs of each thread, in the order of their releases.
fn jobs_by_task(history: &History) -> Vec<Vec<&Job>> {
    let mut jobs = vec![Vec::new(); usize::from(u8::MAX) + 1];
    history.jobs.iter().for_each(|job| jobs[job.task.index()].push(job));
    jobs
}

/// The overruns of each thread's jobs.
fn overruns(events: &[Event], names: &Names) -> Vec<usize> {
    let mut counts = vec![0; usize::from(u8::MAX) + 1];
    for event in events {
        if let Happening::Overrun { task } = event.happening
            && !names.known_thread(task).is_some_and(|thread| thread.shares)
        {
            counts[task.index()] += 1;
        }
    }
    counts
}

/// A table, a line for each task; then the faults.
impl fmt::Display for Statistics {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = [
            "task",
            "released",
            "completed",
            "missed",
            "lost",
            "violated",
            "overran",
            "took",
            "worst",
            "response",
            "median",
            "share",
        ];
        formatter.write_str(&table(head, &self.tasks.iter().map(cells).collect::<Vec<_>>()))?;
        if self.skipped > 0 {
            let skipped = self.skipped;
            writeln!(
                formatter,
                "{skipped} drivers and releases skipped, since their tasks had been stopped"
            )?;
        }
        self.faults.iter().try_for_each(|fault| writeln!(formatter, "{fault}"))
    }
}

/// `took` is the longest observed execution time, `worst` the declared one, `response` the longest time to
/// completion.
fn cells(task: &TaskStatistics) -> [String; 12] {
    let execution = task.execution.as_ref();
    [
        task.task.clone(),
        task.releases.to_string(),
        task.completions.to_string(),
        task.misses.to_string(),
        task.lost_releases.to_string(),
        task.violations.to_string(),
        task.overruns.to_string(),
        cell(execution.map(|execution| execution.observed.most)),
        cell(task.declared.map(|declared| declared.worst)),
        cell(task.worst_response),
        cell(task.median_response),
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
