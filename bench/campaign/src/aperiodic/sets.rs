//! Random sets of hard tasks that are schedulable, with up to 95 % of the processor, beside soft work that is served on the
//! kernel in each way. In the background and under dual priorities no hard job is late as the kernel is charged, nor is
//! one where slack is stolen and nothing else takes time. Where the kernel takes some, what the scheduler of slack knows
//! of that is only nearly enough: those runs are counted.

use anyhow::{Context, Result, ensure};
use beryl_builder::Project;
use beryl_testing::{Draw, SplitMix64 as Random};

use super::application::{Application, Point};
use super::{OF_DUAL, Takes, Way, parts, run};

/// What was tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tried {
    /// Sets of tasks.
    pub sets: u64,
    /// Of these, such with so many percent of the processor at least.
    pub heavy: u64,
    /// Runs of these, each by another way.
    pub runs: u64,
    /// Runs in which slack is stolen as the kernel is charged.
    pub charged: u64,
    /// Of these, such in which a hard job was late.
    pub late: u64,
    /// Jobs of hard tasks in all runs.
    pub jobs: u64,
    /// Points at which no set of tasks holds.
    pub unfit: u64,
}

const HEAVY: u64 = 80;
/// How often a set is drawn again at a point before it counts as unfit.
const DRAWS: usize = 20;

/// The point of a seed.
fn point(seed: u64) -> Point {
    let mut random = Random(seed);
    Point { tasks: random.within(2, 16), hard: random.within(20, 95), soft: random.within(10, 60), set: seed }
}

/// How soft work may be served beside so many hard tasks.
fn ways(tasks: u64) -> impl Iterator<Item = (Way, Takes)> {
    let slack = [false, true].map(|has_gain| Way::Slack { has_gain });
    let held = [Way::Background, Way::Dual].map(|way| (way, Takes::Kernel));
    let all = held.into_iter().chain(slack.map(|way| (way, Takes::Nothing)));
    all.filter(move |(way, _)| *way != Way::Dual || tasks <= OF_DUAL)
}

/// Runs so many sets from a seed on.
///
/// # Errors
/// The first hard job that is late where none may be, with its seed.
pub fn sets(first: u64, count: u64) -> Result<Tried> {
    let mut tried = Tried::default();
    let mut seed = first;
    while tried.sets < count {
        ensure!(seed < first.saturating_add(count.saturating_mul(100)), "nothing that is drawn holds");
        let point = point(seed);
        match Application::drawn(point, DRAWS)? {
            Some(application) => {
                one(&application, point, &mut tried).with_context(|| format!("seed {seed}"))?
            }
            None => tried.unfit += 1,
        }
        seed += 1;
    }
    Ok(tried)
}

fn one(application: &Application, point: Point, tried: &mut Tried) -> Result<()> {
    tried.sets += 1;
    tried.heavy += u64::from(point.hard >= HEAVY);
    let jobs = u64::try_from(application.jobs.len())?;
    for (way, takes) in ways(point.tasks) {
        run(application, &application.project(way)?, way, takes)?;
        tried.runs += 1;
        tried.jobs += jobs;
    }
    for has_gain in [false, true] {
        let way = Way::Slack { has_gain };
        let project = application.project(way)?;
        if has_room_for_stealing(application, &project)? {
            tried.charged += 1;
            tried.jobs += jobs;
            tried.late += u64::from(run(application, &project, way, Takes::Reckoning).is_err());
        }
    }
    Ok(())
}

/// Whether the tasks hold beside the scheduler of slack and what it reckons, too.
fn has_room_for_stealing(application: &Application, project: &Project) -> Result<bool> {
    let ticks = 1_000 / u64::from(project.tick());
    let (overheads, _) = parts::overheads(application, project, Takes::Reckoning, ticks);
    application.holds_with(&overheads, ticks)
}
