//! An application: hard tasks and one source of soft work, drawn for a point of the grid.

use anyhow::{Result, anyhow};
use beryl_analysis::servers::model::dual::Gain;
use beryl_analysis::servers::model::{Job, Soft};
use beryl_analysis::servers::promotion;
use beryl_analysis::{Sporadic, Ticks, fixed_priority};
use beryl_testing::{Draw, SplitMix64 as Random};

use super::grid::Point;
use super::overheads::Overheads;
use super::parts::SPARE;
use super::{Takes, Way, parts};

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

/// What is run.
pub struct Application {
    /// In the order of priorities.
    pub tasks: Vec<Sporadic>,
    /// In the order of releases.
    pub jobs: Vec<Job>,
    /// In the order of arrivals.
    pub soft: Vec<Soft>,
    /// The mean distance of their arrivals.
    pub mean: Ticks,
    /// From each task's release to its promotion.
    pub promotions: Vec<Ticks>,
}

impl Application {
    /// The application of a point, always the same one. Its hard tasks hold beside what any way takes.
    pub fn of(point: Point) -> Result<Application> {
        Application::drawn(point, usize::MAX, |tasks| tasks.has_room_for_stealing())?
            .ok_or_else(|| anyhow!("no set of tasks holds"))
    }

    /// The same with tasks that hold beside dual priorities, and as is asked for; `None` if none of so many sets does.
    pub fn drawn(
        point: Point,
        most: usize,
        is_fit: impl Fn(&Application) -> Result<bool>,
    ) -> Result<Option<Application>> {
        let mut random = Random(point.seed());
        // bound: so many draws; at the grids' loads one holds soon.
        for _ in 0..most {
            let tasks = hard(point, &mut random);
            let charged = charged(&tasks);
            if !fixed_priority::holds(&charged, &[]).map_err(|failure| anyhow!("{failure}"))? {
                continue;
            }
            let times = promotion::times(&charged, &[]).map_err(|failure| anyhow!("{failure}"))?;
            let promotions = times.into_iter().skip(tasks.len()).collect();
            let bare =
                Application { tasks, jobs: Vec::new(), soft: Vec::new(), mean: Ticks::ZERO, promotions };
            if is_fit(&bare)? {
                let jobs = jobs(point, &bare.tasks, &mut random);
                let (soft, mean) = work(point, &mut random);
                return Ok(Some(Application { jobs, soft, mean, ..bare }));
            }
        }
        Ok(None)
    }

    /// Whether the tasks hold beside the scheduler of slack and what it reckons.
    pub fn has_room_for_stealing(&self) -> Result<bool> {
        let project = self.project(Way::Slack { has_gain: false }, None)?;
        let ticks = 1_000 / u64::from(project.tick());
        let (overheads, _) = parts::overheads(self, &project, Takes::Reckoning);
        self.holds_with(&overheads, ticks)
    }

    /// Whether the tasks hold beside whoever promotes with gain time.
    pub fn has_room_for_gain(&self, gain: Gain, takes: Takes) -> Result<bool> {
        if gain == Gain::None || takes == Takes::Nothing {
            return Ok(true);
        }
        let project = self.project(Way::Dual(gain), None)?;
        let ticks = 1_000 / u64::from(project.tick());
        let (overheads, _) = parts::overheads(self, &project, Takes::Kernel);
        Ok(self.promotions_with(&overheads, gain, ticks)?.is_some())
    }

    /// From each release to the promotion, in ticks, beside a thread that promotes with gain time and takes so much; `None`
    /// where somebody may be late.
    ///
    /// While a job is above, nobody below runs, so no gain of theirs moves any instant that wasn't known before.
    pub fn promotions_with(&self, overheads: &Overheads, gain: Gain, ticks: u64) -> Result<Option<Vec<u64>>> {
        let others = match gain {
            Gain::None | Gain::Own => 0,
            Gain::Propagated | Gain::Both => u64::try_from(self.tasks.len())?,
        };
        let period = |task: &Sporadic| Ticks::new(task.period.get() * ticks);
        let at_top = Ticks::new(overheads.promotions(others));
        let own = |worst: Ticks| Ticks::new(worst.get() * ticks + overheads.job() + others * overheads.call);
        let charged: Vec<Sporadic> = (self.tasks.iter().map(|task| Sporadic::implicit(period(task), at_top)))
            .chain(self.tasks.iter().map(|task| Sporadic::implicit(period(task), own(task.worst))))
            .collect();
        let blocking = vec![Ticks::new(overheads.at_once()); charged.len()];
        if !fixed_priority::holds(&charged, &blocking).map_err(|failure| anyhow!("{failure}"))? {
            return Ok(None);
        }
        let times = promotion::times(&charged, &blocking).map_err(|failure| anyhow!("{failure}"))?;
        Ok(Some(times.into_iter().skip(self.tasks.len()).map(Ticks::get).collect()))
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
}

/// A task with what each job costs the kernel.
pub fn with_kernel(task: &Sporadic) -> Sporadic {
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

/// From a critical instant on.
fn jobs(point: Point, tasks: &[Sporadic], random: &mut Random) -> Vec<Job> {
    let mut jobs = Vec::new();
    for (index, task) in tasks.iter().enumerate() {
        for job in 0..LENGTH / task.period.get() {
            let takes = Ticks::new((task.worst.get() * random.within(point.least(), 100) / 100).max(1));
            let release = Ticks::new(job * task.period.get());
            jobs.push(Job { task: index, release, worst: task.worst, takes });
        }
    }
    jobs.sort_by_key(|job| job.release);
    jobs
}

/// Jobs of one size, at distances up to twice their mean, each as likely; and that mean.
fn work(point: Point, random: &mut Random) -> (Vec<Soft>, Ticks) {
    let mean = *random.one_of(&PERIODS[..OF_SOFT]) * MILLISECOND;
    let takes = Ticks::new(mean * point.soft / 100);
    let mut soft = Vec::new();
    let mut arrival = random.within(1, mean);
    while arrival < HYPERPERIOD {
        soft.push(Soft { arrival: Ticks::new(arrival), takes });
        arrival += random.within(1, 2 * mean);
    }
    (soft, Ticks::new(mean))
}
