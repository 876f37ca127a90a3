//! Recorded figures: a row a line in docs/measurements/servers.jsonl.

use anyhow::{Context, Result};
use beryl_breakdown::{read_rows, write_rows};
use serde::{Deserialize, Serialize};

use crate::application::{Experiment, Point, TASKS};
use crate::policy::{Costs, Period, Way};

/// What applications are grouped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum By {
    /// Nothing.
    All,
    /// The load of the hard tasks.
    Hard,
    /// Their number.
    Tasks,
    /// The load of soft work.
    Soft,
    /// What tasks leave unused.
    Gain,
}

/// Applications of an experiment with the same value of something, under one policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// The experiment.
    pub experiment: Experiment,
    /// What the kernel takes.
    pub costs: Costs,
    /// The period of servers.
    pub servers: Period,
    /// The policy.
    pub way: Way,
    /// What they are grouped by.
    pub by: By,
    /// Its value.
    pub value: u64,
    /// How many they are.
    pub applications: u64,
    /// The sum of their ratios to the background: of mean responses, in ten-thousandths.
    pub response: u64,
    /// The same of context switches.
    pub switches: u64,
}

/// Experiment, costs, and the period of servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Set(pub Experiment, pub Costs, pub Period);

/// All rows.
pub struct Record(pub Vec<Row>);

const FILE: &str = "servers.jsonl";
/// What `./x bench campaign aperiodic --record` writes.
const ON_KERNEL: &str = "servers-kernel.jsonl";

impl By {
    /// All that an experiment is plotted against.
    pub const fn of(experiment: Experiment) -> &'static [By] {
        match experiment {
            Experiment::Nearly => &[By::All, By::Hard, By::Tasks, By::Soft],
            Experiment::Gain => &[By::All, By::Hard, By::Tasks, By::Soft, By::Gain],
        }
    }

    /// In the tables.
    pub const fn name(self) -> &'static str {
        match self {
            By::All => "all",
            By::Hard => "hard load",
            By::Tasks => "hard tasks",
            By::Soft => "soft load",
            By::Gain => "gain time",
        }
    }

    /// Its value at a point.
    pub const fn at(self, point: &Point) -> u64 {
        match self {
            By::All => 0,
            By::Hard => point.hard,
            By::Tasks => point.tasks,
            By::Soft => point.soft,
            By::Gain => point.gain(),
        }
    }

    /// Its values.
    pub const fn values(self, experiment: Experiment) -> &'static [u64] {
        match self {
            By::All => &[0],
            By::Hard => experiment.hard(),
            By::Tasks => &TASKS,
            By::Soft => experiment.soft(),
            By::Gain => &[10, 20, 30, 40, 50],
        }
    }
}

impl Row {
    /// The average ratio of mean responses, in ten-thousandths.
    pub fn mean_response(&self) -> u64 {
        (self.response + self.applications / 2) / self.applications.max(1)
    }

    /// The same of context switches.
    pub fn mean_switches(&self) -> u64 {
        (self.switches + self.applications / 2) / self.applications.max(1)
    }
}

impl Record {
    /// What is recorded of the model.
    ///
    /// # Errors
    /// The file can't be read.
    pub fn read() -> Result<Record> {
        Ok(Record(read_rows(FILE)?))
    }

    /// The same of the kernel.
    ///
    /// # Errors
    /// The file can't be read.
    pub fn of_kernel() -> Result<Record> {
        Ok(Record(read_rows(ON_KERNEL)?))
    }

    /// Whether there is anything of a policy.
    pub fn has(&self, way: Way) -> bool {
        self.0.iter().any(|row| row.way == way)
    }

    /// Records it.
    ///
    /// # Errors
    /// The file can't be written.
    pub fn write(&self) -> Result<()> {
        write_rows(FILE, &self.0)
    }

    /// One row.
    ///
    /// # Errors
    /// It isn't recorded.
    pub fn row(&self, set: Set, way: Way, by: By, value: u64) -> Result<&Row> {
        let is_it = |row: &&Row| {
            (Set(row.experiment, row.costs, row.servers), row.way, row.by, row.value) == (set, way, by, value)
        };
        let row = self.0.iter().find(is_it);
        row.with_context(|| format!("no row for {set:?}, {way:?}, {by:?} {value}"))
    }
}
