//! Periodic tasks.

use crate::error::GenerateError;

/// A task: its inputs are copied and it is released at the beginning of each period, its outputs are copied at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Its name.
    pub name: String,
    /// Its period in ticks.
    pub period: u64,
    /// How long after its release a job must be done, in ticks: at most the period.
    pub deadline: u64,
    /// Its longest execution time in ticks.
    pub bound: u64,
}

impl Task {
    /// A task whose jobs have all of their period.
    #[must_use]
    pub fn new(name: &str, period: u64, bound: u64) -> Task {
        Task { name: name.to_owned(), period, deadline: period, bound }
    }

    /// The same task, whose jobs must be done so long after their release, if that is before the next one.
    #[must_use]
    pub fn due(self, deadline: u64) -> Task {
        Task { deadline: deadline.min(self.period), ..self }
    }
}

/// Tasks by increasing period, then by deadline: tasks of one rate stand in a row, so that E code names them as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskSet {
    /// The module's name.
    pub module: String,
    /// The tasks; their drivers are called after them.
    pub tasks: Vec<Task>,
}

/// The longest hyperperiod, in instants at which something is released.
pub(crate) const MOST_INSTANTS: usize = 250;

impl TaskSet {
    /// A set of tasks, sorted by period and deadline.
    #[must_use]
    pub fn new(module: &str, mut tasks: Vec<Task>) -> TaskSet {
        tasks.sort_by_key(|task| (task.period, task.deadline));
        TaskSet { module: module.to_owned(), tasks }
    }

    /// The time after which everything repeats.
    ///
    /// # Errors
    /// A period is zero, there is no task, or the hyperperiod can't be counted.
    pub fn hyperperiod(&self) -> Result<u64, GenerateError> {
        let mut hyperperiod = 1_u64;
        for task in &self.tasks {
            if task.period == 0 || task.bound == 0 {
                return Err(GenerateError::Zero { task: task.name.clone() });
            }
            let step = task.period / divisor(hyperperiod, task.period);
            hyperperiod = hyperperiod.checked_mul(step).ok_or(GenerateError::Hyperperiod)?;
        }
        if self.tasks.is_empty() { Err(GenerateError::Empty) } else { Ok(hyperperiod) }
    }

    /// The instants of a hyperperiod at which something is released.
    ///
    /// # Errors
    /// There are too many.
    pub fn instants(&self) -> Result<Vec<u64>, GenerateError> {
        let hyperperiod = self.hyperperiod()?;
        let mut instants = vec![0];
        while let Some(last) = instants.last().copied() {
            let next = self.tasks.iter().map(|task| last - last % task.period + task.period).min();
            match next {
                Some(next) if next < hyperperiod => instants.push(next),
                _ => break,
            }
            if instants.len() > MOST_INSTANTS {
                return Err(GenerateError::Long { most: MOST_INSTANTS });
            }
        }
        Ok(instants)
    }
}

fn divisor(one: u64, two: u64) -> u64 {
    if two == 0 { one } else { divisor(two, one % two) }
}
