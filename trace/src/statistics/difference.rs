//! Two runs side by side: which tasks got slower.

use std::fmt;

use serde::Serialize;

use super::{Statistics, TaskStatistics};
use crate::clock::Nanoseconds;
use crate::table::{cell, table};

/// The differences between two runs, a line for each task of either.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The tasks of the first run, then those that only the second has.
    pub tasks: Vec<TaskDifference>,
}

/// One task in two runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TaskDifference {
    /// The task.
    pub task: String,
    /// The longest response time.
    pub worst_response: Pair<Nanoseconds>,
    /// The median response time.
    pub median_response: Pair<Nanoseconds>,
    /// The longest execution time.
    pub worst_execution: Pair<Nanoseconds>,
    /// Misses and violations.
    pub failures: Pair<usize>,
}

/// A value in the first and in the second run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Pair<Value> {
    /// In the first run, if present.
    pub first: Option<Value>,
    /// In the second run, if present.
    pub second: Option<Value>,
}

impl Difference {
    /// Compares tasks by name.
    #[must_use]
    pub fn of(first: &Statistics, second: &Statistics) -> Difference {
        let named = |statistics: &'_ Statistics, name: &str| {
            statistics.tasks.iter().find(|task| task.task == name).cloned()
        };
        let added = second.tasks.iter().filter(|task| named(first, &task.task).is_none());
        let all = first.tasks.iter().chain(added);
        let tasks = all
            .map(|task| TaskDifference::of(&task.task, named(first, &task.task), named(second, &task.task)));
        Difference { tasks: tasks.collect() }
    }
}

impl TaskDifference {
    fn of(name: &str, first: Option<TaskStatistics>, second: Option<TaskStatistics>) -> TaskDifference {
        let execution =
            |task: &TaskStatistics| task.execution.as_ref().map(|execution| execution.observed.most);
        TaskDifference {
            task: name.to_owned(),
            worst_response: Pair::of(&first, &second, |task| task.worst_response),
            median_response: Pair::of(&first, &second, |task| task.median_response),
            worst_execution: Pair::of(&first, &second, execution),
            failures: Pair::of(&first, &second, |task| Some(task.misses + task.violations)),
        }
    }
}

impl<Value> Pair<Value> {
    fn of(
        first: &Option<TaskStatistics>,
        second: &Option<TaskStatistics>,
        value: impl Fn(&TaskStatistics) -> Option<Value>,
    ) -> Pair<Value> {
        Pair { first: first.as_ref().and_then(&value), second: second.as_ref().and_then(&value) }
    }
}

/// The change in per cent: `+12 %`.
impl fmt::Display for Pair<Nanoseconds> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let change = match (self.first, self.second) {
            (Some(first), Some(second)) if first == second => "  =".to_owned(),
            (Some(first), Some(second)) if first.number() > 0 => {
                format!("{:+.1} %", (second.number() as f64 / first.number() as f64 - 1.0) * 100.0)
            }
            _ => String::new(),
        };
        write!(formatter, "{} → {} {change:>8}", cell(self.first), cell(self.second))
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = ["task", "worst response", "median response", "worst execution", "missed or violated"];
        let cells = |task: &TaskDifference| {
            [
                task.task.clone(),
                task.worst_response.to_string(),
                task.median_response.to_string(),
                task.worst_execution.to_string(),
                format!("{} → {}", cell(task.failures.first), cell(task.failures.second)),
            ]
        };
        let rows: Vec<_> = self.tasks.iter().map(cells).collect();
        formatter.write_str(&table(head, &rows))
    }
}
