//! Soft work beside hard tasks on the kernel: in the background, and under dual priorities. Those are a thread in
//! user mode that changes the priorities of others within their declared ranges; the kernel has nothing for it.

mod application;
mod code;
#[cfg(test)]
mod tests;

use anyhow::{Context, Result, ensure};
use beryl_abi::Instant;
use beryl_builder::Project;
use beryl_sim::{Costs, ExecutionTimes, Options};

use crate::rooms::carried_out;
use crate::trial::Run;
use crate::world::World;
use application::{Application, LENGTH, Point};
use code::{DONE, Part, codes};

/// How soft work is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Below all hard tasks.
    Background,
    /// Between hard tasks that are promoted and those that aren't yet.
    Dual,
}

/// The numbers of hard tasks for which a band has priorities enough: two for each, one for soft work, and one for the
/// scheduler. The paper's 16 need 34.
const TASKS: [u64; 3] = [4, 8, 12];
const HARD: [u64; 3] = [20, 40, 60];
const SOFT: [u64; 6] = [10, 20, 30, 40, 50, 60];
/// Applications for each combination.
const SETS: u64 = 5;

/// The points of the first experiment's grid that fit.
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
fn served(application: &Application, way: Way, is_charged: bool) -> Result<Vec<u64>> {
    let project = application.project(way)?;
    let tick = u64::from(project.tick());
    let until = LENGTH * 1_000 / tick;
    let costs = if is_charged { Costs::Worst(project.costs.charges) } else { Costs::None };
    let (world, _) = World::draw(&project, until, &Run { times: ExecutionTimes::Worst, costs, seed: 0 });
    let codes = codes(&project, parts(application, &project, 1_000 / tick));
    let options =
        Options { costs, watchdog: std::time::Duration::ZERO, ..Options::until(Instant::from_ticks(until)) };
    let outcome = carried_out(&project, &codes, world, &options)?;
    let counts = &outcome.counts;
    let wrong = counts.misses + counts.violations + counts.skips + counts.faults;
    ensure!(wrong == 0, "{way:?}: a hard job is late or stopped");
    let done = outcome.accesses.iter().filter(|access| access.channel == DONE);
    let ends: Vec<u64> = done.map(|access| access.instant.count().div_ceil(1_000)).collect();
    ensure!(ends.len() == application.soft.len(), "{way:?}: soft work isn't done");
    Ok(ends)
}

/// The sum of the responses of all soft work, in microseconds.
fn responses(application: &Application, ends: &[u64]) -> u64 {
    ends.iter().zip(&application.soft).map(|(end, soft)| end - soft.arrival.get()).sum()
}

/// What each thread does, in thread table order.
fn parts(application: &Application, project: &Project, ticks: u64) -> Vec<Part> {
    let threads = &project.assembly.threads;
    let task = |name: &str| name.strip_prefix("hard").and_then(|number| number.parse::<usize>().ok());
    let of = |name: &str| match (task(name), name) {
        (Some(task), _) => {
            let jobs = application.jobs.iter().filter(|job| job.task == task);
            Part::Jobs(jobs.map(|job| job.takes.get() * ticks).collect())
        }
        (None, "soft") => {
            let soft = application.soft.iter();
            Part::Work(soft.map(|soft| (soft.arrival.get() * ticks, soft.takes.get() * ticks)).collect())
        }
        (None, "scheduler") => Part::Changes(changes(application, project, ticks)),
        _ => Part::Nothing,
    };
    threads.iter().map(|thread| of(&thread.name)).collect()
}

/// Each release takes its task below soft work, each promotion above it, whether the job is done by then or not.
fn changes(application: &Application, project: &Project, ticks: u64) -> Vec<(u64, u32, u32)> {
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let mut changes = Vec::new();
    for job in &application.jobs {
        let name = format!("hard{}", job.task);
        let thread = project.assembly.threads.iter().position(|thread| thread.name == name);
        let thread = number(thread.unwrap_or(usize::MAX));
        let promotion = job.release.get() + application.promotions[job.task].get();
        changes.push((job.release.get() * ticks, thread, number(application.below(job.task))));
        changes.push((promotion * ticks, thread, number(application.above(job.task))));
    }
    // A promotion at the next release, where a task may wait for its whole period, comes before that.
    changes.sort_by_key(|(instant, ..)| *instant);
    changes
}

/// What dual priorities leave of the mean response in the background, on average, in thousandths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ratio {
    /// Where the kernel takes no time.
    pub free: u64,
    /// Where each of its steps takes what it is charged.
    pub charged: u64,
}

/// Runs every so many of the grid's applications; returns how many there were, and their ratios.
pub fn aperiodic(every: usize) -> Result<(u64, Ratio)> {
    let (mut count, mut sums) = (0, [0, 0]);
    for point in points().into_iter().step_by(every.max(1)) {
        let application = Application::of(point)?;
        for (sum, is_charged) in sums.iter_mut().zip([false, true]) {
            let of = |way| -> Result<u64> {
                let ends = served(&application, way, is_charged).with_context(|| format!("{point:?}"))?;
                Ok(responses(&application, &ends))
            };
            *sum += of(Way::Dual)? * 1_000_000 / of(Way::Background)?.max(1);
        }
        count += 1;
    }
    let mean = |sum: u64| (sum / count + 500) / 1_000;
    Ok((count, Ratio { free: mean(sums[0]), charged: mean(sums[1]) }))
}
