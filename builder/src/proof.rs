//! The question to the analysis: a project's tasks, drivers and kernel costs in its terms.

use std::collections::{BTreeMap, BTreeSet};

use beryl_abi::Duration;
use beryl_analysis::{self as analysis, Interference, KernelCosts, Ticks};

use crate::Project;
use crate::assembly::{
    Activity, Assembly, Asynchronous, Driver, DriverKind, Guard, Limits, Mode, Module, Policy, Role, Task,
    Thread,
};
use crate::quantity::Nanoseconds;

mod arrival;
mod heavy;
mod latency;
mod links;
mod locks;
mod modes;
mod run;
mod supply;
mod together;
mod unproved;

pub use arrival::{Accepted, certified, check, check_words, read_and_check};
pub use heavy::{HeavyRun, heavy_run};
pub use latency::{ChainTimes, Chains, chains};
pub use modes::{Proved, Question, in_turn, modal, prove};
pub use run::{Run, Searched, Visit, shortest_run};
pub use supply::{Supply, supply};
pub use together::{out_of_step, together};
pub use unproved::{Doubt, doubts, unproved};

/// The system as the analysis sees it. Times are kernel ticks.
#[must_use]
pub fn system(project: &Project) -> analysis::System {
    analysis::System {
        bands: bands(project),
        interference: interference(project),
        costs: costs_of_all(project),
        locks: locks_in_place(project),
    }
}

/// The locks, with their users in the bands of the description.
fn locks_in_place(project: &Project) -> Vec<analysis::Lock> {
    let assembly = &project.assembly;
    let kept =
        |band: &usize| assembly.threads.iter().any(|thread| thread.band == *band && task(thread).is_some());
    let kept: Vec<usize> = (0..assembly.bands.len()).filter(kept).collect();
    locks::locks(project, |thread| locks::urgency(assembly, &kept, thread))
}

/// Tasks, periodic and sporadic threads are tasks to the analysis, which knows no deadlines beyond the period: there it
/// proves the shorter one.
fn bands(project: &Project) -> Vec<analysis::Band> {
    let assembly = &project.assembly;
    let bands = assembly.bands.iter().enumerate().map(|(index, band)| {
        let members = assembly.threads.iter().filter(|thread| thread.band == index);
        let policy = match band.policy {
            // Its schedule is that of the earliest deadline with the longest times.
            Policy::Dynamic { .. } | Policy::Code { .. } => analysis::Policy::Dynamic,
            Policy::Fixed => analysis::Policy::Fixed,
        };
        analysis::Band {
            name: band.name.clone(),
            policy,
            tasks: members.filter_map(|thread| in_band(project, thread, policy)).collect(),
        }
    });
    bands.filter(|band| !band.tasks.is_empty()).collect()
}

/// A thread whose jobs the analysis can count.
fn task(thread: &Thread) -> Option<analysis::Task> {
    let (period, offset, deadline) = match &thread.role {
        // Only another program of its module releases it.
        Role::Task(task) if task.logical == Duration::FOREVER => return None,
        Role::Task(task) => (task.separation, Duration::ZERO, task.due(task.logical)),
        Role::Periodic(times) => (times.period, times.offset, times.deadline.min(times.period)),
        Role::Free { deadline, sporadic: Some(times), .. } => {
            let deadline = deadline.unwrap_or(times.separation).min(times.separation);
            (times.separation, Duration::ZERO, deadline)
        }
        _ => return None,
    };
    let ticks = |duration: Duration| Ticks::new(duration.ticks());
    let sporadic = match &thread.role {
        Role::Free { sporadic, .. } => *sporadic,
        _ => None,
    };
    Some(analysis::Task {
        name: thread.name.clone(),
        period: ticks(period),
        offset: ticks(offset),
        deadline: ticks(deadline),
        best: ticks(thread.best),
        worst: ticks(thread.job()),
        priority: thread.place.into(),
        overhead: Ticks::ZERO,
        is_sporadic: sporadic.is_some(),
        jitter: sporadic.map_or(Ticks::ZERO, |times| ticks(times.jitter)),
    })
}

/// The same where it stands.
fn in_band(project: &Project, thread: &Thread, policy: analysis::Policy) -> Option<analysis::Task> {
    let task = task(thread)?;
    Some(if policy == analysis::Policy::Dynamic { after_job(project, task, thread) } else { task })
}

/// The system as it would be with its tasks and periodic threads in other bands: in the order of their deadlines, as
/// many as `dynamic` says in each of so many dynamic bands, the others in a fixed band below, the shortest deadline first.
/// Asynchronous tasks stay last, in their order: nothing may wait for them. `dynamic` isn't about those.
#[must_use]
pub fn arranged(project: &Project, dynamic: &[usize]) -> analysis::System {
    let last = |index: usize| project.assembly.asynchronous.iter().any(|row| row.task == index);
    let jobs = project.assembly.threads.iter().enumerate();
    let jobs = jobs.filter_map(|(index, thread)| Some((task(thread)?, thread, last(index))));
    let mut jobs: Vec<_> = jobs.collect();
    jobs.sort_by_key(|(task, thread, is_last)| match is_last {
        false => (false, task.deadline.get(), task.period.get()),
        true => (true, u64::try_from(thread.band).unwrap_or(u64::MAX), u64::from(u8::MAX - thread.place)),
    });
    let placed = dynamic.iter().sum::<usize>().min(jobs.len());
    let periodic = jobs[..placed].iter().filter_map(|(_, thread, _)| chores(project, thread));
    let awake = project.assembly.threads.iter().filter_map(|thread| wake_ups(project, thread));
    let modules: Vec<_> = project.assembly.modules.iter().collect();
    let irregular = modules.iter().filter(|module| !module.is_regular());
    let instants = irregular.filter_map(|module| instants(project, module));
    let entered = project.assembly.tasks();
    let entered = entered.filter_map(|(thread, task)| completions(project, thread, task));
    let interference = drivers(project, &modules).into_iter();
    let interference = interference.chain(periodic).chain(awake).chain(instants).chain(entered).collect();
    let places = places(project, &jobs, dynamic);
    let locks = locks::locks(project, |thread| places.get(&thread).copied());
    let mut tasks = jobs.into_iter().map(|(task, thread, _)| (task, thread));
    let mut bands = Vec::new();
    for (number, size) in dynamic.iter().enumerate() {
        let name = format!("dynamic {}", number + 1);
        let tasks =
            tasks.by_ref().take(*size).map(|(task, thread)| after_job(project, task, thread)).collect();
        bands.push(analysis::Band { name, policy: analysis::Policy::Dynamic, tasks });
    }
    let rest = tasks.zip((0..u32::MAX).rev());
    let rest = rest.map(|((task, _), priority)| analysis::Task { priority, ..task });
    bands.push(analysis::Band {
        name: "fixed".to_owned(),
        policy: analysis::Policy::Fixed,
        tasks: rest.collect(),
    });
    bands.retain(|band| !band.tasks.is_empty());
    analysis::System { bands, interference, costs: costs_of_all(project), locks }
}

/// How urgent the tasks are in such bands, by thread. Where other threads stand isn't said.
fn places(
    project: &Project,
    jobs: &[(analysis::Task, &Thread, bool)],
    dynamic: &[usize],
) -> BTreeMap<usize, analysis::Urgency> {
    let mut ends = Vec::new();
    for size in dynamic.iter().filter(|size| **size > 0) {
        ends.push(ends.last().copied().unwrap_or(0) + size);
    }
    let threads = &project.assembly.threads;
    let place = |(position, (task, thread, _)): (usize, &(analysis::Task, &Thread, bool))| {
        let band = ends.iter().filter(|end| **end <= position).count();
        let priority = u32::try_from(jobs.len().saturating_sub(position)).unwrap_or(u32::MAX);
        let urgency = analysis::Urgency {
            band,
            priority,
            shortest: task.deadline.less(task.jitter),
            longest: locks::longest(thread),
        };
        let index = threads.iter().position(|other| other.name == thread.name)?;
        Some((index, urgency))
    };
    jobs.iter().enumerate().filter_map(place).collect()
}

/// What runs above all bands: drivers, and what the kernel does for periodic threads, for schedules, and at instants that
/// have no period.
fn interference(project: &Project) -> Vec<Interference> {
    let modules: Vec<_> = project.assembly.modules.iter().collect();
    let irregular = modules.iter().filter(|module| !module.is_regular());
    let instants = irregular.filter_map(|module| instants(project, module));
    drivers(project, &modules).into_iter().chain(kernels(project)).chain(instants).collect()
}

/// What the kernel does for periodic threads, for schedules, and for threads of programs that arrive.
fn kernels(project: &Project) -> impl Iterator<Item = Interference> {
    let assembly = &project.assembly;
    let is_fixed = |thread: &&Thread| matches!(assembly.bands[thread.band].policy, Policy::Fixed);
    let in_trees = assembly.threads.iter().filter(move |thread| !is_fixed(thread));
    let chores = in_trees.filter_map(|thread| chores(project, thread));
    let awake = assembly.threads.iter().filter_map(|thread| wake_ups(project, thread));
    let completions = assembly.tasks().filter_map(|(thread, task)| completions(project, thread, task));
    let schedules = assembly.bands_by_code().filter_map(|band| dispatches(project, band));
    let takers = assembly.offers().flat_map(|(slot, _)| supply::takers(project, slot));
    chores.chain(awake).chain(schedules).chain(completions).chain(takers)
}

/// What it costs that the completions of a task enter its program, to see whether a release is owed.
fn completions(project: &Project, thread: &Thread, task: &Task) -> Option<Interference> {
    const STEPS: u64 = 4;
    task.reaction.catch_up.as_ref()?;
    let (period, worst) = (Ticks::new(task.separation.ticks()), Ticks::new(steps(project, STEPS)));
    Some(Interference {
        name: format!("completions of {}", thread.name),
        period,
        worst,
        ..Default::default()
    })
}

/// The instants of a module that switches modes or uses slots: they may come whenever the shortest distance of all its
/// rhythms lets them, and aren't those of anything else that begins with the system.
fn instants(project: &Project, module: &Module) -> Option<Interference> {
    let rhythms = module.modes.iter().flat_map(Mode::rhythms);
    let every = rhythms.map(Duration::ticks).reduce(common)?;
    let costs = costs(project);
    let worst = Ticks::new(costs.alarm.get().saturating_add(costs.instant.get()));
    let name = format!("instants of {}", module.name);
    Some(Interference { name, period: Ticks::new(every), worst, ..Default::default() })
}

/// Every driver of some modules that is due at equal distances, with the kernel's steps for it. Those of all modes of a
/// module are counted as if all of them ran at a time: each is due no more often than that, whatever switches there are.
fn drivers(project: &Project, modules: &[&Module]) -> Vec<Interference> {
    let mut drivers = Drivers { project, rows: Vec::new(), of_tasks: BTreeSet::new() };
    for mode in modules.iter().flat_map(|module| &module.modes) {
        mode.activities.iter().for_each(|activity| drivers.activity(activity));
        for switch in &mode.switches {
            switch.guard.iter().for_each(|guard| drivers.guard(guard, switch.every));
            drivers.rows.extend(switch.late.map(|task| late(project, task, switch.every)));
        }
    }
    for row in &project.assembly.asynchronous {
        drivers.asynchronous(row);
    }
    drivers.rows
}

/// What it costs to ask every so often whether a task was late.
fn late(project: &Project, task: usize, every: Duration) -> Interference {
    let name = project.assembly.threads.get(task).map_or_else(String::new, |thread| thread.name.clone());
    let (period, worst) = (Ticks::new(every.ticks()), Ticks::new(steps(project, LATE_STEPS)));
    Interference { name: format!("lateness of {name}"), period, worst, ..Default::default() }
}

/// Steps of asking whether a task was late: the question, and the jump to another mode.
const LATE_STEPS: u64 = 2;

struct Drivers<'a> {
    project: &'a Project,
    rows: Vec<Interference>,
    /// Drivers that come with a task, in whatever mode, and are counted already.
    of_tasks: BTreeSet<usize>,
}

impl Drivers<'_> {
    fn activity(&mut self, activity: &Activity) {
        let every = activity.every();
        activity.guard().into_iter().for_each(|guard| self.guard(guard, every));
        match activity {
            Activity::Release { task, inputs, .. } => {
                let Role::Task(row) = &self.project.assembly.threads[*task].role else { return };
                if let Some(publisher) = row.publisher.filter(|publisher| self.of_tasks.insert(*publisher)) {
                    self.add(publisher, row.logical);
                }
                for input in inputs {
                    input.getter.into_iter().for_each(|getter| self.add(getter, every));
                    if self.of_tasks.insert(input.driver) {
                        self.add(input.driver, row.separation);
                    }
                }
            }
            Activity::Actuate { update, .. } => {
                update.getter.into_iter().for_each(|getter| self.add(getter, every));
                self.add(update.driver, every);
            }
        }
    }

    /// Its instants aren't those of anything else: what the kernel does when the trigger comes, with the interrupt, and when it is waited
    /// for again, is counted here.
    fn asynchronous(&mut self, row: &Asynchronous) {
        let Role::Task(task) = &self.project.assembly.threads[row.task].role else { return };
        row.drivers().chain(task.publisher).for_each(|driver| self.add(driver, row.separation));
        let costs = costs(self.project);
        let instant = costs.alarm.get().saturating_add(costs.instant.get());
        let instants = instant.saturating_mul(2).saturating_add(steps(self.project, 1));
        let period = Ticks::new(row.separation.ticks());
        let name = row.name.clone();
        self.rows.push(Interference { name, period, worst: Ticks::new(instants), ..Default::default() });
    }

    fn guard(&mut self, guard: &Guard, every: Duration) {
        guard.getters.iter().for_each(|getter| self.add(*getter, every));
        self.add(guard.driver, every);
    }

    fn add(&mut self, driver: usize, period: Duration) {
        let row = &self.project.assembly.drivers[driver];
        let worst = native(self.project, row).saturating_add(steps(self.project, driver_steps(row)));
        let (period, worst) = (Ticks::new(period.ticks()), Ticks::new(worst));
        self.rows.push(Interference { name: row.name.clone(), period, worst, ..Default::default() });
    }
}

/// What a band may lose in so many ticks: to drivers, to the kernel's steps for every job, and to the bands above, in ticks.
pub(crate) fn lost(project: &Project, band: usize, ticks: u64) -> u64 {
    let above = project.assembly.threads.iter().filter(|thread| thread.band < band).filter_map(task);
    let above = above.map(|task| {
        let begin_together = task.offset == Ticks::new(0);
        most_in(ticks, task.period.get(), begin_together).saturating_mul(task.worst.get())
    });
    let drivers = interference(project)
        .into_iter()
        .map(|row| most_in(ticks, row.period.get(), true).saturating_mul(row.worst.get()));
    let costs = costs(project);
    let each = [costs.release, costs.switch, costs.switch, costs.alarm, costs.instant].map(Ticks::get);
    let each = each.into_iter().fold(steps(project, AFTER_JOBS), u64::saturating_add);
    let jobs = project.assembly.threads.iter().filter_map(task).map(|task| {
        let begin_together = task.offset == Ticks::new(0);
        most_in(ticks, task.period.get(), begin_together).saturating_mul(each)
    });
    drivers.chain(jobs).chain(above).fold(0, u64::saturating_add)
}

/// How many jobs of a period can have work in one block of so many ticks. A job may have it anywhere before its end: if
/// blocks and periods begin together and one is a number of the other, those are the jobs of the block itself; else
/// one may be left over from before.
fn most_in(block: u64, period: u64, begin_together: bool) -> u64 {
    let period = period.max(1);
    let is_aligned = begin_together && (block.is_multiple_of(period) || period.is_multiple_of(block.max(1)));
    block.div_ceil(period).saturating_add(u64::from(!is_aligned))
}

/// The kernel's steps for a block of a band's schedule, at each instant at which one of its tasks is released: to select the
/// thread, for each dispatch and its completion, to idle, to begin anew, and for the decision.
fn dispatches(project: &Project, band: usize) -> Option<Interference> {
    const OTHERS: u64 = 8;
    const DISPATCH: u64 = 4;
    let members = || project.assembly.tasks().filter(move |(thread, _)| thread.band == band);
    let count = u64::try_from(members().count()).unwrap_or(u64::MAX);
    let every = block(project, band)?;
    let worst = Ticks::new(steps(project, count.saturating_mul(DISPATCH).saturating_add(OTHERS)));
    let name = project.assembly.schedule_name(band);
    Some(Interference { name, period: Ticks::new(every), worst, ..Default::default() })
}

/// The shortest that a block of a band's schedule can be: a slice, or what the periods of its tasks have in common. All are a
/// number of it.
pub(crate) fn block(project: &Project, band: usize) -> Option<u64> {
    let slice = project.description.bands.get(band).and_then(|band| band.scheme.slice());
    if let Some(slice) = slice {
        return Some(slice.value.get() / u64::from(project.tick().max(1)));
    }
    let members = project.assembly.tasks().filter(|(thread, _)| thread.band == band);
    members.map(|(_, task)| task.logical.ticks()).reduce(common)
}

/// The greatest common divisor.
fn common(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { common(other, one % other) }
}

/// The steps that a periodic thread's release in a dynamic band costs beyond one, as a row of its own: its place goes in in a
/// step of its own, and a decision follows.
fn chores(project: &Project, thread: &Thread) -> Option<Interference> {
    const STEPS: u64 = 2;
    let Role::Periodic(times) = &thread.role else { return None };
    let (period, worst) = (Ticks::new(times.period.ticks()), Ticks::new(steps(project, STEPS)));
    Some(Interference { name: format!("jobs of {}", thread.name), period, worst, ..Default::default() })
}

/// The kernel's steps for a sporadic thread that becomes ready, beside that of every release: the interrupt, its place in, the timeout
/// that nobody waits for any more, and the decision behind.
fn wake_ups(project: &Project, thread: &Thread) -> Option<Interference> {
    const STEPS: u64 = 4;
    let Role::Free { sporadic: Some(times), .. } = &thread.role else { return None };
    let distance = times.separation.ticks().saturating_sub(times.jitter.ticks()).max(1);
    let (period, worst) = (Ticks::new(distance), Ticks::new(steps(project, STEPS)));
    let name = format!("wake-ups of {}", thread.name);
    Some(Interference { name, period, worst, is_sporadic: true, ..Default::default() })
}

/// The steps that the end of a thread's job in a dynamic band costs beyond the completion: its place goes out in a step of its
/// own, and a decision follows. They come before anybody else runs, so they are as urgent as the job.
const AFTER_JOBS: u64 = 2;

/// A task in a dynamic band, with what they take if it is a thread.
fn after_job(project: &Project, task: analysis::Task, thread: &Thread) -> analysis::Task {
    let overhead = match thread.role {
        Role::Periodic(_) | Role::Free { .. } => Ticks::new(steps(project, AFTER_JOBS)),
        _ => Ticks::ZERO,
    };
    analysis::Task { overhead, ..task }
}

/// How many of them may be under way when an instant comes.
fn after_jobs(assembly: &Assembly) -> u64 {
    let has_place = |thread: &Thread| {
        matches!(thread.role, Role::Periodic(_) | Role::Free { .. })
            && matches!(assembly.bands[thread.band].policy, Policy::Dynamic { .. })
    };
    if assembly.threads.iter().any(has_place) { AFTER_JOBS } else { 0 }
}

/// What a driver's own code takes, in ticks.
fn native(project: &Project, driver: &Driver) -> u64 {
    match driver.kind {
        DriverKind::Publish | DriverKind::Input | DriverKind::Constant => 0,
        DriverKind::Getter { function }
        | DriverKind::Setter { function }
        | DriverKind::Guard { function } => {
            project.assembly.processes[driver.process].functions[function].worst.ticks()
        }
    }
}

/// Steps that the kernel takes for a driver: the call, the chunks of its value, and for a native
/// one the switch to its thread and the thread's two calls.
fn driver_steps(driver: &Driver) -> u64 {
    let chunks = u64::from(driver.length.div_ceil(CHUNK));
    let calls = match driver.kind {
        DriverKind::Publish | DriverKind::Input | DriverKind::Constant => 0,
        DriverKind::Getter { .. } | DriverKind::Setter { .. } => 3,
        // The branch behind it, and the jump to another mode.
        DriverKind::Guard { .. } => 5,
    };
    1 + chunks + calls
}

/// What the kernel costs a system. The step that may be under way at an instant is one of a job, or where threads share objects
/// the longest that there is.
fn costs_of_all(project: &Project) -> KernelCosts {
    let (costs, assembly) = (costs(project), &project.assembly);
    if assembly.objects.count() == 0 || project.description.costs.instant.is_some() {
        return costs;
    }
    let longer = ticks(project, longest_step(assembly).saturating_sub(job_step(assembly)));
    KernelCosts { instant: Ticks::new(costs.instant.get().saturating_add(longer)), ..costs }
}

/// What the kernel costs on the board, in ticks; a line of the description replaces the board's.
fn costs(project: &Project) -> KernelCosts {
    let own = &project.description.costs;
    let tick = project.description.board.board.tick;
    let ticks = |own: Option<Nanoseconds>, bound: u64| {
        Ticks::new(own.map_or_else(|| steps(project, bound), |own| own.rounded_up(tick).ticks()))
    };
    KernelCosts {
        release: ticks(own.release, 1),
        completion: ticks(own.completion, 1),
        // Every step's bound includes the way out to another thread.
        switch: ticks(own.switch, 0),
        instant: ticks(own.instant, instant_steps(&project.assembly)),
        driver: ticks(own.driver, 0),
        alarm: ticks(own.alarm, 1),
    }
}

/// The time of so many steps that a job costs, in ticks.
fn steps(project: &Project, count: u64) -> u64 {
    ticks(project, count.saturating_mul(job_step(&project.assembly)))
}

/// The time of so many instructions, in ticks.
fn ticks(project: &Project, instructions: u64) -> u64 {
    let board = project.description.board;
    Nanoseconds::new(instructions << board.speed).rounded_up(board.board.tick).ticks()
}

/// The instructions of the longest step that a job costs beside its own calls: releases, completions,
/// alarms, system code, decisions, with trace triggers off. What a thread asks of the kernel is part of
/// its own execution time.
///
/// `./x bench` derives bounds from the kernel's binary (`kernel/step`) and fails if one is more than [`longest_step`], or one
/// of an alarm and what follows it, in a system without objects, more than this. A completion enters with all other calls, so
/// its own bound isn't derived. Beside a base a step grows with what it may have to walk through once; and where tasks are offered to programs
/// that arrive, with a thread's instruction in a room, and with the note of a period that is being recorded (`idle/step`).
#[must_use]
pub fn job_step(assembly: &Assembly) -> u64 {
    const BASE: u64 = 400;
    const OFFERED: u64 = 256;
    let Limits { levels, locks, raised, .. } = assembly.limits();
    let offered = if assembly.offers().next().is_some() { OFFERED } else { 0 };
    let grows = [(levels, 24), (locks, 20), (raised, 14)];
    BASE + offered + grows.map(|(count, slope)| u64::from(count) * slope).iter().sum::<u64>()
}

/// The instructions of a system's longest kernel step, from entry to exit, with trace triggers off: also
/// of those that only faults, timeouts and calls about objects take. One of them may be under way when an
/// instant comes.
#[must_use]
pub fn longest_step(assembly: &Assembly) -> u64 {
    const MORE: u64 = 400;
    // A queue is walked once; the bound can't tell that a call which has walked it at once doesn't do so at length.
    const WAITER: u64 = 104;
    job_step(assembly) + MORE + WAITER * u64::from(assembly.limits().waiters)
}

/// Bytes that the kernel copies in a step; see `State::CHUNK` there.
const CHUNK: u32 = 64;

/// Steps of an instant beside drivers and releases: one that may be under way when the alarm goes
/// off, two for each of the four phases (to wait for it, to be selected for it), `future`,
/// `return`, and the last look into the trigger queue.
const INSTANT_STEPS: u64 = 1 + 2 * 4 + 3;

/// The same where there is no system code: periodic threads are released by the alarm's own steps.
const BARE_INSTANT_STEPS: u64 = 1;

fn instant_steps(assembly: &Assembly) -> u64 {
    let has_code = !assembly.modules.is_empty() || !assembly.asynchronous.is_empty();
    let steps = if has_code { INSTANT_STEPS } else { BARE_INSTANT_STEPS };
    steps + after_jobs(assembly) + looks(assembly)
}

/// Steps at an instant for triggers that look at ports: one for each trigger that doesn't wait for time, and two to begin and to end.
fn looks(assembly: &Assembly) -> u64 {
    match assembly.watches() {
        0 => 0,
        count => u64::try_from(count).unwrap_or(u64::MAX).saturating_add(3),
    }
}

#[cfg(test)]
mod tests {
    use super::most_in;

    #[test]
    fn a_block_has_work_of_its_own_jobs_and_of_one_from_before() {
        assert_eq!([most_in(10, 10, true), most_in(10, 5, true), most_in(10, 20, true)], [1, 2, 1]);
        // From 10 to 20, jobs that are released at 0 and 15 every 15 may both have work.
        assert_eq!([most_in(10, 15, true), most_in(10, 4, true)], [2, 4]);
        assert_eq!([most_in(10, 10, false), most_in(10, 20, false)], [2, 2]);
    }
}
