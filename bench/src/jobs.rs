//! All kernel work for periodic jobs among n threads: one job alone, and all at one instant.
//!
//! All threads are first released at one instant, which begins a *round*. Some have a fraction of a round as
//! their period, others a whole one: so all are released together once a round, and one at a time in between.
//! A thread below them measures how long it is kept from the processor.

use anyhow::{Context, Result, ensure};
use beryl_builder::Project;
use beryl_builder::workshop::Workshop;

use crate::console::Sample;
use crate::generated::{band, head, project, thread};
use crate::row::Row;
use crate::systems::run;

/// The benches in this file; a number of threads follows.
pub const NAMES: &[&str] = &["job/one", "job/all"];

/// Numbers of threads.
pub const THREADS: [u64; 4] = [5, 15, 50, 100];
/// Policies of the threads' band.
pub const POLICIES: [&str; 2] = ["fixed", "dynamic"];

/// A round in ticks: 1,848,000 instructions, so that each release is at the boundary of two.
const ROUND: u64 = 47_308_800;
const TICK_NANOSECONDS: u64 = 40;
/// Into how many periods some threads divide a round: coprime numbers, so that these threads meet only at the
/// beginning of a round.
const PARTS: [u64; 5] = [2, 3, 5, 7, 11];
/// Instructions of the meter's loop: the length of a gap without preemption.
pub const LOOP: u64 = 5;
/// Priorities in a fixed band: all bands of a system have 32 together. More threads than that share them.
const PRIORITIES: u64 = 30;
/// How many ticks after its release a gap may begin, because the alarm is late: 1000 instructions.
const LATE: u64 = 25_600;
/// Jobs that run alone, and rounds, among the gaps that the meter records (120).
const ALONE: usize = 80;
const ROUNDS: usize = 4;

/// The length of a run, in millions of instructions.
pub const MILLIONS: u64 = 14;

/// Writes, builds and runs a system for each policy and number of threads, and counts.
pub fn rows(workshop: &Workshop) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for policy in POLICIES {
        for threads in THREADS {
            rows.extend(pair(workshop, policy, threads)?);
        }
    }
    Ok(rows)
}

/// The case of a policy.
pub fn case(policy: &str) -> String {
    format!("{policy} band")
}

/// Writes the system of a policy and a number of threads.
pub fn system(workshop: &Workshop, policy: &str, threads: u64) -> Result<Project> {
    let name = name(policy, threads);
    project(workshop, &name, &description(&name, policy, threads))
}

fn name(policy: &str, threads: u64) -> String {
    format!("bench_jobs_{policy}_{threads}")
}

/// Kernel work for a job that runs alone, and for each of all jobs at one instant.
///
/// # Errors
/// Those of building and running a system.
pub fn pair(workshop: &Workshop, policy: &str, threads: u64) -> Result<[Row; 2]> {
    measured(workshop, policy, threads, &system(workshop, policy, threads)?)
}

/// The same where each job has a budget of `worst`.
///
/// # Errors
/// Those of building and running a system.
pub fn with_budgets(workshop: &Workshop, policy: &str, threads: u64, worst: &str) -> Result<[Row; 2]> {
    let name = format!("{}_budgets", name(policy, threads));
    let budget = format!("worst = \"{worst}\"\non_overrun = \"end-job\"\n");
    let text = description(&name, policy, threads).replace("worst = \"1ms\"\n", &budget);
    measured(workshop, policy, threads, &project(workshop, &name, &text)?)
}

fn measured(workshop: &Workshop, policy: &str, threads: u64, system: &Project) -> Result<[Row; 2]> {
    let name = name(policy, threads);
    let console = run(system, workshop, MILLIONS)?;
    let stolen = stolen(console.samples("gap")?, threads).with_context(|| name.clone())?;
    ensure!(stolen.one.len() >= ALONE && stolen.all.len() >= ROUNDS, "{name}: jobs are missing: {stolen:?}");
    let row =
        |bench: &str, values: &[u64]| Row::instructions(&format!("{bench}/{threads}"), &case(policy), values);
    Ok([row(NAMES[0], &stolen.one)?, row(NAMES[1], &stolen.all)?])
}

/// Instructions taken from the meter.
#[derive(Debug)]
struct Stolen {
    /// By jobs that ran alone.
    one: Vec<u64>,
    /// By all jobs of an instant, per job, rounded up.
    all: Vec<u64>,
}

fn stolen(gaps: &[Sample], threads: u64) -> Result<Stolen> {
    let mut stolen = Stolen { one: Vec::new(), all: Vec::new() };
    for gap in gaps {
        let instructions = gap.with_reading()?.checked_sub(LOOP).context("a gap is shorter than the loop")?;
        match released(gap, threads) {
            0 => ensure!(
                gap.before < ROUND,
                "{instructions} instructions were stolen, and nothing was released"
            ),
            1 => stolen.one.push(instructions),
            jobs if jobs == threads => stolen.all.push(instructions.div_ceil(threads)),
            jobs => ensure!(gap.before < ROUND, "{jobs} of {threads} jobs were released together"),
        }
    }
    Ok(stolen)
}

/// How many jobs were released in a gap, or shortly before.
pub fn released(gap: &Sample, threads: u64) -> u64 {
    let until = |ticks: u64, period: u64| ticks.checked_sub(ROUND).map_or(0, |ticks| ticks / period + 1);
    let before = gap.before.saturating_sub(LATE);
    (0..threads)
        .map(|number| period(number, threads))
        .map(|period| until(gap.after, period) - until(before, period))
        .sum()
}

/// A thread's period in ticks. The threads with short ones are spread evenly.
fn period(number: u64, threads: u64) -> u64 {
    let parts = PARTS.iter().zip(0_u64..).find(|(_, place)| place * threads / 5 == number);
    ROUND / parts.map_or(1, |(parts, _)| *parts)
}

fn description(name: &str, policy: &str, threads: u64) -> String {
    let mut text = head(name, "256k") + &band("jobs", policy) + &band("meter", "fixed");
    for number in 0..threads {
        let nanoseconds = |ticks: u64| ticks * TICK_NANOSECONDS;
        let priority = match policy {
            "fixed" => format!("priority = {}\n", number * PRIORITIES / threads.max(PRIORITIES)),
            _ => String::new(),
        };
        let more = format!(
            "{priority}period = \"{}ns\"\noffset = \"{}ns\"\nworst = \"1ms\"\n",
            nanoseconds(period(number, threads)),
            nanoseconds(ROUND)
        );
        text += &thread(&format!("job_{number}"), "jobs", "job", "256", &more);
    }
    text + &thread("meter", "meter", "meter", "4k", "priority = 0\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The instants of a round with releases, and how many jobs each releases.
    fn releases(threads: u64) -> Vec<(u64, u64)> {
        let mut instants: Vec<u64> = (0..threads)
            .flat_map(|number| {
                let period = period(number, threads);
                (0..ROUND / period).map(move |job| ROUND + job * period)
            })
            .collect();
        instants.sort_unstable();
        let count = |instant: &u64| instants.iter().filter(|other| *other == instant).count() as u64;
        let mut releases: Vec<_> = instants.iter().map(|instant| (*instant, count(instant))).collect();
        releases.dedup();
        releases
    }

    #[test]
    fn all_jobs_come_together_once_a_round_and_otherwise_alone() {
        for threads in THREADS {
            let releases = releases(threads);
            assert_eq!(releases[0], (ROUND, threads));
            assert_eq!(releases[1..].iter().map(|(_, jobs)| *jobs).collect::<Vec<_>>(), [1; 23]);
            // Far enough apart for a job and a late alarm; after the first, for all jobs.
            assert!(releases.windows(2).all(|pair| pair[1].0 - pair[0].0 > 2 * LATE), "{releases:?}");
            assert!(releases[1].0 - ROUND > 20 * LATE);
        }
    }

    #[test]
    fn a_gap_belongs_to_the_jobs_that_were_released_in_it() {
        let gap = |before, after| Sample { before, after };
        assert_eq!(released(&gap(ROUND - 50, ROUND + 9), 15), 15);
        assert_eq!(released(&gap(ROUND + 1000, ROUND + 9000), 15), 15, "the alarm was late");
        assert_eq!(released(&gap(ROUND + LATE, ROUND + LATE + 9), 15), 0, "too late for that");
        assert_eq!(released(&gap(ROUND + ROUND / 2 - 100, ROUND + ROUND / 2 + 9), 15), 1);
        assert_eq!(released(&gap(2 * ROUND - 100, 2 * ROUND + 9), 100), 100);
    }

    #[test]
    fn what_is_stolen_is_counted_without_the_loop_and_for_each_job() {
        let instructions = |count: u64| count * 128 / 5;
        let gap =
            |start: u64, count: u64| Sample { before: start - 64, after: start - 64 + instructions(count) };
        let gaps = [gap(ROUND, 5 + 301), gap(ROUND + ROUND / 3, 5 + 110)];
        let stolen = stolen(&gaps, 5).expect("right");
        assert_eq!((stolen.one, stolen.all), (vec![110], vec![61]));
        assert!(super::stolen(&[gap(ROUND + ROUND / 3 + 2 * LATE, 99)], 5).is_err(), "nothing was released");
    }
}
