//! The tables of `beryl trace stats`: execution times, response times, the processor, sensors and actuators.

use super::distribution::Distribution;
use super::{Statistics, TaskStatistics};
use crate::table::{cell, table};

impl Statistics {
    /// Execution times compared with the declared ones.
    #[must_use]
    pub fn execution_table(&self) -> String {
        let head = ["task", "declared", "least", "median", "99 %", "most", "margin", "distribution"];
        let cells = |task: &TaskStatistics| {
            let execution = task.execution.as_ref();
            let declared = execution.and_then(|execution| execution.declared);
            let [least, median, high, most, line] = numbers(execution.map(|execution| &execution.observed));
            let declared = declared.map(|declared| format!("{} to {}", declared.best, declared.worst));
            let margin = execution.and_then(|execution| execution.margin());
            let margin = cell(margin.map(|margin| format!("{margin:.1} %")));
            [task.task.clone(), cell(declared), least, median, high, most, margin, line]
        };
        table(head, &self.tasks.iter().map(cells).collect::<Vec<_>>())
    }

    /// Response times and their jitter.
    #[must_use]
    pub fn response_table(&self) -> String {
        let head = ["task", "least", "median", "99 %", "most", "jitter", "start jitter", "distribution"];
        let cells = |task: &TaskStatistics| {
            let [least, median, high, most, line] = numbers(task.response.as_ref());
            let jitter = cell(task.response.as_ref().map(Distribution::spread));
            [task.task.clone(), least, median, high, most, jitter, cell(task.start_jitter), line]
        };
        table(head, &self.tasks.iter().map(cells).collect::<Vec<_>>())
    }

    /// The processor's time by thread, the largest part first.
    #[must_use]
    pub fn processor_table(&self) -> String {
        let mut threads: Vec<_> = self.threads.iter().collect();
        threads.sort_by(|one, other| other.share.total_cmp(&one.share));
        let rows = threads.iter().map(|thread| {
            [
                thread.thread.clone(),
                thread.process.clone(),
                format!("{:.2} %", thread.share * 100.0),
                thread.runs.to_string(),
                thread.longest.to_string(),
            ]
        });
        table(["thread", "process", "share", "runs", "longest run"], &rows.collect::<Vec<_>>())
    }

    /// The delays of sensor reads and actuator writes after their logical instants.
    #[must_use]
    pub fn driver_table(&self) -> String {
        let rows = self.drivers.iter().map(|driver| {
            let [least, median, high, most, line] = numbers(Some(&driver.delay));
            let jitter = driver.delay.spread().to_string();
            [driver.driver.clone(), driver.delay.count.to_string(), least, median, high, most, jitter, line]
        });
        let head = ["driver", "times", "least", "median", "99 %", "most", "jitter", "distribution"];
        table(head, &rows.collect::<Vec<_>>())
    }

    /// All warnings about execution times, each with its task, and about broken promises.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let of_task = |task: &TaskStatistics| {
            let execution = task.execution.clone();
            let name = task.task.clone();
            execution.into_iter().flat_map(move |execution| {
                let name = name.clone();
                execution
                    .warnings()
                    .into_iter()
                    .map(move |warning| format!("{name}: {}", execution.in_words(warning)))
            })
        };
        self.tasks.iter().flat_map(of_task).chain(self.broken_promises()).collect()
    }
}

fn numbers(distribution: Option<&Distribution>) -> [String; 5] {
    let number = |of: fn(&Distribution) -> crate::Nanoseconds| cell(distribution.map(of));
    [
        number(|of| of.least),
        number(|of| of.median),
        number(|of| of.high),
        number(|of| of.most),
        distribution.map(Distribution::sparkline).unwrap_or_default(),
    ]
}
