//! A trial: one system, the promises of its proof, and the observations of its runs.

use anyhow::{Context, Result, anyhow};
use beryl_abi::{Duration, Instant};
use beryl_analysis::{Failure, Method, Proof};
use beryl_builder::description::Description;
use beryl_builder::proof::{Proved, doubts, out_of_step, prove};
use beryl_builder::{Parsed, Project};
use beryl_sim::{Costs, ExecutionTimes, Options, Outcome};
use beryl_testing::{Draw, SplitMix64 as Random};
use beryl_timing::Source;
use beryl_trace::{Happening, decode};

use crate::bodies::bodies;
use crate::rooms::carried_out;
use crate::world::{Arrivals, World};
use crate::written::Written;

/// The length of runs, in milliseconds: two hyperperiods and more.
const LENGTH: u64 = 100;

/// The same where a budget is shared: the periods of its threads have more common multiples.
const LONG: u64 = 400;

/// A proof's promise about a thread's jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promise {
    /// The thread.
    pub thread: usize,
    /// The printed response, in ticks.
    pub response: u64,
    /// The method that decided it.
    pub method: Method,
}

/// The longest observed response of each thread, and anything that went wrong.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// By thread, in ticks.
    pub responses: Vec<u64>,
    /// How many jobs were done.
    pub jobs: u64,
    /// Jobs that were late, skipped or stopped.
    pub late: u64,
    /// Faults.
    pub faults: u64,
    /// Threads with a job that came but wasn't done by the end of the run, though it should have been.
    pub undone: Vec<usize>,
}

/// The parameters of a run.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// How long jobs take.
    pub times: ExecutionTimes,
    /// How long the kernel's steps take.
    pub costs: Costs,
    /// Determines interrupts and the answers of guards.
    pub seed: u64,
}

/// The system of the texts.
pub fn project(written: &Written) -> Result<Project> {
    let description =
        Description::parse("beryl.toml", &written.description).map_err(|wrong| anyhow!("{wrong:?}"))?;
    let timing = Source { name: "drawn.tdl".to_owned(), text: written.timing.clone() };
    let sources = if written.timing.is_empty() { Vec::new() } else { vec![timing] };
    Parsed::of(std::path::Path::new("."), description, &sources)
        .and_then(Parsed::joined)
        .map_err(|wrong| anyhow!("{wrong:?}"))
}

/// The promises of a system's proof, or why there is none.
pub fn promised(project: &Project) -> Result<Vec<Promise>, Failure> {
    let Proved { proof, .. } = prove(project)?;
    Ok(promises(project, &proof))
}

/// A proof's promises for all threads that aren't in doubt.
pub fn promises(project: &Project, proof: &Proof) -> Vec<Promise> {
    let mut doubted = doubts(&project.assembly);
    doubted.extend(out_of_step(&project.assembly, proof));
    let bands = proof.bands.iter().flat_map(|band| band.tasks.iter().map(move |task| (band.method, task)));
    let threads = &project.assembly.threads;
    let promise = |(method, task): (Method, &beryl_analysis::TaskProof)| {
        let thread = threads.iter().position(|thread| thread.name == task.name)?;
        let is_doubted = doubted.iter().any(|doubt| doubt.whom.contains(&thread));
        let by_code = project.assembly.bands_by_code().any(|band| band == threads[thread].band);
        let response = if by_code { task.deadline } else { task.response };
        (!is_doubted).then_some(Promise { thread, response: response.get(), method })
    };
    bands.filter_map(promise).collect()
}

/// The runs that check a proof's promises: with the full times, and with random times up to that.
pub fn runs(project: &Project, seed: u64) -> [Run; 2] {
    let charges = project.costs.charges;
    let thousandths = u16::try_from(Random(seed).within(0, 1000)).unwrap_or(1000);
    [
        Run { times: ExecutionTimes::Worst, costs: Costs::Worst(charges), seed },
        Run {
            times: ExecutionTimes::Between { thousandths },
            costs: Costs::Random { charges, seed },
            seed: !seed,
        },
    ]
}

/// Runs a system.
pub fn see(project: &Project, how: Run) -> Result<Seen> {
    let length = if project.assembly.has_pools() { LONG } else { LENGTH };
    let ticks = length * 1_000_000 / u64::from(project.tick().max(1));
    let (world, arrivals) = World::draw(project, ticks, &how);
    let codes = bodies(project, how.seed);
    let options = Options {
        times: how.times,
        costs: how.costs,
        watchdog: std::time::Duration::ZERO,
        ..Options::until(Instant::from_ticks(ticks))
    };
    let outcome = carried_out(project, &codes, world, &options).context("the simulation")?;
    look(&outcome, &arrivals, project, ticks)
}

/// The observations of a run.
fn look(outcome: &Outcome, arrivals: &[Arrivals], project: &Project, until: u64) -> Result<Seen> {
    let threads = project.assembly.threads.len();
    let mut released: Vec<Option<(u64, u64)>> = vec![None; threads];
    let mut seen = Seen { responses: vec![0; threads], ..Seen::default() };
    for event in decode(&outcome.trace).context("the trace")? {
        match event.happening {
            Happening::Release { task, instant, deadline } => {
                if let Some(place) = released.get_mut(task.index()) {
                    *place = Some((instant.ticks(), deadline.ticks()));
                }
            }
            Happening::Complete { task } => {
                let Some((release, _)) = released.get_mut(task.index()).and_then(Option::take) else {
                    continue;
                };
                seen.note(task.index(), event.time.ticks().saturating_sub(release));
            }
            _ => {}
        }
    }
    for (thread, job) in released.iter().enumerate() {
        if job.is_some_and(|(_, deadline)| deadline < until) {
            seen.undone.push(thread);
        }
    }
    for row in arrivals {
        let ends = outcome.accesses.iter();
        let ends = ends.filter(|access| usize::try_from(access.channel.number()) == Ok(row.thread));
        let tick = u64::from(project.tick());
        let ends: Vec<u64> = ends.map(|access| access.instant.count() / tick).collect();
        let period = project.assembly.threads[row.thread].role.deadline();
        for (number, from) in row.from(&outcome.accesses, tick).iter().enumerate() {
            match ends.get(number) {
                Some(end) => seen.note(row.thread, end.saturating_sub(*from)),
                None if from + period.map_or(until, Duration::ticks) < until => seen.undone.push(row.thread),
                None => {}
            }
        }
    }
    let counts = &outcome.counts;
    seen.late = counts.misses + counts.violations + counts.skips;
    seen.faults = counts.faults;
    Ok(seen)
}

impl Seen {
    fn note(&mut self, thread: usize, response: u64) {
        self.jobs += 1;
        if let Some(longest) = self.responses.get_mut(thread) {
            *longest = response.max(*longest);
        }
    }

    /// The promise that was broken worst, with the observation, if any was.
    pub fn broken<'a>(&self, promises: &'a [Promise]) -> Option<(&'a Promise, u64)> {
        let seen = |promise: &Promise| match self.undone.contains(&promise.thread) {
            true => u64::MAX,
            false => self.responses.get(promise.thread).copied().unwrap_or_default(),
        };
        let worse = promises.iter().filter(|promise| seen(promise) > promise.response);
        worse.map(|promise| (promise, seen(promise))).max_by_key(|(promise, seen)| seen - promise.response)
    }

    /// The largest part of a promise that was used, in thousandths.
    pub fn tightest(&self, promises: &[Promise]) -> u64 {
        let used = promises.iter().filter(|promise| promise.response > 0).map(|promise| {
            self.responses.get(promise.thread).copied().unwrap_or_default() * 1000 / promise.response
        });
        used.max().unwrap_or_default()
    }
}
