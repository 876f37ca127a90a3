//! Who does what in an application's system.

use anyhow::{Context, Result, ensure};
use beryl_analysis::servers::model::dual::Gain;
use beryl_builder::Project;
use beryl_builder::assembly::objects::Notification;

use super::application::Application;
use super::code::Part;
use super::overheads::Overheads;
use super::promoter::{Promoter, Thread};
use super::promoting::{Known, Promoting};
use super::scheduler::Scheduler;
use super::stealing::Stealing;
use super::system::{CAME, GONE, end};
use super::{Takes, Way};

/// What it takes to work the slack of up to so many tasks out, in instructions, each of which is a tick: as recorded of
/// `bench/slack` on the board.
pub const RECKONING: [(u64, u64); 4] = [(4, 552), (8, 1758), (12, 3650), (16, 6230)];
/// So many microseconds a hard job takes more as far as the scheduler knows: one that ends at the instant of a release
/// comes to its wait behind whoever is released.
pub const SPARE: u64 = 1;

/// What each thread does, in thread table order.
pub fn parts(
    application: &Application,
    project: &Project,
    way: Way,
    takes: Takes,
    ticks: u64,
) -> Result<Vec<Part>> {
    let scheduler = match way {
        Way::Slack { has_gain } => {
            Part::Steals(Box::new(steals(application, project, has_gain, takes, ticks)?))
        }
        Way::Dual(Gain::None) => Part::Changes(changes(application, project, ticks)),
        Way::Dual(gain) => Part::Promotes(Box::new(promotes(application, project, gain, takes, ticks)?)),
        Way::Background | Way::Server(_) => Part::Nothing,
    };
    let threads = &project.assembly.threads;
    let told =
        |name: &str| notifications(project).find(|(_, row)| row.name == name).map(|(number, _)| number);
    let task = |name: &str| name.strip_prefix("hard").and_then(|number| number.parse::<usize>().ok());
    let of = |name: &str| match (task(name), name) {
        (Some(task), _) => {
            let jobs = application.jobs.iter().filter(|job| job.task == task);
            Part::Jobs(jobs.map(|job| job.takes.get() * ticks).collect(), told(&end(task)))
        }
        (None, "soft") => {
            let soft = application.soft.iter();
            let work = soft.map(|soft| (soft.arrival.get() * ticks, soft.takes.get() * ticks)).collect();
            Part::Work(work, told(CAME).zip(told(GONE)).map(|(came, gone)| [came, gone]))
        }
        (None, "scheduler") => scheduler.clone(),
        _ => Part::Nothing,
    };
    Ok(threads.iter().map(|thread| of(&thread.name)).collect())
}

fn notifications(project: &Project) -> impl Iterator<Item = (u32, &Notification)> {
    (0..).zip(&project.assembly.objects.notifications)
}

/// What the kernel and the scheduler of slack may take, for so many tasks.
pub fn overheads(application: &Application, project: &Project, takes: Takes) -> (Overheads, u64) {
    let count = u64::try_from(application.tasks.len()).unwrap_or(u64::MAX);
    let reckons = match takes {
        Takes::Reckoning => {
            let found = RECKONING.iter().find(|(tasks, _)| count <= *tasks);
            found.map_or(u64::MAX, |(_, instructions)| *instructions)
        }
        Takes::Nothing | Takes::Kernel => 0,
    };
    match takes {
        Takes::Nothing => (Overheads::default(), reckons),
        Takes::Kernel | Takes::Reckoning => (Overheads::of(&project.costs.charges, reckons), reckons),
    }
}

/// The scheduler of slack, with what it may take.
fn steals(
    application: &Application,
    project: &Project,
    has_gain: bool,
    takes: Takes,
    ticks: u64,
) -> Result<Scheduler> {
    let (overheads, reckons) = overheads(application, project, takes);
    ensure!(
        application.holds_with(&overheads, ticks)?,
        "hard jobs may be late beside the scheduler of slack"
    );
    let tasks: Vec<(u64, u64)> = application
        .tasks
        .iter()
        .map(|task| (task.period.get() * ticks, (task.worst.get() + SPARE) * ticks))
        .collect();
    let thread = project.assembly.threads.iter().position(|thread| thread.name == "soft");
    Ok(Scheduler {
        stealing: Stealing::new(&tasks, has_gain, overheads),
        ends: (0..tasks.len()).map(|task| bit(project, &end(task))).collect::<Result<_>>()?,
        soft: [bit(project, CAME)?, bit(project, GONE)?],
        thread: u32::try_from(thread.context("no soft thread")?)?,
        priority: u32::try_from(tasks.len() + 2)?,
        reckons,
        is_other: false,
    })
}

/// The bit of a scheduler's word that tells something.
fn bit(project: &Project, name: &str) -> Result<u32> {
    let found = notifications(project).find(|(_, row)| row.name == name);
    found.map(|(_, row)| row.bits).with_context(|| format!("{name} isn't told"))
}

/// Who promotes with gain time. Where the kernel takes nothing, at the instants of who promotes without.
fn promotes(
    application: &Application,
    project: &Project,
    gain: Gain,
    takes: Takes,
    ticks: u64,
) -> Result<Promoter> {
    let (overheads, _) =
        overheads(application, project, if takes == Takes::Nothing { takes } else { Takes::Kernel });
    let promotions = match takes {
        Takes::Nothing => application.promotions.iter().map(|after| after.get() * ticks).collect(),
        Takes::Kernel | Takes::Reckoning => application
            .promotions_with(&overheads, gain, ticks)?
            .context("hard jobs may be late beside who promotes with gain time")?,
    };
    let (mut known, mut threads) = (Vec::new(), Vec::new());
    for (task, row) in application.tasks.iter().enumerate() {
        known.push(Known {
            period: row.period.get() * ticks,
            worst: row.worst.get() * ticks,
            promotion: promotions[task],
            below: application.below(task),
        });
        let name = format!("hard{task}");
        let number = project.assembly.threads.iter().position(|thread| thread.name == name);
        threads.push(Thread {
            end: bit(project, &end(task))?,
            number: u32::try_from(number.context("no such thread")?)?,
            places: [u32::try_from(application.below(task))?, u32::try_from(application.above(task))?],
        });
    }
    Ok(Promoter {
        promoting: Promoting::new(&known, gain, overheads),
        threads,
        soft: [bit(project, CAME)?, bit(project, GONE)?],
        changes: Vec::new(),
    })
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
