//! Random sets of hard tasks that are schedulable, with up to 95 % of the processor, beside soft work that is served on the
//! kernel in each way: no hard job is late as the kernel is charged, nor where slack is stolen and nothing else takes time.

use anyhow::{Context, Result, ensure};
use beryl_testing::{Draw, SplitMix64 as Random};

use beryl_analysis::servers::model::dual::Gain;

use super::application::Application;
use super::budget::Rule;
use super::grid::{Experiment, Point};
use super::{Takes, Way, budget, run};

/// What was tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tried {
    /// Sets of tasks.
    pub sets: u64,
    /// Of these, such with so many percent of the processor at least.
    pub heavy: u64,
    /// Runs of these, each by another way.
    pub runs: u64,
    /// Of these, such in which slack is stolen as the kernel is charged.
    pub charged: u64,
    /// Such in which dual priorities have gain time.
    pub gained: u64,
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
    Point {
        experiment: Experiment::Nearly,
        tasks: random.within(2, 16),
        hard: random.within(20, 95),
        soft: random.within(10, 60),
        set: seed,
    }
}

/// How soft work is served.
fn ways() -> impl Iterator<Item = (Way, Takes)> {
    let slack = [false, true].map(|has_gain| Way::Slack { has_gain });
    let servers = [Rule::Polling, Rule::Deferrable, Rule::Sporadic].map(Way::Server);
    let charged = [Way::Background, Way::Dual(Gain::None)].into_iter().chain(servers).chain(slack);
    let gains = [Gain::Own, Gain::Propagated, Gain::Both].map(Way::Dual);
    let charged = charged.chain(gains).map(|way| (way, Takes::Kernel));
    charged.chain(slack.map(|way| (way, Takes::Nothing))).chain(slack.map(|way| (way, Takes::Reckoning)))
}

/// Runs so many sets from a seed on.
///
/// # Errors
/// The first hard job that is late, with its seed.
pub fn sets(first: u64, count: u64) -> Result<Tried> {
    let mut tried = Tried::default();
    let mut seed = first;
    while tried.sets < count {
        ensure!(seed < first.saturating_add(count.saturating_mul(100)), "nothing that is drawn holds");
        let point = point(seed);
        match Application::drawn(point, DRAWS, |_| Ok(true))? {
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
    let has_room = application.has_room_for_stealing()?;
    for (way, takes) in ways() {
        let is_charged = matches!(way, Way::Slack { .. }) && takes != Takes::Nothing;
        let is_fit = match way {
            Way::Slack { .. } => !is_charged || has_room,
            Way::Dual(gain) => application.has_room_for_gain(gain, takes)?,
            _ => true,
        };
        if !is_fit {
            continue;
        }
        let project = budget::project(application, way, takes)?;
        run(application, &project, way, takes).with_context(|| format!("{takes:?}"))?;
        tried.runs += 1;
        tried.charged += u64::from(is_charged);
        tried.gained += u64::from(matches!(way, Way::Dual(gain) if gain != Gain::None));
        tried.jobs += u64::try_from(application.jobs.len())?;
    }
    Ok(())
}
