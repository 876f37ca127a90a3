//! The systems whose samples are broken down: which one a row belongs to, and where its last sample is.

use anyhow::{Context, Result, ensure};
use beryl_builder::Project;
use beryl_builder::workshop::Workshop;

use super::between::Function;
use super::executed::Part;
use crate::console::{Console, READING, Sample};
use crate::row::Row;
use crate::systems::{BENCH, METRIC, OBJECTS, load};
use crate::{counted, jobs, metric, objects, semaphores};

/// A system that reads a timer around the measured code. Those with the longest runs come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum System {
    /// Thread-Metric.
    Metric,
    /// The kernel's objects.
    Objects,
    /// Calls and switches.
    Counted,
    /// Contention under a policy.
    Semaphores(&'static str),
    /// Periodic jobs under a policy, with this many threads.
    Jobs(&'static str, u64),
}

/// A sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken {
    /// Where it is in the run.
    pub part: Part,
    /// Its instructions.
    pub instructions: u64,
    /// Those of reading the timer, which are also logged.
    pub reading: u64,
    /// Those outside of the kernel that aren't logged.
    pub unlogged: u64,
    /// How many times the sample contains the row's figure.
    pub rounds: u64,
    /// The row's figure.
    pub figure: u64,
}

impl System {
    /// The system of a row.
    pub fn of(row: &Row) -> Option<System> {
        let has = |names: &[&str]| names.contains(&row.bench.as_str());
        if has(counted::NAMES) {
            return Some(System::Counted);
        } else if has(objects::NAMES) {
            return Some(System::Objects);
        } else if has(metric::NAMES) {
            return Some(System::Metric);
        }
        if has(semaphores::NAMES) {
            let policy = semaphores::POLICIES.into_iter().find(|policy| row.case.contains(policy))?;
            return Some(System::Semaphores(policy));
        }
        let threads = jobs::NAMES.iter().find_map(|name| row.bench.strip_prefix(name)?.strip_prefix('/'))?;
        let policy = jobs::POLICIES.into_iter().find(|policy| jobs::case(policy) == row.case)?;
        Some(System::Jobs(policy, threads.parse().ok()?))
    }

    /// Loads or generates it.
    pub fn project(self, workshop: &Workshop) -> Result<Project> {
        match self {
            System::Counted => load(BENCH),
            System::Objects => load(OBJECTS),
            System::Metric => load(METRIC),
            System::Semaphores(policy) => semaphores::system(workshop, policy),
            System::Jobs(policy, threads) => jobs::system(workshop, policy, threads),
        }
    }

    /// What of its programs isn't logged.
    pub fn between_samples(self) -> &'static [Function] {
        use Function::{C, Rust};
        match self {
            System::Counted => &[Rust("fmt"), Rust("11bench_board3end"), Rust("7release8releases")],
            System::Objects => &[Rust("fmt"), Rust("11bench_board3end")],
            System::Metric => {
                &[C("beryl_print"), C("metric_sample"), C("text"), C("number"), Rust("11bench_board3end")]
            }
            System::Semaphores(_) => &[Rust("fmt"), Rust("11bench_board3end")],
            System::Jobs(..) => &[Rust("fmt"), Rust("11bench_board3end"), Rust("4jobs5meter")],
        }
    }

    /// The length of its run, in millions of instructions.
    pub fn millions(self) -> u64 {
        match self {
            System::Counted => counted::MILLIONS,
            System::Objects => objects::MILLIONS,
            System::Metric => metric::MILLIONS,
            System::Semaphores(_) => semaphores::MILLIONS,
            System::Jobs(..) => jobs::MILLIONS,
        }
    }

    /// The last sample with the row's largest figure.
    pub fn last(self, row: &Row, console: &Console) -> Result<Taken> {
        let all = self.samples(row, console).with_context(|| format!("{}, {}", row.bench, row.case))?;
        let most = all.iter().map(|taken| taken.figure).max();
        let last = all.into_iter().rev().find(|taken| Some(taken.figure) == most);
        last.with_context(|| format!("{}, {}: no samples", row.bench, row.case))
    }

    fn samples(self, row: &Row, console: &Console) -> Result<Vec<Taken>> {
        match self {
            System::Counted => {
                let taken = if row.bench == RELEASE { since_interrupt } else { plain };
                counted::samples(&row.bench, console)?.1.iter().map(taken).collect()
            }
            System::Objects => {
                let cases = objects::cases(&row.bench, console)?;
                let (_, samples) =
                    cases.iter().find(|(case, _)| *case == row.case).context("no such case")?;
                match row.bench.as_str() {
                    FROM_IDLE => (1..).zip(samples).map(since_sleep).collect(),
                    _ => samples.iter().map(plain).collect(),
                }
            }
            System::Metric => {
                let (samples, rounds) = metric::samples(&row.bench, &row.case, console)?;
                let of_rounds = |sample: &Sample| {
                    let taken = plain(sample)?;
                    Ok(Taken { rounds, figure: metric::nearest(taken.instructions, rounds), ..taken })
                };
                samples.iter().map(of_rounds).collect()
            }
            System::Semaphores(policy) => {
                let case =
                    |(way, threads): &(&str, usize)| semaphores::case(way, policy, *threads) == row.case;
                let ways = semaphores::WAYS.into_iter().chain([semaphores::ALONE]);
                let mut all = ways.flat_map(|way| semaphores::THREADS.map(|threads| (way, threads)));
                let (way, threads) = all.find(case).context("no such case")?;
                semaphores::samples(console, way, policy, threads)?.iter().map(plain).collect()
            }
            System::Jobs(_, threads) => {
                let jobs = if row.bench.starts_with("job/all") { threads } else { 1 };
                let gaps = console.samples("gap")?.iter();
                gaps.filter(|gap| jobs::released(gap, threads) == jobs).map(|gap| stolen(gap, jobs)).collect()
            }
        }
    }
}

/// A bench that begins with the device's interrupt, without a reading there.
const FROM_IDLE: &str = "interrupt/from-idle";

/// A bench that begins with the instant of the alarm.
const RELEASE: &str = "release/to-task";
/// For this long after that instant, the interrupted loop, which isn't logged, goes on.
const INTERRUPTED: u64 = 5;

fn since_interrupt(sample: &Sample) -> Result<Taken> {
    let part = Part::SinceInterrupt(u32::try_from(sample.after)?);
    Ok(Taken { part, unlogged: INTERRUPTED, ..plain(sample)? })
}

fn plain(sample: &Sample) -> Result<Taken> {
    let instructions = sample.instructions()?;
    Ok(Taken {
        part: ticks(sample)?,
        instructions,
        reading: READING,
        unlogged: 0,
        rounds: 1,
        figure: instructions,
    })
}

fn since_sleep((number, sample): (usize, &Sample)) -> Result<Taken> {
    ensure!(sample.before == 0, "it counts from the interrupt on");
    let instructions = sample.instructions()?;
    let part = Part::SinceSleep(number);
    Ok(Taken { part, instructions, reading: READING, unlogged: 0, rounds: 1, figure: instructions })
}

/// A sample measured by a loop that isn't logged.
fn stolen(gap: &Sample, jobs: u64) -> Result<Taken> {
    let loops = gap.with_reading()?.checked_sub(jobs::LOOP);
    let instructions = loops.context("a gap is shorter than the loop")?;
    let figure = instructions.div_ceil(jobs);
    Ok(Taken { part: ticks(gap)?, instructions, reading: 0, unlogged: 0, rounds: jobs, figure })
}

fn ticks(sample: &Sample) -> Result<Part> {
    Ok(Part::Ticks(u32::try_from(sample.before)?, u32::try_from(sample.after)?))
}
