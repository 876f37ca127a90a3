//! Modules that switch modes, given to the analysis mode by mode; and the best proof for a project.

use std::collections::{BTreeMap, BTreeSet};

use beryl_abi::Duration;
use beryl_analysis::modes::{Job, Modal, Mode, Module, Switch};
use beryl_analysis::{self as analysis, Failure, Interference, Proof, Rhythm, System, TaskIndex, Ticks};
use beryl_timing::Slots;

use super::ranges;
use crate::assembly::{self, Activity, Assembly, Entering, Guard, Role, Window};
use crate::costs::Kind;
use crate::load::{LATE_STEPS, bands, driver_time, drivers, kernels, locks_in_place, pools, system};
use crate::project::Project;

/// A proof, and what it was proved of.
#[derive(Clone, Debug)]
pub struct Proved {
    /// The proof.
    pub proof: Proof,
    /// What it holds for, with all threads at their most urgent.
    pub of: Question,
    /// The same with one thread at its least urgent, for each whose priority may change.
    pub lowered: Vec<Question>,
}

/// What was asked of the analysis.
#[derive(Clone, Debug)]
pub enum Question {
    /// Everything comes at equal distances, and all modes of a module are counted at once.
    AllModes(Box<System>),
    /// Each module is in one mode after the other.
    InTurn(Box<Modal>),
}

/// Proves a project for all priorities that its threads may have: see [`ranges`](super::ranges).
///
/// # Errors
/// Those of [`analysis::prove`], with all modes at a time.
pub fn prove(project: &Project) -> Result<Proved, Failure> {
    prove_beside(project, &[])
}

/// The same beside something else that runs above all bands.
pub(super) fn prove_beside(project: &Project, others: &[Interference]) -> Result<Proved, Failure> {
    let mut proved = prove_one(project, others)?;
    for (name, lowered) in ranges::lowered(project) {
        ranges::take_over(&mut proved, &name, prove_one(&lowered, others)?);
    }
    Ok(proved)
}

/// Proves a project with each module in one mode after the other. If that doesn't work out, it counts all modes at
/// once; so whatever holds that way is never refused.
fn prove_one(project: &Project, others: &[Interference]) -> Result<Proved, Failure> {
    if let Some(mut modal) = modal(project) {
        modal.system.interference.extend_from_slice(others);
        if let Ok(proof) = analysis::modes::prove(&modal) {
            return Ok(Proved { proof, of: Question::InTurn(Box::new(modal)), lowered: Vec::new() });
        }
    }
    let mut system = system(project);
    system.interference.extend_from_slice(others);
    let proof = analysis::prove(&system)?;
    Ok(Proved { proof, of: Question::AllModes(Box::new(system)), lowered: Vec::new() })
}

/// A project with its modules mode by mode. Nothing if all modules release at equal distances.
#[must_use]
pub fn modal(project: &Project) -> Option<Modal> {
    // Beside windows all modes are counted at once.
    if project.assembly.has_partitions() {
        return None;
    }
    let modules = project.assembly.modules.iter();
    let (regular, others): (Vec<_>, Vec<_>) = modules.partition(|module| module.is_regular());
    if others.is_empty() {
        return None;
    }
    let rest = drivers(project, &regular).into_iter().chain(kernels(project)).collect();
    let locks = locks_in_place(project);
    let bands = bands(project);
    let pools = pools(project, &bands);
    let system = System { bands, interference: rest, costs: project.costs.kernel, locks, pools, frame: None };
    let view = View { project, system: &system };
    let modules = others.iter().map(|module| view.module(module)).collect();
    Some(Modal { modules, system })
}

struct View<'a> {
    project: &'a Project,
    system: &'a System,
}

/// Drivers by their instants. A sensor is read once an instant.
#[derive(Default)]
struct Calls {
    getters: BTreeMap<Duration, BTreeSet<usize>>,
    others: BTreeMap<Duration, Vec<usize>>,
    /// When programs ask whether a task was late.
    asked: Vec<Duration>,
}

impl View<'_> {
    fn module(&self, module: &assembly::Module) -> Module {
        Module { modes: module.modes.iter().map(|mode| self.mode(mode)).collect() }
    }

    fn mode(&self, mode: &assembly::Mode) -> Mode {
        let (mut calls, mut begins, mut jobs) = (Calls::default(), Calls::default(), Vec::new());
        for activity in &mode.activities {
            for window in activity.windows(mode.period) {
                match activity {
                    Activity::Release { task, inputs, guard, .. } => {
                        begins.guard(window.start, guard.as_ref());
                        for input in inputs {
                            begins.driver(window.start, input.driver, input.getter.as_slice());
                        }
                        let publisher = self.publisher(*task);
                        publisher.into_iter().for_each(|row| calls.driver(window.end, row, &[]));
                        let start = ticks(window.start);
                        let length = self.due(*task, window.length());
                        let end = Ticks::new(start.get().saturating_add(length.ticks()));
                        jobs.extend(self.index(*task).map(|task| Job { task, start, end }));
                    }
                    Activity::Actuate { update, guard, .. } => {
                        // Whatever is due at the start of a period is due at its end, too.
                        calls.guard(window.end, guard.as_ref());
                        calls.driver(window.end, update.driver, update.getter.as_slice());
                    }
                }
            }
        }
        for switch in &mode.switches {
            for at in switch.windows(mode.period).map(|window| window.end) {
                calls.guard(at, switch.guard.as_ref());
                calls.asked.extend(switch.late.map(|_| at));
            }
        }
        let switches = mode.switches.iter();
        let switches = switches.map(|switch| Switch {
            tested: rhythm(switch.every, &switch.slots, switch.windows(mode.period)),
            target: switch.target,
        });
        let switches = switches.collect();
        let (period, enters) = (ticks(mode.period), self.entering(mode));
        Mode { period, jobs, calls: self.work(&calls), begins: self.work(&begins), enters, switches }
    }

    /// What is done once on entering a mode. A sensor counts with each use.
    fn entering(&self, mode: &assembly::Mode) -> Ticks {
        let drivers = mode.entering.iter().flat_map(Entering::drivers);
        Ticks::new(drivers.map(|driver| self.cost(driver).get()).fold(0, u64::saturating_add))
    }

    /// From a release to the instant by which the job shall be done.
    fn due(&self, thread: usize, length: Duration) -> Duration {
        match self.project.assembly.threads.get(thread).map(|thread| &thread.role) {
            Some(Role::Task(task)) => task.due(length),
            _ => length,
        }
    }

    fn publisher(&self, thread: usize) -> Option<usize> {
        match &self.project.assembly.threads.get(thread)?.role {
            Role::Task(task) => task.publisher,
            _ => None,
        }
    }

    /// A task's place in the analysis. Names of threads are unique.
    fn index(&self, thread: usize) -> Option<TaskIndex> {
        let name = &self.project.assembly.threads.get(thread)?.name;
        let bands = self.system.bands.iter().enumerate();
        bands
            .filter_map(|(band, row)| {
                let task = row.tasks.iter().position(|task| task.name == *name)?;
                Some(TaskIndex { band, task })
            })
            .next()
    }

    fn work(&self, calls: &Calls) -> Vec<(Ticks, Ticks)> {
        let getters = calls.getters.iter().flat_map(|(at, rows)| rows.iter().map(|row| (*at, *row)));
        let others = calls.others.iter().flat_map(|(at, rows)| rows.iter().map(|row| (*at, *row)));
        let drivers = getters.chain(others).map(|(at, driver)| (ticks(at), self.cost(driver)));
        let question = Ticks::new(self.project.costs.steps(Kind::EMachine, LATE_STEPS));
        drivers.chain(calls.asked.iter().map(|at| (ticks(*at), question))).collect()
    }

    fn cost(&self, driver: usize) -> Ticks {
        let row = &self.project.assembly.drivers[driver];
        let own = driver_time(self.project, row);
        Ticks::new(own.saturating_add(self.project.costs.kernel.driver.get()))
    }
}

impl Calls {
    fn guard(&mut self, at: Duration, guard: Option<&Guard>) {
        guard.into_iter().for_each(|guard| self.driver(at, guard.driver, &guard.getters));
    }

    fn driver(&mut self, at: Duration, driver: usize, getters: &[usize]) {
        self.getters.entry(at).or_default().extend(getters);
        self.others.entry(at).or_default().push(driver);
    }
}

/// How modes were counted, in words, if any module has several.
#[must_use]
pub fn in_turn(assembly: &Assembly) -> Option<String> {
    assembly.modules.iter().any(|module| module.modes.len() > 1).then(|| {
        "modes are counted one after the other, whatever switches are taken, and modules in any distance from each other"
            .to_owned()
    })
}

/// When something comes at the ends of all windows.
pub(super) fn rhythm(every: Duration, slots: &[Slots], windows: impl Iterator<Item = Window>) -> Rhythm {
    match slots {
        [] => Rhythm::Every(ticks(every)),
        _ => Rhythm::At(windows.map(|window| ticks(window.end)).collect()),
    }
}

fn ticks(duration: Duration) -> Ticks {
    Ticks::new(duration.ticks())
}
