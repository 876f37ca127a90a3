//! What drivers of modules and asynchronous tasks take from everybody, above all bands.

use std::collections::BTreeSet;

use beryl_abi::Duration;
use beryl_analysis::{Interference, Ticks};

use crate::assembly::{
    Activity, Asynchronous, Driver, DriverKind, Entering, Guard, Module, Role, Shape, Trigger,
};
use crate::costs::{Costed, Kind};

/// The kernel's steps for an interrupt while a driver runs: the interrupt itself, the place of its thread, and the
/// decision. There is one more if the thread may have been promised a semaphore.
const STEPS_FOR_A_LINE: u64 = 3;

/// How long the kernel lets a native function run. The budget is a stretch of time and not of processor time, so
/// it has room for what the kernel does for interrupts meanwhile. Each line comes once at most: it stays masked
/// until its thread has acknowledged, and no thread runs before the driver is done. The proof counts all of the
/// budget, so a function may also use this room for itself.
#[must_use]
pub fn budget(costed: &Costed, process: usize, function: usize) -> Duration {
    let objects = &costed.assembly.objects;
    let promised = u64::from(!objects.semaphores.is_empty());
    let lines = u64::try_from(objects.interrupts.len()).unwrap_or(u64::MAX);
    let steps = lines.saturating_mul(STEPS_FOR_A_LINE.saturating_add(promised));
    // Each doorbell may be found a second time: see `bells.rs`.
    let bells = objects.interrupts.iter().filter(|row| row.is_bell).count();
    let bells = u64::try_from(bells).unwrap_or(u64::MAX);
    let room = costed.costs.steps(Kind::Job, steps.saturating_add(bells));
    let row = &costed.assembly.processes[process].functions[function];
    // What users declare has room for the kernel's way to it and back. Expressions are charged for themselves only; and
    // the alarm of the driver before may go off meanwhile.
    let around = match row.shape {
        Shape::Holds { .. } => {
            costed.costs.steps(Kind::Alarm, 1).saturating_add(costed.costs.steps(Kind::EMachine, 1))
        }
        _ => 0,
    };
    row.worst.plus(Duration::from_ticks(room.saturating_add(around)))
}

/// All drivers of some modules that are due at equal distances, with the kernel's steps for them. The drivers of
/// all modes of a module are counted as if all modes ran at once: however modes are switched, none of its
/// drivers is due more often.
pub(crate) fn drivers(costed: &Costed, modules: &[&Module]) -> Vec<Interference> {
    let mut drivers = Drivers { costed, rows: Vec::new(), of_tasks: BTreeSet::new() };
    let modes =
        modules.iter().flat_map(|module| module.modes.iter().enumerate().map(move |row| (module, row)));
    for (module, (index, mode)) in modes {
        mode.activities.iter().for_each(|activity| drivers.activity(activity, mode.period));
        for switch in &mode.switches {
            let every = switch.distance(mode.period);
            switch.guard.iter().for_each(|guard| drivers.guard(guard, every));
            drivers.rows.extend(switch.late.map(|task| late(costed, task, every)));
        }
        let entered = module.entered_every(index);
        let entering = mode.entering.iter().flat_map(Entering::drivers);
        entering.for_each(|driver| drivers.add(driver, entered));
    }
    for row in &costed.assembly.asynchronous {
        drivers.asynchronous(row);
    }
    drivers.rows
}

/// What it costs to ask every so often whether a task was late.
fn late(costed: &Costed, task: usize, every: Duration) -> Interference {
    let name = costed.assembly.threads.get(task).map_or_else(String::new, |thread| thread.name.clone());
    let (period, worst) =
        (Ticks::new(every.ticks()), Ticks::new(costed.costs.steps(Kind::EMachine, LATE_STEPS)));
    Interference { name: format!("lateness of {name}"), period, worst, ..Default::default() }
}

/// Steps of asking whether a task was late: the question, and the jump to another mode.
pub(crate) const LATE_STEPS: u64 = 2;

struct Drivers<'a> {
    costed: &'a Costed,
    rows: Vec<Interference>,
    /// Drivers of tasks, in whatever mode; they are counted already.
    of_tasks: BTreeSet<usize>,
}

impl Drivers<'_> {
    fn activity(&mut self, activity: &Activity, period: Duration) {
        let every = activity.distance(period);
        activity.guard().into_iter().for_each(|guard| self.guard(guard, every));
        match activity {
            Activity::Release { task, inputs, .. } => {
                let Role::Task(row) = &self.costed.assembly.threads[*task].role else { return };
                if let Some(publisher) = row.publisher.filter(|publisher| self.of_tasks.insert(*publisher)) {
                    self.add(publisher, row.logical);
                }
                for feed in &row.feeds {
                    if self.of_tasks.insert(*feed) {
                        self.add(*feed, row.separation);
                    }
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

    fn asynchronous(&mut self, row: &Asynchronous) {
        let Role::Task(task) = &self.costed.assembly.threads[row.task].role else { return };
        row.drivers().chain(task.publisher).for_each(|driver| self.add(driver, row.separation));
        let (period, worst) =
            (Ticks::new(row.separation.ticks()), Ticks::new(asynchronous_instants(self.costed, row)));
        self.rows.push(Interference { name: row.name.clone(), period, worst, ..Default::default() });
    }

    fn guard(&mut self, guard: &Guard, every: Duration) {
        guard.getters.iter().for_each(|getter| self.add(*getter, every));
        self.add(guard.driver, every);
    }

    fn add(&mut self, driver: usize, period: Duration) {
        let row = &self.costed.assembly.drivers[driver];
        let worst = driver_time(self.costed, row);
        let (period, worst) = (Ticks::new(period.ticks()), Ticks::new(worst));
        self.rows.push(Interference { name: row.name.clone(), period, worst, ..Default::default() });
    }
}

/// What the kernel does for a job of an asynchronous task, in ticks: when the trigger comes, the interrupt included; to wait for the
/// next one; and when the job is complete. It shares its instants with nothing else. Two instants have room for the steps of all three
/// and, where few triggers look at ports, for what these take behind the last, too.
pub(crate) fn asynchronous_instants(costed: &Costed, row: &Asynchronous) -> u64 {
    /// To be selected three times, to wait for a phase and be selected for it, `release`, `future`, `when` and three times `return`: eleven,
    /// and two to spare. The last look of two instants is theirs, that of the third is the job's step.
    const OWN_STEPS: u64 = 13;
    let costs = &costed.costs;
    let two = costs.kernel.alarm.get().saturating_add(costs.kernel.instant.get()).saturating_mul(2);
    let counted = costs.program_steps.saturating_add(costs.looks).saturating_mul(2);
    let rounds = if matches!(row.trigger, Trigger::Interrupt(_)) { 3 } else { 2 };
    let more = costs.looks.saturating_mul(rounds).saturating_add(OWN_STEPS).saturating_sub(counted);
    two.saturating_add(costs.steps(Kind::Job, 1)).saturating_add(costs.steps_of_instants(more))
}

/// Bytes that the kernel copies in a step; see `State::CHUNK` there.
const CHUNK: u32 = 64;

/// What a driver's own code takes, in ticks: all that the kernel lets it have.
fn native(costed: &Costed, driver: &Driver) -> u64 {
    match driver.kind {
        DriverKind::Publish
        | DriverKind::Input
        | DriverKind::Constant
        | DriverKind::Ahead { .. }
        | DriverKind::Arrival
        | DriverKind::Fetch { .. }
        | DriverKind::Feed { .. } => 0,
        DriverKind::Getter { function }
        | DriverKind::Setter { function }
        | DriverKind::Guard { function } => budget(costed, driver.process, function).ticks(),
    }
}

/// What a driver takes, in ticks: its own code, the kernel's steps for it, and for a native one the alarm of its
/// budget. Nobody takes this alarm back, so it may go off behind a driver that used nearly all of its budget.
pub(crate) fn driver_time(costed: &Costed, driver: &Driver) -> u64 {
    let is_native = matches!(
        driver.kind,
        DriverKind::Getter { .. } | DriverKind::Setter { .. } | DriverKind::Guard { .. }
    );
    let alarm = if is_native { costed.costs.kernel.alarm.get() } else { 0 };
    native(costed, driver)
        .saturating_add(costed.costs.steps(Kind::EMachine, driver_steps(driver)))
        .saturating_add(alarm)
}

/// The kernel's steps for a driver: the call, and the pieces of its value. A native one also takes the switch to
/// its thread, and the two calls of that thread.
fn driver_steps(driver: &Driver) -> u64 {
    let chunks = u64::from(driver.length.div_ceil(CHUNK));
    let calls = match driver.kind {
        DriverKind::Publish | DriverKind::Input | DriverKind::Constant | DriverKind::Ahead { .. } => 0,
        // The look for the newest value that counts is in the step of its first piece.
        DriverKind::Arrival => 1,
        // Whether the job of the writer is done is in the step that begins it.
        DriverKind::Fetch { .. } | DriverKind::Feed { .. } => 0,
        DriverKind::Getter { .. } | DriverKind::Setter { .. } => 3,
        // The branch behind it, and the jump to another mode.
        DriverKind::Guard { .. } => 5,
    };
    1 + chunks + calls
}
