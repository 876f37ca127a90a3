//! The paper's two grids: numbers of hard tasks, their load, and that of soft work.

use serde::Serialize;

/// One of the paper's two experiments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Experiment {
    /// Jobs take 95 % to 100 % of their worst cases.
    Nearly,
    /// Jobs take less, by a given mean.
    Gain,
}

/// A point of a grid, and which of its applications.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// The experiment.
    pub experiment: Experiment,
    /// The number of hard tasks.
    pub tasks: u64,
    /// What these ask for, in percent of the processor.
    pub hard: u64,
    /// The same for soft work.
    pub soft: u64,
    /// Which application, from 0.
    pub set: u64,
}

/// What applications are grouped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum By {
    /// Nothing.
    All,
    /// The load of the hard tasks.
    Hard,
    /// Their number.
    Tasks,
    /// The load of soft work.
    Soft,
    /// What jobs leave unused.
    Gain,
}

/// The numbers of hard tasks.
pub const TASKS: [u64; 4] = [4, 8, 12, 16];
/// Applications for each combination.
const SETS: u64 = 5;
const GAINS: [u64; 5] = [10, 20, 30, 40, 50];

impl Experiment {
    /// Both.
    pub const ALL: [Experiment; 2] = [Experiment::Nearly, Experiment::Gain];

    /// Loads of the hard tasks.
    const fn hard(self) -> &'static [u64] {
        match self {
            Experiment::Nearly => &[20, 40, 60],
            Experiment::Gain => &[60, 70, 80],
        }
    }

    /// Loads of soft work.
    const fn soft(self) -> &'static [u64] {
        match self {
            Experiment::Nearly => &[10, 20, 30, 40, 50, 60],
            Experiment::Gain => &[10, 20, 30, 40],
        }
    }

    /// All its applications: 360, and 240 for the second.
    pub fn points(self) -> Vec<Point> {
        let mut points = Vec::new();
        for tasks in TASKS {
            for hard in self.hard() {
                for soft in self.soft() {
                    let point = |set| Point { experiment: self, tasks, hard: *hard, soft: *soft, set };
                    points.extend((0..SETS).map(point));
                }
            }
        }
        points
    }
}

impl Point {
    /// What jobs leave unused of their worst cases, on average, in percent.
    const fn gain(&self) -> u64 {
        match self.experiment {
            Experiment::Nearly => 0,
            Experiment::Gain => 10 * (self.set + 1),
        }
    }

    /// The least that a job takes, in percent of its worst case.
    pub const fn least(&self) -> u64 {
        match self.experiment {
            Experiment::Nearly => 95,
            Experiment::Gain => 100 - 2 * self.gain(),
        }
    }

    /// From which its application is drawn.
    pub fn seed(&self) -> u64 {
        let experiment = if self.experiment == Experiment::Nearly { 2 } else { 3 };
        [self.tasks, self.hard, self.soft, self.set].iter().fold(experiment, |all, part| all * 101 + part)
    }
}

impl By {
    /// All that an experiment is plotted against.
    pub const fn of(experiment: Experiment) -> &'static [By] {
        match experiment {
            Experiment::Nearly => &[By::All, By::Hard, By::Tasks, By::Soft],
            Experiment::Gain => &[By::All, By::Hard, By::Tasks, By::Soft, By::Gain],
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
            By::Gain => &GAINS,
        }
    }
}
