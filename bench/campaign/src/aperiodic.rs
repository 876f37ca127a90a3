//! Soft work beside hard tasks on the kernel: in the background, under dual priorities, and by slack stealing. The last
//! two are a thread in user mode that changes the priorities of others within their declared ranges; the kernel has
//! nothing for them.

mod application;
mod code;
mod overheads;
mod parts;
mod scheduler;
pub mod sets;
mod stealing;
#[cfg(test)]
mod tests;

use anyhow::{Context, Result, ensure};
use beryl_abi::Instant;
use beryl_builder::Project;
use beryl_sim::{Costs, ExecutionTimes, Options, Outcome};

use crate::rooms::carried_out;
use crate::trial::Run;
use crate::world::World;
use application::{Application, LENGTH, Point};
use code::{DONE, codes};

/// How soft work is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Below all hard tasks.
    Background,
    /// Between hard tasks that are promoted and those that aren't yet.
    Dual,
    /// Above all hard tasks, while these have slack.
    Slack {
        /// Whether what a job leaves of its worst case is slack at once.
        has_gain: bool,
    },
}

/// What takes time beside hard jobs and soft work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Nothing.
    Nothing,
    /// Each step of the kernel, as much as it is charged.
    Kernel,
    /// Those, and working slack out.
    Reckoning,
}

/// The numbers of hard tasks.
const TASKS: [u64; 4] = [4, 8, 12, 16];
/// The most for which a band has priorities enough under dual priorities: two for each, one for soft work, and one for
/// the scheduler. Slack stealing needs one for each, and three.
const OF_DUAL: u64 = 12;
const HARD: [u64; 3] = [20, 40, 60];
const SOFT: [u64; 6] = [10, 20, 30, 40, 50, 60];
/// Applications for each combination.
const SETS: u64 = 5;

/// The points of the first experiment's grid.
fn points() -> Vec<Point> {
    let mut points = Vec::new();
    for tasks in TASKS {
        for hard in HARD {
            for soft in SOFT {
                points.extend((0..SETS).map(|set| Point { tasks, hard, soft, set }));
            }
        }
    }
    points
}

/// When each soft work was done, in microseconds, rounded up.
fn served(application: &Application, way: Way, takes: Takes) -> Result<Vec<u64>> {
    let outcome = run(application, &application.project(way)?, way, takes)?;
    let done = outcome.accesses.iter().filter(|access| access.channel == DONE);
    let ends: Vec<u64> = done.map(|access| access.instant.count().div_ceil(1_000)).collect();
    ensure!(ends.len() == application.soft.len(), "{way:?}: soft work isn't done");
    Ok(ends)
}

/// Runs an application; no hard job is late.
fn run(application: &Application, project: &Project, way: Way, takes: Takes) -> Result<Outcome> {
    let tick = u64::from(project.tick());
    let until = LENGTH * 1_000 / tick;
    let costs = match takes {
        Takes::Nothing => Costs::None,
        Takes::Kernel | Takes::Reckoning => Costs::Worst(project.costs.charges),
    };
    let (world, _) = World::draw(project, until, &Run { times: ExecutionTimes::Worst, costs, seed: 0 });
    let parts = parts::parts(application, project, way, takes, 1_000 / tick)?;
    let codes = codes(project, parts);
    let options =
        Options { costs, watchdog: std::time::Duration::ZERO, ..Options::until(Instant::from_ticks(until)) };
    let outcome = carried_out(project, &codes, world, &options)?;
    let counts = &outcome.counts;
    let wrong = counts.misses + counts.violations + counts.skips + counts.faults;
    ensure!(wrong == 0, "{way:?}: a hard job is late or stopped");
    Ok(outcome)
}

/// The sum of the responses of all soft work, in microseconds.
fn responses(application: &Application, ends: &[u64]) -> u64 {
    ends.iter().zip(&application.soft).map(|(end, soft)| end - soft.arrival.get()).sum()
}

/// What a way leaves of the mean response in the background, on average, in thousandths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ratio {
    /// Of so many applications.
    pub count: u64,
    /// Where nothing else takes time.
    pub free: u64,
    /// Where each step of the kernel takes what it is charged.
    pub charged: u64,
    /// Where working slack out takes time, too.
    pub reckoned: u64,
}

/// What is compared with the background.
pub const WAYS: [(&str, Way); 3] = [
    ("dual priorities", Way::Dual),
    ("slack stealing", Way::Slack { has_gain: false }),
    ("slack stealing with gain time", Way::Slack { has_gain: true }),
];

/// Runs every so many of the grid's applications, those with up to so many hard tasks; returns their ratios.
pub fn aperiodic(way: Way, most: u64, every: usize) -> Result<Ratio> {
    let most = if way == Way::Dual { most.min(OF_DUAL) } else { most };
    let points = points().into_iter().filter(|point| point.tasks <= most);
    let (mut count, mut sums) = (0, [0, 0, 0]);
    for point in points.step_by(every.max(1)) {
        let application = Application::of(point)?;
        for (sum, takes) in sums.iter_mut().zip([Takes::Nothing, Takes::Kernel, Takes::Reckoning]) {
            let of = |way| -> Result<u64> {
                let ends =
                    served(&application, way, takes).with_context(|| format!("{point:?}, {takes:?}"))?;
                Ok(responses(&application, &ends))
            };
            *sum += of(way)? * 1_000_000 / of(Way::Background)?.max(1);
        }
        count += 1;
    }
    let [free, charged, reckoned] = sums.map(|sum| (sum / count.max(1) + 500) / 1_000);
    Ok(Ratio { count, free, charged, reckoned })
}
