//! The cost of the checker on the board, in steps: for the medium programs of 4 to 100 tasks, scheduled by
//! code and by a band.
//!
//! The programs are files of the application that checks them (`bench/check`), written by this module; a test
//! compares them with the generator's output.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use beryl_builder::toolchain::root;
use beryl_builder::workshop::{Workshop, replace};
use beryl_generator::{certificate, generate};
use beryl_syscode::Container;
use beryl_syscode::check::time::{Parts, Policy, Task};

use super::cases::{Case, Length, TASKS, Way};
use super::statics;
use crate::console::Console;
use crate::row::Row;
use crate::systems::{load, run};

/// The benches in this file.
pub const NAMES: &[&str] = &[
    WHOLE,
    "machine/check/reading",
    "machine/check/structure",
    "machine/check/time",
    "machine/check/certificate",
];

/// The whole check: reading, structure, time. Its case is the number of tasks in a schedule.
const WHOLE: &str = "machine/check";
/// The steps of its parts.
const PARTS: [&str; 4] = ["reading", "structure", "time", "certificate"];

/// The application's folder.
const FOLDER: &str = "bench/check";

/// Builds the application, runs it, and counts.
pub fn rows(workshop: &Workshop) -> Result<Vec<Row>> {
    for (path, bytes) in files()? {
        replace(&path, &bytes)?;
    }
    let console = run(&load(FOLDER)?, workshop, 160)?;
    let mut rows = Vec::new();
    for case in cases() {
        let mut whole = 0;
        for part in PARTS {
            let has_part = part != "certificate" || case.way == Way::Bands;
            if !has_part {
                continue;
            }
            let steps = steps(&console, &format!("{part}/{}", name(&case)))?;
            whole += if part == "certificate" { 0 } else { steps.iter().sum() };
            let what = format!("{}, {}", case.tasks, case.way.name());
            rows.push(Row::instructions(&format!("{WHOLE}/{part}"), &what, &steps)?);
        }
        if case.way == Way::Preemptive {
            rows.push(Row::instructions(WHOLE, &case.tasks.to_string(), &[whole])?);
        }
    }
    Ok(rows)
}

/// All steps of a part: a tally of most, and samples of long ones.
fn steps(console: &Console, part: &str) -> Result<Vec<u64>> {
    let mut steps = console.tally(part)?.to_vec();
    for long in console.samples(part).unwrap_or_default() {
        steps.push(long.instructions()?);
    }
    // The tally's last number stands for anything longer.
    ensure!(!steps.contains(&2047), "{part}: a step is too long to be counted");
    Ok(steps)
}

fn cases() -> impl Iterator<Item = Case> {
    let of = |way| TASKS.into_iter().map(move |tasks| Case { tasks, way, length: Length::Medium });
    [Way::Preemptive, Way::Bands].into_iter().flat_map(of)
}

fn name(case: &Case) -> String {
    format!("{}-{}", if case.way == Way::Bands { "band" } else { "schedule" }, case.tasks)
}

/// The application's programs, and their list.
fn files() -> Result<Vec<(PathBuf, Vec<u8>)>> {
    let folder = root().join(FOLDER).join("src");
    let mut list = "//! The programs that are checked. Written by ./x bench.\n\n\
                    /// A program.\n\
                    pub struct Program {\n    /// Its name.\n    pub name: &'static str,\n    \
                    /// How many tasks there are.\n    pub tasks: usize,\n    \
                    /// What each job may take, in ticks.\n    pub bound: u32,\n    \
                    /// Its container.\n    pub bytes: &'static [u8],\n    \
                    /// Its certificate, if a band schedules it.\n    pub certificate: &'static [u32],\n}\n\n\
                    /// All of them.\n#[rustfmt::skip]\npub const PROGRAMS: &[Program] = &[\n"
        .to_owned();
    let mut files = Vec::new();
    for case in cases() {
        let set = statics::tasks(&case);
        let bytes = generate(&set, case.way.scheme())?.to_bytes();
        let bound = set.tasks.first().context("no task")?.bound;
        let numbers = if case.way == Way::Bands { numbers(&bytes, case.tasks, bound)? } else { Vec::new() };
        let (name, tasks) = (name(&case), case.tasks);
        list += &format!(
            "    Program {{ name: {name:?}, tasks: {tasks}, bound: {bound}, bytes: include_bytes!(\"programs/{name}.bsc\"), \
             certificate: &{numbers:?} }},\n"
        );
        files.push((folder.join(format!("programs/{name}.bsc")), bytes));
    }
    files.push((folder.join("programs.rs"), (list + "];\n").into_bytes()));
    Ok(files)
}

/// The certificate of a program that an earliest-deadline band schedules.
fn numbers(bytes: &[u8], tasks: u64, bound: u64) -> Result<Vec<u32>> {
    let programs = [Container::read(bytes).map_err(|reason| anyhow::anyhow!("{reason}"))?];
    let count = usize::try_from(tasks)?;
    let tasks = vec![Task { bound: u32::try_from(bound)?, rank: 0 }; count];
    let row = count.div_ceil(8);
    let mut touches = vec![0; 2 * count * row];
    for driver in 0..2 * count {
        let task = driver % count;
        touches[driver * row + task / 8] |= 1 << (task % 8);
    }
    let policies = [Policy::EarliestDeadline];
    let image =
        Parts { programs: &programs, tasks: &tasks, touches: &touches, policies: &policies, losses: &[] };
    Ok(certificate(&image)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_programs_that_are_checked_are_what_the_generator_makes() -> Result<()> {
        for (path, bytes) in files()? {
            let committed = std::fs::read(&path).with_context(|| path.display().to_string())?;
            assert!(committed == bytes, "{} is old; run ./x bench machine/check", path.display());
        }
        Ok(())
    }
}
