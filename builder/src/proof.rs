//! The question to the analysis: a project's tasks, drivers and kernel costs in its terms.

use beryl_analysis::{self as analysis, Interference, KernelCosts, Ticks};

use crate::Project;
use crate::assembly::{Activity, DriverKind, Policy, Role};
use crate::quantity::Nanoseconds;

/// The system as the analysis sees it. Times are kernel ticks.
#[must_use]
pub fn system(project: &Project) -> analysis::System {
    analysis::System { bands: bands(project), interference: interference(project), costs: costs(project) }
}

fn bands(project: &Project) -> Vec<analysis::Band> {
    let assembly = &project.assembly;
    let bands = assembly.bands.iter().enumerate().map(|(index, band)| {
        let tasks = assembly.tasks().filter(|(thread, _)| thread.band == index);
        let tasks = tasks.map(|(thread, task)| analysis::Task {
            name: thread.name.clone(),
            period: Ticks::new(task.logical.ticks()),
            deadline: Ticks::new(task.logical.ticks()),
            best: Ticks::new(thread.best.ticks()),
            worst: Ticks::new(thread.worst.ticks()),
            priority: thread.place.into(),
            ..Default::default()
        });
        let policy = match band.policy {
            Policy::Dynamic { .. } => analysis::Policy::Dynamic,
            Policy::Fixed { .. } => analysis::Policy::Fixed,
        };
        analysis::Band { name: band.name.clone(), policy, tasks: tasks.collect() }
    });
    bands.filter(|band| !band.tasks.is_empty()).collect()
}

/// Every driver that is due at equal distances. Copies cost the kernel's share only.
fn interference(project: &Project) -> Vec<Interference> {
    let assembly = &project.assembly;
    let mut drivers = Vec::new();
    let mut add = |driver: usize, period: u64| {
        let row = &assembly.drivers[driver];
        let worst = match row.kind {
            DriverKind::Copy => 0,
            DriverKind::Getter { function } | DriverKind::Setter { function } => {
                assembly.processes[row.process].functions[function].worst.ticks()
            }
        };
        let (period, worst) = (Ticks::new(period), Ticks::new(worst));
        drivers.push(Interference { name: row.name.clone(), period, worst, ..Default::default() });
    };
    for module in &assembly.modules {
        for activity in &module.activities {
            let every = activity.every().ticks();
            let inputs = match activity {
                Activity::Release { task, inputs, .. } => {
                    if let Role::Task(row) = &assembly.threads[*task].role {
                        row.publisher.into_iter().for_each(|publisher| add(publisher, every));
                    }
                    inputs.as_slice()
                }
                Activity::Actuate { update, .. } => std::slice::from_ref(update),
            };
            for input in inputs {
                input.getter.into_iter().for_each(|getter| add(getter, every));
                add(input.driver, every);
            }
        }
    }
    drivers
}

/// What the kernel costs on the board, in ticks; a line of the description replaces the board's.
fn costs(project: &Project) -> KernelCosts {
    let own = &project.description.costs;
    let board = project.description.board;
    let ticks = |own: Option<Nanoseconds>, instructions: u64| {
        let measured = Nanoseconds::new(instructions << board.speed);
        Ticks::new(own.unwrap_or(measured).rounded_up(board.board.tick).ticks())
    };
    KernelCosts {
        release: ticks(own.release, COSTS.release),
        completion: ticks(own.completion, COSTS.completion),
        switch: ticks(own.switch, COSTS.switch),
        instant: ticks(own.instant, COSTS.instant),
        driver: ticks(own.driver, COSTS.driver),
        alarm: ticks(own.alarm, COSTS.alarm),
    }
}

/// Kernel costs in instructions.
struct Instructions {
    release: u64,
    completion: u64,
    switch: u64,
    instant: u64,
    driver: u64,
    alarm: u64,
}

/// Bounds for mps2-an385: each term is a number of kernel steps, and `kernel/step` of `./x bench`
/// bounds a step by 300 instructions. A driver is two steps and two switches, an instant begins
/// with a step that may be under way, and each of its phases is a step more.
const COSTS: Instructions =
    Instructions { release: 300, completion: 300, switch: 100, instant: 1500, driver: 1500, alarm: 300 };
