//! An application: hard tasks and one source of soft work, drawn for a point of the grid.

use std::fmt::Write as _;

use anyhow::{Result, anyhow, ensure};
use beryl_analysis::servers::model::{Job, Soft};
use beryl_analysis::servers::promotion;
use beryl_analysis::{Sporadic, Ticks, fixed_priority};
use beryl_builder::Project;
use beryl_builder::board::MEASURED;
use beryl_testing::{Draw, SplitMix64 as Random};

use super::Way;
use super::overheads::Overheads;
use super::parts::SPARE;
use crate::trial::project;
use crate::written::Written;

/// Microseconds in a millisecond; times are in microseconds.
const MILLISECOND: u64 = 1_000;
/// Periods in milliseconds: divisors of the hyperperiod.
const PERIODS: [u64; 18] = [20, 24, 25, 30, 40, 48, 50, 60, 75, 80, 100, 120, 150, 200, 240, 300, 400, 600];
/// So many of them, the shortest, are mean distances of soft work.
const OF_SOFT: usize = 12;
/// In which soft work comes.
const HYPERPERIOD: u64 = 1_200 * MILLISECOND;
/// Tasks go on for so long, so that soft work that waits at the end of the first hyperperiod is served beside them.
pub const LENGTH: u64 = 4 * HYPERPERIOD;
/// What each job costs the kernel at most, in microseconds, rounded up from its charges: its release, its end, and that
/// soft work comes meanwhile.
const OF_A_JOB: u64 = 150;
/// The same for both changes of its priority: each is an alarm, two calls, and two decisions.
const OF_CHANGES: u64 = 150;

/// What soft work tells when it is there.
pub const CAME: &str = "came";
/// What it tells when it is done.
pub const GONE: &str = "gone";

/// The name of what a hard task tells when a job is done.
pub fn end(task: usize) -> String {
    format!("end{task}")
}

/// A point of the grid, and which of its applications.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// The number of hard tasks.
    pub tasks: u64,
    /// What these ask for, in percent of the processor.
    pub hard: u64,
    /// The same for soft work.
    pub soft: u64,
    /// Which application, from 0.
    pub set: u64,
}

/// What is run.
pub struct Application {
    /// In the order of priorities.
    pub tasks: Vec<Sporadic>,
    /// In the order of releases.
    pub jobs: Vec<Job>,
    /// In the order of arrivals.
    pub soft: Vec<Soft>,
    /// From each task's release to its promotion.
    pub promotions: Vec<Ticks>,
}

impl Application {
    /// The application of a point, always the same one.
    pub fn of(point: Point) -> Result<Application> {
        Application::drawn(point, usize::MAX)?.ok_or_else(|| anyhow!("no set of tasks holds"))
    }

    /// The same; `None` if none of so many sets of tasks holds.
    pub fn drawn(point: Point, most: usize) -> Result<Option<Application>> {
        let seed =
            [point.tasks, point.hard, point.soft, point.set].iter().fold(2, |all, part| all * 101 + part);
        let mut random = Random(seed);
        let mut left = most;
        // bound: so many draws; at loads up to 60 % one holds soon.
        let (tasks, promotions) = loop {
            let tasks = hard(point, &mut random);
            let charged = charged(&tasks);
            if fixed_priority::holds(&charged, &[]).map_err(|failure| anyhow!("{failure}"))? {
                let times = promotion::times(&charged, &[]).map_err(|failure| anyhow!("{failure}"))?;
                break (tasks, times.into_iter().skip(charged.len() / 2).collect());
            }
            left -= 1;
            if left == 0 {
                return Ok(None);
            }
        };
        let jobs = jobs(&tasks, &mut random);
        let soft = work(point, &mut random);
        Ok(Some(Application { tasks, jobs, soft, promotions }))
    }

    /// Its system. Under dual priorities each hard task has a place below soft work and one above it.
    pub fn project(&self, way: Way) -> Result<Project> {
        let count = self.tasks.len();
        let mut text = format!(
            "[system]\nname = \"drawn\"\napplication = \"app\"\n[board]\nname = {MEASURED:?}\nflash = \"1M\"\nram = \"1M\"\n\
             [process.one]\nmemory = \"256\"\n[[band]]\nname = \"all\"\npolicy = \"fixed\"\n"
        );
        let of = |name: &str, priority: usize| {
            format!(
                "[thread.{name}]\nprocess = \"one\"\nband = \"all\"\nentry = \"{name}\"\nstack = \"1024\"\n\
                 priority = {priority}\n"
            )
        };
        for (task, row) in self.tasks.iter().enumerate() {
            let below = self.below(task);
            let place = if way == Way::Dual { below } else { below + 1 };
            text += &of(&format!("hard{task}"), place);
            let worst = with_kernel(row).worst.get();
            let _ = writeln!(text, "period = \"{}us\"\nworst = \"{worst}us\"", row.period.get());
            match way {
                Way::Dual => _ = writeln!(text, "priorities = [{below}, {}]", self.above(task)),
                Way::Slack { .. } => _ = writeln!(text, "uses = [\"{}.notify\"]", end(task)),
                _ => {}
            }
        }
        match way {
            Way::Background => text += &of("soft", 1),
            Way::Dual => {
                let uses: Vec<String> = (0..count).map(|task| format!("\"hard{task}.priority\"")).collect();
                text += &of("soft", count + 1);
                text += &of("scheduler", 31);
                let _ = writeln!(text, "uses = [{}]", uses.join(", "));
            }
            Way::Slack { .. } => {
                let names: Vec<String> = (0..count).map(end).chain([CAME, GONE].map(str::to_owned)).collect();
                let uses: Vec<String> = names.iter().map(|name| format!("\"{name}.wait\"")).collect();
                text += &of("soft", count + 2);
                let _ = writeln!(text, "priorities = [1, {}]", count + 2);
                let _ = writeln!(text, "uses = [\"{CAME}.notify\", \"{GONE}.notify\"]");
                text += &of("scheduler", 31);
                let _ = writeln!(text, "uses = [\"soft.priority\", {}]", uses.join(", "));
                names.iter().for_each(|name| text += &format!("[notification.{name}]\n"));
            }
        }
        let made = project(&Written { description: text, timing: String::new() })?;
        ensure!(1_000 % made.tick() == 0, "a microsecond isn't whole ticks");
        Ok(made)
    }

    /// Whether its hard jobs are in time beside a thread that steals slack, which takes so much.
    // A task takes a tick at least, also where releases take nothing.
    pub fn holds_with(&self, overheads: &Overheads, ticks: u64) -> Result<bool> {
        let releases = self.tasks.iter().map(|task| (task.period, Ticks::new(overheads.release.max(1))));
        let worst = |task: &Sporadic| Ticks::new((task.worst.get() + SPARE) * ticks + overheads.job());
        let own = self.tasks.iter().map(|task| (task.period, worst(task)));
        let charged: Vec<Sporadic> = releases
            .chain(own)
            .map(|(period, worst)| Sporadic::implicit(Ticks::new(period.get() * ticks), worst))
            .collect();
        let blocking = vec![Ticks::new(overheads.at_once()); charged.len()];
        fixed_priority::holds(&charged, &blocking).map_err(|failure| anyhow!("{failure}"))
    }

    /// A hard task's priority before its promotion.
    pub fn below(&self, task: usize) -> usize {
        self.tasks.len() - task
    }

    /// The same behind it: soft work is between.
    pub fn above(&self, task: usize) -> usize {
        self.below(task) + self.tasks.len() + 1
    }
}

fn with_kernel(task: &Sporadic) -> Sporadic {
    Sporadic::implicit(task.period, Ticks::new(task.worst.get() + OF_A_JOB))
}

/// The tasks with what they cost the kernel. The scheduler is above all of them, as often as each is released.
fn charged(tasks: &[Sporadic]) -> Vec<Sporadic> {
    let changes = tasks.iter().map(|task| Sporadic::implicit(task.period, Ticks::new(OF_CHANGES)));
    changes.chain(tasks.iter().map(with_kernel)).collect()
}

/// Shares of the load, each division as likely, over periods that are as likely.
fn hard(point: Point, random: &mut Random) -> Vec<Sporadic> {
    const STEPS: u64 = 1 << 20;
    let mut cuts: Vec<u64> = (1..point.tasks).map(|_| random.within(1, STEPS)).collect();
    cuts.sort_unstable();
    let ends = cuts.iter().copied().chain([STEPS]);
    let starts = std::iter::once(0).chain(cuts.iter().copied());
    let shares: Vec<u64> = ends.zip(starts).map(|(end, start)| end - start).collect();
    let mut task = |share: u64| {
        let period = random.one_of(&PERIODS) * MILLISECOND;
        let worst = (period * share / STEPS * point.hard / 100).max(100);
        Sporadic::implicit(Ticks::new(period), Ticks::new(worst))
    };
    let mut tasks: Vec<Sporadic> = shares.into_iter().map(&mut task).collect();
    tasks.sort_by_key(|task| task.period);
    tasks
}

/// From a critical instant on; each takes 95 to 100 % of its worst case.
fn jobs(tasks: &[Sporadic], random: &mut Random) -> Vec<Job> {
    let mut jobs = Vec::new();
    for (index, task) in tasks.iter().enumerate() {
        for job in 0..LENGTH / task.period.get() {
            let takes = Ticks::new((task.worst.get() * random.within(95, 100) / 100).max(1));
            let release = Ticks::new(job * task.period.get());
            jobs.push(Job { task: index, release, worst: task.worst, takes });
        }
    }
    jobs.sort_by_key(|job| job.release);
    jobs
}

/// Jobs of one size, at distances up to twice their mean, each as likely.
fn work(point: Point, random: &mut Random) -> Vec<Soft> {
    let mean = *random.one_of(&PERIODS[..OF_SOFT]) * MILLISECOND;
    let takes = Ticks::new(mean * point.soft / 100);
    let mut soft = Vec::new();
    let mut arrival = random.within(1, mean);
    while arrival < HYPERPERIOD {
        soft.push(Soft { arrival: Ticks::new(arrival), takes });
        arrival += random.within(1, 2 * mean);
    }
    soft
}
