//! The policies that are compared, what they cost, and a run of each.

use anyhow::{Result, anyhow};
use beryl_analysis::servers::model::approximate::Approximate;
use beryl_analysis::servers::model::background::{Background, Place};
use beryl_analysis::servers::model::dual::{Dual, Gain};
use beryl_analysis::servers::model::each_period::EachPeriod;
use beryl_analysis::servers::model::slack::Stealing;
use beryl_analysis::servers::model::sporadic::Sporadic as Rule;
use beryl_analysis::servers::model::{self, Job, Order, Run, Workload};
use beryl_analysis::servers::{self, Policy, Server};
use beryl_analysis::servers::{promotion, slack};
use beryl_analysis::{Failure, Sporadic, Ticks};
use serde::{Deserialize, Serialize};

use crate::application::Application;

/// How soft work is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Way {
    /// In the background.
    Background,
    /// A polling server at the top.
    Polling,
    /// A deferrable server at the top.
    Deferrable,
    /// A sporadic server at the top.
    Sporadic,
    /// Approximate slack stealing.
    Approximate,
    /// The same with gain time.
    ApproximateGain,
    /// Exact slack stealing from a table.
    Exact,
    /// The same with gain time.
    ExactGain,
    /// Dual priorities.
    Dual,
    /// The same with a job's own gain.
    DualOwn,
    /// The same with that of others.
    DualPropagated,
    /// The same with both.
    DualBoth,
}

/// How many replenishments of a sporadic server may be pending.
const PENDING: usize = 8;

/// The period of a server, which the paper doesn't print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Period {
    /// The mean distance of soft work.
    Soft,
    /// Half of the shortest period of the tasks.
    Half,
    /// That period.
    Shortest,
    /// Twice that.
    Twice,
}

impl Period {
    /// That of the figures first.
    pub const ALL: [Period; 4] = [Period::Soft, Period::Half, Period::Shortest, Period::Twice];

    /// In the tables.
    pub const fn name(self) -> &'static str {
        match self {
            Period::Soft => "mean distance of soft work",
            Period::Half => "half of the shortest period",
            Period::Shortest => "the shortest period",
            Period::Twice => "twice the shortest period",
        }
    }

    fn of(self, application: &Application) -> Ticks {
        let shortest = application.tasks.iter().map(|task| task.period.get()).min().unwrap_or(1);
        match self {
            Period::Soft => application.mean,
            Period::Half => Ticks::new(shortest / 2),
            Period::Shortest => Ticks::new(shortest),
            Period::Twice => Ticks::new(2 * shortest),
        }
    }
}

/// What the kernel takes, in microseconds; the last three where it serves instead of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Costs {
    /// Nothing.
    None,
    /// Rounded from what is measured of Beryl.
    Beryl,
    /// Ten times that.
    Ten,
    /// Nothing, on the kernel.
    Free,
    /// Each of its steps takes what it is charged.
    Charged,
    /// The same, and what a scheduler reckons takes time.
    Reckoned,
}

impl Costs {
    /// All.
    pub const ALL: [Costs; 3] = [Costs::None, Costs::Beryl, Costs::Ten];
    /// On the kernel.
    pub const ON_KERNEL: [Costs; 3] = [Costs::Free, Costs::Charged, Costs::Reckoned];
    /// The dearest.
    pub const DEAREST: Costs = Costs::Ten;

    /// In the tables.
    pub const fn name(self) -> &'static str {
        match self {
            Costs::None => "no costs",
            Costs::Beryl => "Beryl's costs",
            Costs::Ten => "ten times those",
            Costs::Free => "the kernel takes no time",
            Costs::Charged => "each of its steps takes what it is charged",
            Costs::Reckoned => "and reckoning takes time",
        }
    }

    const fn times(self, cost: u64) -> u64 {
        match self {
            Costs::None | Costs::Free | Costs::Charged | Costs::Reckoned => 0,
            Costs::Beryl => cost,
            Costs::Ten => 10 * cost,
        }
    }

    /// A switch: half of a job's release and end in docs/08-costs.md, rounded up.
    const fn switch(self) -> u64 {
        self.times(8)
    }

    /// A budget that comes back, or a promotion: as a switch.
    const fn timer(self) -> u64 {
        self.times(8)
    }

    /// The slack of one task. A supposition: 25 instructions.
    const fn look(self) -> u64 {
        self.times(1)
    }

    /// To a job and back.
    const fn dispatch(self) -> u64 {
        2 * self.switch()
    }

    /// What a job of a task costs on top, at most under any policy.
    pub const fn of_any_job(self, tasks: u64) -> u64 {
        self.dispatch() + self.timer() + tasks * self.look()
    }
}

impl Way {
    /// In the order of the tables.
    pub const ALL: [Way; 12] = [
        Way::Background,
        Way::Polling,
        Way::Deferrable,
        Way::Sporadic,
        Way::Approximate,
        Way::ApproximateGain,
        Way::Exact,
        Way::ExactGain,
        Way::Dual,
        Way::DualOwn,
        Way::DualPropagated,
        Way::DualBoth,
    ];

    /// In the tables.
    pub const fn name(self) -> &'static str {
        match self {
            Way::Background => "background",
            Way::Polling => "polling",
            Way::Deferrable => "DS",
            Way::Sporadic => "SS",
            Way::Approximate => "DASS",
            Way::ApproximateGain => "DASS, gain",
            Way::Exact => "exact slack",
            Way::ExactGain => "exact slack, gain",
            Way::Dual => "DP",
            Way::DualOwn => "DP, self gain",
            Way::DualPropagated => "DP, propagated gain",
            Way::DualBoth => "DP, both gains",
        }
    }

    /// A server's policy.
    pub const fn server(self) -> Option<Policy> {
        match self {
            Way::Polling => Some(Policy::Polling),
            Way::Deferrable => Some(Policy::Deferrable),
            Way::Sporadic => Some(Policy::Sporadic { pending: PENDING }),
            _ => None,
        }
    }

    /// On top of dispatches: for a job of a task, and for soft work when it is done.
    const fn at_an_end(self, costs: Costs, tasks: u64) -> u64 {
        match self {
            Way::Approximate | Way::ApproximateGain | Way::Exact | Way::ExactGain => tasks * costs.look(),
            _ => 0,
        }
    }

    const fn of_a_job(self, costs: Costs, tasks: u64) -> u64 {
        match self {
            Way::Dual | Way::DualOwn | Way::DualPropagated | Way::DualBoth => costs.timer(),
            _ => self.at_an_end(costs, tasks),
        }
    }

    /// Whether its budget comes back at a timer of its own, which runs above all tasks.
    const fn has_timer(self) -> bool {
        matches!(self, Way::Polling | Way::Deferrable)
    }

    /// Runs an application. The budget of a server is the largest with which all tasks are in time.
    ///
    /// # Errors
    /// The analysis fails, or a task is late.
    pub fn run(self, application: &Application, costs: Costs, period: Period) -> Result<Outcome> {
        let mut workload = self.workload(application, costs);
        let period = period.of(application);
        if self.has_timer() && costs != Costs::None {
            add_timer(&mut workload, period, Ticks::new(costs.timer()));
        }
        let mut policy = self.policy(&workload.tasks, period).map_err(|failure| anyhow!("{failure}"))?;
        let run = model::run(&workload, &mut *policy);
        let is_late = |(job, end): (&Job, &Ticks)| end.less(job.release) > workload.tasks[job.task].deadline;
        anyhow::ensure!(
            !workload.jobs.iter().zip(&run.ends).any(is_late),
            "a task is late under {}",
            self.name()
        );
        Ok(Outcome::of(&workload, &run))
    }

    fn workload(self, application: &Application, costs: Costs) -> Workload {
        let tasks = u64::try_from(application.tasks.len()).unwrap_or(u64::MAX);
        let more = |time: Ticks, cost: u64| Ticks::new(time.get().saturating_add(cost));
        let on_top = costs.dispatch() + self.of_a_job(costs, tasks);
        let of = |task: &Sporadic| Sporadic { worst: more(task.worst, on_top), ..*task };
        let job = |job: &Job| Job { worst: more(job.worst, on_top), takes: more(job.takes, on_top), ..*job };
        let soft = application
            .soft
            .iter()
            .map(|soft| model::Soft { takes: more(soft.takes, self.at_an_end(costs, tasks)), ..*soft });
        // What a sporadic server uses in a slice comes back at a timer.
        let slice = if self == Way::Sporadic { costs.timer() } else { 0 };
        Workload {
            tasks: application.tasks.iter().map(of).collect(),
            order: Order::Fixed,
            jobs: application.jobs.iter().map(job).collect(),
            soft: soft.collect(),
            dispatch: Ticks::new(costs.dispatch() + slice),
        }
    }

    fn policy(self, tasks: &[Sporadic], period: Ticks) -> Result<Box<dyn model::Policy>, Failure> {
        if let Some(policy) = self.server() {
            let Some(budget) = servers::capacity(policy, period, tasks)? else {
                return Ok(Box::new(Background));
            };
            let server = Server::new(budget, period);
            return Ok(match policy {
                Policy::Polling => Box::new(EachPeriod::polling(server, Place::TOP)),
                Policy::Deferrable => Box::new(EachPeriod::deferrable(server, Place::TOP)),
                _ => Box::new(Rule::new(server, Place::TOP, PENDING)),
            });
        }
        let stealing = |gain| -> Result<Box<dyn model::Policy>, Failure> {
            Ok(Box::new(Stealing::new(slack::table(tasks)?, tasks.len(), gain)))
        };
        let dual = |gain| -> Result<Box<dyn model::Policy>, Failure> {
            Ok(Box::new(Dual::new(promotion::times(tasks, &[])?, gain)))
        };
        match self {
            Way::Approximate => Ok(Box::new(Approximate::new(tasks.len(), false))),
            Way::ApproximateGain => Ok(Box::new(Approximate::new(tasks.len(), true))),
            Way::Exact => stealing(false),
            Way::ExactGain => stealing(true),
            Way::Dual => dual(Gain::None),
            Way::DualOwn => dual(Gain::Own),
            Way::DualPropagated => dual(Gain::Propagated),
            Way::DualBoth => dual(Gain::Both),
            _ => Ok(Box::new(Background)),
        }
    }
}

/// A task above all, which takes what a timer does.
fn add_timer(workload: &mut Workload, period: Ticks, cost: Ticks) {
    let last = workload.jobs.last().map_or(Ticks::ZERO, |job| job.release);
    workload.jobs.iter_mut().for_each(|job| job.task += 1);
    let releases = (0..=last.get() / period.get()).map(|job| Ticks::new(job * period.get()));
    workload.jobs.extend(releases.map(|release| Job { task: 0, release, worst: cost, takes: cost }));
    workload.jobs.sort_by_key(|job| job.release);
    workload.tasks.insert(0, Sporadic::implicit(period, cost));
}

/// What is measured of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The sum of the responses of all soft work, in microseconds.
    pub response: u64,
    /// How often somebody began to run who hadn't just run, until the last soft work was done.
    pub switches: u64,
}

impl Outcome {
    fn of(workload: &Workload, run: &Run) -> Outcome {
        let responses = workload.soft.iter().zip(&run.served).map(|(soft, end)| end.less(soft.arrival).get());
        let last = run.served.iter().copied().max().unwrap_or_default();
        let mut runners = run.pieces.iter().filter(|piece| piece.start < last).map(|piece| piece.runner);
        let mut before = runners.next();
        let switches = runners.filter(|runner| {
            let is_other = Some(*runner) != before;
            before = Some(*runner);
            is_other
        });
        let switches = u64::try_from(switches.count()).unwrap_or(u64::MAX);
        Outcome { response: responses.sum(), switches }
    }
}
