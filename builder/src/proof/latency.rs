//! Chains of ports: how long it takes from each sensor through tasks to each actuator, by the logical instants alone.

use beryl_abi::Duration;
use beryl_analysis::chain::{self, Chain, Found, Jobs, Switch, Updates};
use beryl_analysis::{Failure, Ticks};

use super::links::{Link, Links};
use super::modes::rhythm;
use crate::assembly::{Activity, Assembly, Input, Mode, Module, Role};

/// A chain with its times.
#[derive(Clone, Debug)]
pub struct ChainTimes {
    /// The sensor, the tasks in order, the actuator.
    pub names: Vec<String>,
    /// The modules that it goes through, by their indices, in the order in which its times name their modes.
    pub modules: Vec<usize>,
    /// Whether one of its activities has a guard. The times hold if all guards say yes.
    pub is_guarded: bool,
    /// Its times in ticks, or why they can't be told.
    pub found: Result<Found, Failure>,
}

/// All chains of a system, and whether there are more than are looked at.
#[derive(Clone, Debug, Default)]
pub struct Chains {
    /// By sensor, then by the tasks they go through.
    pub rows: Vec<ChainTimes>,
    /// Whether there are more.
    pub is_cut: bool,
}

/// The chains of a system's programs. There are none if outputs become visible when tasks complete, since execution
/// times decide then. Values of the same instant are those of zero time, whatever execution times are. A task that reads one
/// output of another at once and a second one with a delay counts as one that reads with a delay: no time is longer.
#[must_use]
pub fn chains(assembly: &Assembly) -> Chains {
    if assembly.publishes_at_completion {
        return Chains::default();
    }
    let links = Links::of(assembly);
    let (found, is_cut) = links.chains();
    Chains { rows: found.iter().map(|link| times(assembly, &links, link)).collect(), is_cut }
}

fn times(assembly: &Assembly, links: &Links<'_>, link: &Link) -> ChainTimes {
    let mut places: Vec<usize> = link.tasks.iter().map(|task| module_of(assembly, *task)).collect();
    places.push(link.module);
    let mut modules = places.clone();
    modules.sort_unstable();
    modules.dedup();
    let place = |module: &usize| modules.iter().position(|known| known == module).unwrap_or(0);
    let view = View { links, link };
    let rows = modules.iter().filter_map(|module| assembly.modules.get(*module));
    let is_guarded = rows.clone().flat_map(|module| &module.modes).any(|mode| view.has_guards(mode));
    let rows = rows.map(|module| view.module(module)).collect();
    let chain = Chain { places: places.iter().map(place).collect(), modules: rows };
    ChainTimes { names: links.names(link), is_guarded, found: chain::times(&chain), modules }
}

fn module_of(assembly: &Assembly, thread: usize) -> usize {
    match assembly.threads.get(thread).map(|thread| &thread.role) {
        Some(Role::Task(task)) => task.module,
        _ => 0,
    }
}

/// Modules as one chain sees them.
struct View<'a> {
    links: &'a Links<'a>,
    link: &'a Link,
}

impl View<'_> {
    fn module(&self, module: &Module) -> chain::Module {
        chain::Module {
            modes: module.modes.iter().map(|mode| self.mode(mode)).collect(),
            start: module.start,
        }
    }

    fn mode(&self, mode: &Mode) -> chain::Mode {
        let switches = mode.switches.iter().map(|switch| Switch {
            tested: rhythm(switch.every, &switch.slots, switch.windows(mode.period)),
            always: switch.guard.is_none() && switch.late.is_none(),
            target: switch.target,
        });
        chain::Mode {
            period: ticks(mode.period),
            jobs: mode.activities.iter().filter_map(|activity| self.jobs(mode, activity)).collect(),
            updates: mode.activities.iter().find_map(|activity| self.updates(mode, activity)),
            enters: mode.entering.iter().any(|entering| self.carries(&entering.update)),
            switches: switches.collect(),
        }
    }

    fn jobs(&self, mode: &Mode, activity: &Activity) -> Option<Jobs> {
        let Activity::Release { task, inputs, .. } = activity else { return None };
        let stage = self.link.tasks.iter().position(|own| own == task)?;
        let before = self.link.before(stage);
        let mut from_before = inputs.iter().filter(|input| self.links.source(input) == Some(before));
        let carries = from_before.clone().next().is_some();
        let windows = activity.windows(mode.period).map(|window| (ticks(window.start), ticks(window.end)));
        Some(Jobs {
            stage,
            carries,
            at_once: carries && from_before.all(|input| self.links.is_at_once(input)),
            windows: windows.collect(),
        })
    }

    fn updates(&self, mode: &Mode, activity: &Activity) -> Option<Updates> {
        let Activity::Actuate { every, slots, update, .. } = activity else { return None };
        let (come, carries) = (rhythm(*every, slots, activity.windows(mode.period)), self.carries(update));
        self.links.is_of(update, self.link).then_some(Updates { come, carries })
    }

    /// Whether an update writes the chain's value to its actuator.
    fn carries(&self, update: &Input) -> bool {
        self.links.source(update) == Some(self.link.before(self.link.tasks.len()))
            && self.links.is_of(update, self.link)
    }

    /// Whether one of the chain's activities in a mode is guarded.
    fn has_guards(&self, mode: &Mode) -> bool {
        let is_own = |activity: &Activity| {
            matches!(activity, Activity::Actuate { update, .. } if self.carries(update))
                || matches!(activity, Activity::Release { task, .. } if self.link.tasks.contains(task))
        };
        let mut entering = mode.entering.iter();
        mode.activities.iter().any(|activity| activity.guard().is_some() && is_own(activity))
            || entering.any(|entering| entering.guard.is_some() && self.carries(&entering.update))
    }
}

fn ticks(duration: Duration) -> Ticks {
    Ticks::new(duration.ticks())
}
