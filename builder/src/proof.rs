//! The question to the analysis: a project's tasks, drivers and kernel costs in its terms.

use beryl_abi::Duration;
use beryl_analysis::{self as analysis, Interference, Ticks};

use crate::Project;
use crate::assembly::{Driver, DriverKind, Mode, Module, Policy, Role, Task, Thread};

mod arrival;
mod believed;
mod costs;
mod drivers;
mod heavy;
pub mod judge;
mod kinds;
mod latency;
mod links;
mod locks;
mod modes;
mod offsets;
mod ranges;
mod run;
mod supply;
mod telling;
mod together;
mod unproved;
mod waits;

use costs::{CHUNK, another_program, around_code, costs, looks, program_steps, steps, steps_of_instants};

pub use beryl_generator::Uncertified;

pub use arrival::{Accepted, Uncertifiable, certified, certify, check, check_words, read_and_check};
pub use believed::believed;
use drivers::{LATE_STEPS, drivers};

pub use costs::{charges, most_waiting};
pub use drivers::budget;
pub use heavy::{HeavyRun, heavy_run};
pub use kinds::Kind;
pub use latency::{ChainTimes, Chains, chains};
pub use modes::{Proved, Question, in_turn, modal, prove};
pub use offsets::{MOST_THREADS, Shift, movable, offsets};
pub use ranges::ranges;
pub use run::{Run, Searched, Visit, shortest_run};
pub use supply::{Supply, supply};
pub use together::{out_of_step, together};
pub use unproved::{Doubt, doubts, unproved};
use waits::{after_job, after_jobs, promised, wake_ups};

/// The system as the analysis sees it, with all threads at their most urgent. Times are kernel ticks.
#[must_use]
pub fn system(project: &Project) -> analysis::System {
    analysis::System {
        bands: bands(project),
        interference: interference(project),
        costs: costs(project),
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

/// Tasks, periodic and sporadic threads are tasks to the analysis.
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
            tasks: members.filter_map(|thread| in_band(project, thread)).collect(),
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
        Role::Periodic(times) => (times.period, times.offset, times.deadline),
        Role::Free { deadline, sporadic: Some(times), .. } => {
            let deadline = deadline.unwrap_or(times.separation).min(times.separation);
            (times.separation, Duration::ZERO, deadline)
        }
        _ => return None,
    };
    let ticks = |duration: Duration| Ticks::new(duration.ticks());
    let backlog = match &thread.role {
        Role::Periodic(times) => times.catch_up.into(),
        _ => 0,
    };
    let spread = match &thread.role {
        // A task that the image's program doesn't invoke has no longest of its own; another program gives it one time.
        Role::Task(task) if task.longest != Duration::FOREVER => {
            ticks(task.due(task.longest)).less(ticks(task.due(task.logical)))
        }
        _ => Ticks::new(0),
    };
    let sporadic = match &thread.role {
        Role::Free { sporadic, .. } => *sporadic,
        _ => None,
    };
    Some(analysis::Task {
        name: thread.name.clone(),
        period: ticks(period),
        offset: ticks(offset),
        deadline: ticks(deadline),
        spread,
        backlog,
        best: ticks(thread.best),
        worst: ticks(thread.job()),
        priority: thread.most().into(),
        overhead: Ticks::ZERO,
        is_sporadic: sporadic.is_some(),
        is_out_of_step: false,
        jitter: sporadic.map_or(Ticks::ZERO, |times| ticks(times.jitter)),
    })
}

/// The same with what its module says of its releases: where that switches modes or uses slots, or where what releases it isn't time,
/// they aren't at known distances from those of others.
fn in_its_module(project: &Project, thread: &Thread) -> Option<analysis::Task> {
    let assembly = &project.assembly;
    let is_asynchronous =
        assembly.asynchronous.iter().any(|row| assembly.threads[row.task].name == thread.name);
    let is_out_of_step = match &thread.role {
        Role::Task(task) => {
            let is_regular = assembly.modules.get(task.module).is_some_and(Module::is_regular);
            !is_regular || is_asynchronous
        }
        _ => false,
    };
    Some(analysis::Task { is_out_of_step, ..task(thread)? })
}

/// The same where it stands.
fn in_band(project: &Project, thread: &Thread) -> Option<analysis::Task> {
    let task = in_its_module(project, thread)?;
    Some(analysis::Task { overhead: Ticks::new(after_job(project, thread)), ..task })
}

/// What runs above all bands: drivers, and what the kernel does for periodic threads, for schedules, and at instants that
/// have no period.
fn interference(project: &Project) -> Vec<Interference> {
    let modules: Vec<_> = project.assembly.modules.iter().collect();
    let irregular = modules.iter().filter(|module| !module.is_regular());
    let instants = irregular.filter_map(|module| instants(project, module));
    drivers(project, &modules).into_iter().chain(kernels(project)).chain(instants).collect()
}

/// What the programs of regular modules take at their instants, beside the one that each instant is counted with. Instants that
/// several have are counted once.
fn programs(project: &Project) -> impl Iterator<Item = Interference> {
    let regular = project.assembly.modules.iter().filter(|module| module.is_regular());
    let worst = Ticks::new(another_program(project));
    regular.skip(1).flat_map(move |module| {
        let mut rhythms: Vec<u64> =
            module.modes.iter().flat_map(Mode::rhythms).map(Duration::ticks).collect();
        rhythms.sort_unstable();
        let mut kept: Vec<u64> = Vec::new();
        for every in rhythms {
            if !kept.iter().any(|shorter| every.is_multiple_of(*shorter)) {
                kept.push(every);
            }
        }
        let name = format!("program of {}", module.name);
        let row = move |every| Interference {
            name: name.clone(),
            period: Ticks::new(every),
            worst,
            ..Default::default()
        };
        kept.into_iter().map(row)
    })
}

/// What the kernel does for periodic threads, for schedules, and for threads of programs that arrive.
fn kernels(project: &Project) -> impl Iterator<Item = Interference> {
    let assembly = &project.assembly;
    let deferred_work = assembly.threads.iter().filter_map(|thread| deferred_work(project, thread));
    let awake = assembly.threads.iter().filter_map(|thread| wake_ups(project, thread));
    let completions = assembly.tasks().filter_map(|(thread, task)| completions(project, thread, task));
    let schedules = assembly.bands_by_code().filter_map(|band| dispatches(project, band));
    let takers = assembly.offers().flat_map(|(slot, _)| supply::takers(project, slot));
    deferred_work.chain(awake).chain(schedules).chain(completions).chain(takers).chain(programs(project))
}

/// What it costs that the completions of a task enter its program, to see whether a release is owed; and behind that, triggers look at ports.
fn completions(project: &Project, thread: &Thread, task: &Task) -> Option<Interference> {
    const STEPS: u64 = 4;
    task.reaction.catch_up.as_ref()?;
    let count = STEPS.saturating_add(looks(&project.assembly));
    let (period, worst) =
        (Ticks::new(task.separation.ticks()), Ticks::new(steps_of_instants(project, count)));
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

/// What a band may lose in so many ticks: to drivers, to the kernel's steps for every job, and to the bands above, in ticks.
pub(crate) fn lost(project: &Project, band: usize, ticks: u64) -> u64 {
    let above = project.assembly.threads.iter().filter(|thread| thread.band < band).filter_map(task);
    let above = above.map(|task| {
        let begin_together = task.offset == Ticks::new(0);
        most_in(ticks, task.period.get(), begin_together)
            .saturating_add(left_over(&task))
            .saturating_mul(task.worst.get())
    });
    let drivers = interference(project)
        .into_iter()
        .map(|row| most_in(ticks, row.period.get(), true).saturating_mul(row.worst.get()));
    let costs = costs(project);
    let each = [
        costs.release,
        costs.switch,
        costs.switch,
        costs.alarm,
        costs.instant,
        costs.under_way,
        costs.timers,
    ];
    let each = each.map(Ticks::get).into_iter().fold(after_jobs(project), u64::saturating_add);
    let jobs = project.assembly.threads.iter().filter_map(task).map(|task| {
        let begin_together = task.offset == Ticks::new(0);
        most_in(ticks, task.period.get(), begin_together)
            .saturating_add(left_over(&task))
            .saturating_mul(each)
    });
    drivers.chain(jobs).chain(above).fold(0, u64::saturating_add)
}

/// How many more jobs may be left over from before, if they may take longer than a period.
fn left_over(task: &analysis::Task) -> u64 {
    let periods = task.deadline.get().div_ceil(task.period.get().max(1));
    if periods > 1 { periods } else { 0 }
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
/// thread, for each dispatch and its completion, to idle, to begin anew, and for the decision. Whenever a thread of a schedule has gone on, at
/// the block's beginning and behind each dispatch, triggers look at ports.
fn dispatches(project: &Project, band: usize) -> Option<Interference> {
    const OTHERS: u64 = 8;
    const DISPATCH: u64 = 4;
    let members = || project.assembly.tasks().filter(move |(thread, _)| thread.band == band);
    let count = u64::try_from(members().count()).unwrap_or(u64::MAX);
    let every = block(project, band)?;
    let looks = looks(&project.assembly);
    let each = count.saturating_mul(DISPATCH.saturating_add(looks));
    let worst = Ticks::new(steps_of_instants(project, each.saturating_add(OTHERS).saturating_add(looks)));
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

/// What a periodic thread's release costs beyond one step, as a row of its own. A thread that simply waits for it is put into its band by the
/// same step. One that was promised a semaphore takes it in a step of its own; in a dynamic band such a one, and one that makes up for
/// releases, is woken in another. The decision is that of the instant.
fn deferred_work(project: &Project, thread: &Thread) -> Option<Interference> {
    let Role::Periodic(times) = &thread.role else { return None };
    let assembly = &project.assembly;
    let is_dynamic = !matches!(assembly.bands[thread.band].policy, Policy::Fixed);
    let promised = promised(assembly, thread);
    let is_woken = is_dynamic && (promised > 0 || times.catch_up > 0);
    let count = promised + u64::from(is_woken);
    let (period, worst) = (Ticks::new(times.period.ticks()), Ticks::new(steps(project, Kind::Job, count)));
    let row = Interference { name: format!("jobs of {}", thread.name), period, worst, ..Default::default() };
    (count > 0).then_some(row)
}

/// What a driver's own code takes, in ticks: all that the kernel lets it have.
fn native(project: &Project, driver: &Driver) -> u64 {
    match driver.kind {
        DriverKind::Publish | DriverKind::Input | DriverKind::Constant => 0,
        DriverKind::Getter { function }
        | DriverKind::Setter { function }
        | DriverKind::Guard { function } => budget(project, driver.process, function).ticks(),
    }
}

/// What a driver takes, in ticks: its own code, the kernel's steps for it, and for a native one the alarm that event triggers its budget. That goes
/// off behind it where it has taken nearly all of its budget, since nobody takes it back.
fn driver_time(project: &Project, driver: &Driver) -> u64 {
    let is_native = matches!(
        driver.kind,
        DriverKind::Getter { .. } | DriverKind::Setter { .. } | DriverKind::Guard { .. }
    );
    let alarm = if is_native { costs(project).alarm.get() } else { 0 };
    native(project, driver)
        .saturating_add(steps(project, Kind::Reaction, driver_steps(driver)))
        .saturating_add(alarm)
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
