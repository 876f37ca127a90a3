//! Synthetic applications: hard tasks and one source of soft work, from the grids of the paper's two experiments.

use anyhow::{Result, anyhow};
use beryl_analysis::servers::model::{Job, Soft};
use beryl_analysis::{Sporadic, Ticks, fixed_priority};
use beryl_testing::{Draw, SplitMix64 as Random};
use serde::{Deserialize, Serialize};

use crate::policy::Costs;

/// Microseconds in a millisecond; times are in microseconds.
const MILLISECOND: u64 = 1_000;
/// Periods in milliseconds: divisors of the hyperperiod.
const PERIODS: [u64; 18] = [20, 24, 25, 30, 40, 48, 50, 60, 75, 80, 100, 120, 150, 200, 240, 300, 400, 600];
/// So many of them, the shortest, are mean distances of soft work.
const OF_SOFT: usize = 12;
/// In which soft work comes.
pub const HYPERPERIOD: u64 = 1_200 * MILLISECOND;
/// Tasks go on for so many hyperperiods, so that soft work that waits at the end of the first is served beside them.
const ROUNDS: u64 = 3;
/// Applications for each combination.
pub const SETS: u64 = 5;

/// One of the paper's two experiments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Experiment {
    /// Tasks take 95 % to 100 % of their worst cases.
    Nearly,
    /// Tasks take less, by a given mean.
    Gain,
}

/// A point of the grid, and which of its applications.
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

/// What is run.
pub struct Application {
    /// In the order of priorities.
    pub tasks: Vec<Sporadic>,
    /// In the order of releases.
    pub jobs: Vec<Job>,
    /// In the order of arrivals.
    pub soft: Vec<Soft>,
    /// The mean distance of its arrivals.
    pub mean: Ticks,
}

impl Experiment {
    /// Both.
    pub const ALL: [Experiment; 2] = [Experiment::Nearly, Experiment::Gain];

    /// Loads of the hard tasks.
    pub const fn hard(self) -> &'static [u64] {
        match self {
            Experiment::Nearly => &[20, 40, 60],
            Experiment::Gain => &[60, 70, 80],
        }
    }

    /// Loads of soft work.
    pub const fn soft(self) -> &'static [u64] {
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

/// Numbers of hard tasks.
pub const TASKS: [u64; 4] = [4, 8, 12, 16];

impl Point {
    /// What tasks leave unused of their worst cases, on average, in percent.
    pub const fn gain(&self) -> u64 {
        match self.experiment {
            Experiment::Nearly => 0,
            Experiment::Gain => 10 * (self.set + 1),
        }
    }

    /// The least that a job takes, in percent of its worst case.
    const fn least(&self) -> u64 {
        match self.experiment {
            Experiment::Nearly => 95,
            Experiment::Gain => 100 - 2 * self.gain(),
        }
    }

    /// The application, always the same one. Its hard tasks are in time also with the dearest costs.
    ///
    /// # Errors
    /// The analysis fails.
    pub fn application(&self) -> Result<Application> {
        let experiment = u64::from(self.experiment == Experiment::Gain);
        let seed = [self.tasks, self.hard, self.soft, self.set]
            .iter()
            .fold(experiment, |all, part| all * 101 + part);
        let mut random = Random(seed);
        let tasks = loop {
            let tasks = self.tasks(&mut random);
            let charged: Vec<Sporadic> = tasks
                .iter()
                .map(|task| {
                    let worst = task.worst.get().saturating_add(Costs::DEAREST.of_any_job(self.tasks));
                    Sporadic::implicit(task.period, Ticks::new(worst))
                })
                .collect();
            if fixed_priority::holds(&charged, &[]).map_err(|failure| anyhow!("{failure}"))? {
                break tasks;
            }
        };
        let jobs = self.jobs(&tasks, &mut random);
        let (soft, mean) = self.work(&mut random);
        Ok(Application { tasks, jobs, soft, mean })
    }

    /// Shares of the load, each division as likely, over periods that are as likely.
    fn tasks(&self, random: &mut Random) -> Vec<Sporadic> {
        const STEPS: u64 = 1 << 20;
        let mut cuts: Vec<u64> = (1..self.tasks).map(|_| random.within(1, STEPS)).collect();
        cuts.sort_unstable();
        let ends = cuts.iter().copied().chain([STEPS]);
        let starts = std::iter::once(0).chain(cuts.iter().copied());
        let shares: Vec<u64> = ends.zip(starts).map(|(end, start)| end - start).collect();
        let mut task = |share: u64| {
            let period = random.one_of(&PERIODS) * MILLISECOND;
            let worst = (period * share / STEPS * self.hard / 100).max(100);
            Sporadic::implicit(Ticks::new(period), Ticks::new(worst))
        };
        let mut tasks: Vec<Sporadic> = shares.into_iter().map(&mut task).collect();
        tasks.sort_by_key(|task| task.period);
        tasks
    }

    /// From a critical instant on.
    fn jobs(&self, tasks: &[Sporadic], random: &mut Random) -> Vec<Job> {
        let mut jobs = Vec::new();
        for (index, task) in tasks.iter().enumerate() {
            for job in 0..ROUNDS * HYPERPERIOD / task.period.get() {
                let takes = task.worst.get() * random.within(self.least(), 100) / 100;
                jobs.push(Job {
                    task: index,
                    release: Ticks::new(job * task.period.get()),
                    worst: task.worst,
                    takes: Ticks::new(takes.max(1)),
                });
            }
        }
        jobs.sort_by_key(|job| job.release);
        jobs
    }

    /// Jobs of one size, at distances up to twice their mean, each as likely; and that mean.
    fn work(&self, random: &mut Random) -> (Vec<Soft>, Ticks) {
        let mean = *random.one_of(&PERIODS[..OF_SOFT]) * MILLISECOND;
        let takes = Ticks::new(mean * self.soft / 100);
        let mut soft = Vec::new();
        let mut arrival = random.within(0, mean);
        while arrival < HYPERPERIOD {
            soft.push(Soft { arrival: Ticks::new(arrival), takes });
            arrival += random.within(1, 2 * mean);
        }
        (soft, Ticks::new(mean))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grids_are_the_papers() {
        assert_eq!(Experiment::ALL.map(|experiment| experiment.points().len()), [360, 240]);
    }

    #[test]
    fn applications_ask_for_what_they_should() -> Result<()> {
        for experiment in Experiment::ALL {
            let (mut soft, mut asked) = (0, 0);
            for point in experiment.points().into_iter().step_by(7) {
                let application = point.application()?;
                let load = beryl_analysis::sporadic::utilisation(&application.tasks)
                    .map_err(|failure| anyhow!("{failure}"))?
                    .per_ten_thousand();
                assert!(load.abs_diff(u128::from(100 * point.hard)) < 80, "{point:?}: {load}");
                let takes: u64 = application.jobs.iter().map(|job| job.takes.get()).sum();
                let worst: u64 = application.jobs.iter().map(|job| job.worst.get()).sum();
                let mean = if experiment == Experiment::Nearly { 97 } else { 100 - point.gain() };
                assert!((100 * takes / worst).abs_diff(mean) <= 8, "{point:?}: {takes} of {worst}");
                soft += application.soft.iter().map(|soft| soft.takes.get()).sum::<u64>() * 100 / HYPERPERIOD;
                asked += point.soft;
            }
            assert!(soft.abs_diff(asked) * 10 < asked, "{soft} of {asked}");
        }
        Ok(())
    }
}
