//! Contention for a semaphore with n threads in the band, with and without early hand-over (EMERALDS, Figures
//! 14 and 15).

use anyhow::{Result, ensure};
use beryl_builder::Project;
use beryl_builder::workshop::Workshop;

use crate::console::{Console, Sample};
use crate::generated::{band, head, project, thread};
use crate::row::Row;
use crate::systems::run;

/// The benches in this file.
pub const NAMES: &[&str] = &["semaphore/full-cycle"];

/// Threads in a band, as `bench/app/src/semaphores` has them.
pub const THREADS: [usize; 7] = [3, 5, 10, 15, 20, 25, 30];
/// Policies of bands.
pub const POLICIES: [&str; 2] = ["dynamic", "fixed"];
/// With and without early hand-over.
pub const WAYS: [&str; 2] = ["early", "standard"];
/// The signal and the next wait alone: no thread wants the semaphore.
pub const ALONE: &str = "alone";

/// Samples of each case: the application measures this many cycles plus one.
const SAMPLES: usize = 199;

/// The length of a run, in millions of instructions.
pub const MILLIONS: u64 = 50;

/// Generates a system per policy, builds and runs them, and counts.
pub fn rows(workshop: &Workshop) -> Result<Vec<Row>> {
    let mut consoles = Vec::new();
    for policy in POLICIES {
        consoles.push((policy, run(&system(workshop, policy)?, workshop, MILLIONS)?));
    }
    let mut rows = Vec::new();
    for way in WAYS.into_iter().chain([ALONE]) {
        for (policy, console) in &consoles {
            for threads in THREADS {
                rows.push(row(console, way, policy, threads)?);
            }
        }
    }
    Ok(rows)
}

/// Writes the system of a policy.
pub fn system(workshop: &Workshop, policy: &str) -> Result<Project> {
    project(workshop, &name(policy), &description(policy))
}

fn name(policy: &str) -> String {
    format!("bench_semaphores_{policy}")
}

fn row(console: &Console, way: &str, policy: &str, threads: usize) -> Result<Row> {
    let samples = samples(console, way, policy, threads)?;
    ensure!(samples.len() == SAMPLES, "{way}/{policy}/{threads}: {} samples", samples.len());
    let counts = samples.iter().map(|sample| sample.instructions()).collect::<Result<Vec<_>>>()?;
    Row::instructions(NAMES[0], &case(way, policy, threads), &counts)
}

/// The samples of a way, a policy and a number of threads.
pub fn samples<'console>(
    console: &'console Console,
    way: &str,
    policy: &str,
    threads: usize,
) -> Result<&'console [Sample]> {
    console.samples(&format!("{way}/{policy}/{threads}"))
}

/// The case of a way, a policy and a number of threads.
pub fn case(way: &str, policy: &str, threads: usize) -> String {
    format!("{way}, {policy} band, {threads} threads")
}

/// A band for each number of threads.
fn description(policy: &str) -> String {
    let mut text = head(&name(policy), "512k");
    for threads in THREADS {
        text += &band(&format!("{policy}_{threads}"), policy);
    }
    text += &band("last", "fixed");
    for threads in THREADS {
        text += &group(policy, threads);
    }
    text + &thread("end", "last", "end", "512", "priority = 0\n")
}

/// The threads of a band, the most urgent first: the one that wants the semaphore, the one that holds it, and
/// the others.
fn group(policy: &str, threads: usize) -> String {
    let band = format!("{policy}_{threads}");
    let mut text =
        format!("\n[semaphore.resource_{band}]\nkind = \"binary\"\n\n[notification.event_{band}]\n");
    for number in 0..threads {
        let (name, entry, stack, uses) = match number {
            0 => (
                "contender".to_owned(),
                "contender",
                "512",
                format!("\"event_{band}.wait\", \"resource_{band}\""),
            ),
            1 => (
                "holder".to_owned(),
                band.as_str(),
                "1k",
                format!("\"event_{band}.notify\", \"resource_{band}\""),
            ),
            _ => (format!("filler_{number}"), "filler", "256", String::new()),
        };
        let urgency = urgency(policy, number);
        text +=
            &thread(&format!("{name}_{band}"), &band, entry, stack, &format!("{urgency}uses = [{uses}]\n"));
    }
    text
}

fn urgency(policy: &str, number: usize) -> String {
    match (policy, number) {
        // The others share a priority: all bands of a system have 32 together.
        ("fixed", _) => format!("priority = {}\n", 2_usize.saturating_sub(number)),
        (_, 0) => "deadline = \"1ms\"\n".to_owned(),
        _ => format!("deadline = \"{}ms\"\n", 40_000 + 10 * number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_case_has_its_band_with_all_of_its_threads() {
        for (policy, threads) in [("dynamic", 3), ("fixed", 30)] {
            let text = description(policy);
            let band = format!("band = \"{policy}_{threads}\"\n");
            assert_eq!(text.matches(&band).count(), threads);
            assert_eq!(text.matches("entry = \"contender\"").count(), THREADS.len());
            assert_eq!(text.matches("[[band]]").count(), THREADS.len() + 1);
            assert_eq!(text.matches("[thread.").count(), THREADS.iter().sum::<usize>() + 1);
        }
    }
}
