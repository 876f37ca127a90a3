//! Soft work beside hard tasks on the kernel: in the background, under a budget, under dual priorities, and by slack
//! stealing. The last two are a thread in user mode that changes the priorities of others within their declared ranges;
//! the kernel has nothing for them.

mod application;
mod budget;
mod code;
mod grid;
mod overheads;
mod parts;
mod promoter;
mod promoting;
pub mod record;
mod scheduler;
pub mod sets;
mod stealing;
mod system;
#[cfg(test)]
mod tests;

use anyhow::{Result, ensure};
use beryl_abi::Instant;
use beryl_analysis::servers::model::dual::Gain;
use beryl_builder::Project;
use beryl_builder::assembly::Role;
use beryl_sim::{Costs, ExecutionTimes, Options, Outcome};
use beryl_trace::{Event, Happening, decode};

use crate::rooms::carried_out;
use crate::trial::Run;
use crate::world::World;
use application::{Application, LENGTH};
use budget::Rule;
use code::{DONE, codes};

/// How soft work is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Below all hard tasks.
    Background,
    /// Above them, under a budget that the kernel keeps; without one as in the background.
    Server(Rule),
    /// Between hard tasks that are promoted and those that aren't yet.
    Dual(Gain),
    /// Above all hard tasks, while these have slack.
    Slack {
        /// Whether what a job leaves of its worst case is slack at once.
        has_gain: bool,
    },
}

/// In the order of tables.
pub const WAYS: [Way; 9] = [
    Way::Background,
    Way::Server(Rule::Polling),
    Way::Server(Rule::Deferrable),
    Way::Server(Rule::Sporadic),
    Way::Slack { has_gain: false },
    Way::Slack { has_gain: true },
    Way::Dual(Gain::None),
    Way::Dual(Gain::Own),
    Way::Dual(Gain::Propagated),
];

impl Way {
    /// In recorded figures.
    const fn name(self) -> &'static str {
        match self {
            Way::Background => "Background",
            Way::Server(Rule::Polling) => "Polling",
            Way::Server(Rule::Deferrable) => "Deferrable",
            Way::Server(Rule::Sporadic) => "Sporadic",
            Way::Slack { has_gain: false } => "Approximate",
            Way::Slack { has_gain: true } => "ApproximateGain",
            Way::Dual(Gain::None) => "Dual",
            Way::Dual(Gain::Own) => "DualOwn",
            Way::Dual(Gain::Propagated) => "DualPropagated",
            Way::Dual(Gain::Both) => "DualBoth",
        }
    }

    /// Whether a scheduler is told of ends and of soft work.
    fn is_told(self) -> bool {
        match self {
            Way::Slack { .. } => true,
            Way::Dual(gain) => gain != Gain::None,
            Way::Background | Way::Server(_) => false,
        }
    }
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

impl Takes {
    /// All.
    pub const ALL: [Takes; 3] = [Takes::Nothing, Takes::Kernel, Takes::Reckoning];

    /// In recorded figures.
    const fn name(self) -> &'static str {
        match self {
            Takes::Nothing => "Free",
            Takes::Kernel => "Charged",
            Takes::Reckoning => "Reckoned",
        }
    }
}

/// What is measured of a run, or of a run beside another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measured {
    /// The sum of the responses of all soft work, in microseconds.
    response: u64,
    /// How often the kernel switched that works, until the last soft work was done.
    switches: u64,
}

impl Measured {
    /// In ten-thousandths of another.
    fn beside(self, other: Measured) -> Measured {
        let ratio = |one: u64, other: u64| (one * 10_000 + other / 2) / other.max(1);
        Measured {
            response: ratio(self.response, other.response),
            switches: ratio(self.switches, other.switches),
        }
    }
}

/// Runs an application, and measures. Where its tasks don't hold beside gain time, it is served without.
fn measured(application: &Application, way: Way, takes: Takes) -> Result<Measured> {
    let way = match way {
        Way::Dual(gain) if !application.has_room_for_gain(gain, takes)? => Way::Dual(Gain::None),
        _ => way,
    };
    let project = budget::project(application, way, takes)?;
    let outcome = run(application, &project, way, takes)?;
    let ends = ends(application, &outcome)?;
    let last = ends.iter().max().copied().unwrap_or(0) * 1_000 / u64::from(project.tick());
    let idle = project.assembly.threads.iter().position(|thread| matches!(thread.role, Role::Idle));
    let is_counted = |event: &Event| match event.happening {
        Happening::Switch { to, .. } => event.time.ticks() <= last && Some(to.index()) != idle,
        _ => false,
    };
    let switches = decode(&outcome.trace)?.into_iter().filter(is_counted).count();
    Ok(Measured { response: responses(application, &ends), switches: u64::try_from(switches)? })
}

/// When each soft work was done, in microseconds, rounded up.
fn ends(application: &Application, outcome: &Outcome) -> Result<Vec<u64>> {
    let done = outcome.accesses.iter().filter(|access| access.channel == DONE);
    let ends: Vec<u64> = done.map(|access| access.instant.count().div_ceil(1_000)).collect();
    ensure!(ends.len() == application.soft.len(), "soft work isn't done");
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
