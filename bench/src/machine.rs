//! The cost of system code, for 4 to 100 tasks in four groups at 16.66, 33.33, 50 and 100 Hz: the 48 cases of
//! the programmable-microkernel paper, section 6. Counted in the emulator's log, from each kernel entry to
//! its exit.
//!
//! On the board: every entry of two hyperperiods. The cost of a system call is all work of a completed job:
//! its end, and deciding which one runs next. The cost of an alarm is all work of an instant: each released
//! task has its output published, its input copied and its job released; plus timeouts of S code. Statically:
//! instructions of system code, and preemptions, by the reference machine with every job as long as it may
//! be.

mod cases;
pub mod check;
mod paper;
mod spin;
mod statics;
mod system;

use anyhow::{Context, Result, ensure};
use beryl_builder::workshop::Workshop;

pub use cases::{Case, LENGTHS, Length, TASKS, WAYS, Way};
pub use paper::PAPER;
pub use system::{HYPERPERIOD, ROUNDS};

use crate::observed;
use crate::row::Row;
use crate::step::Kernel;
use statics::Statics;

/// The benches in this file. The first four have the number of tasks as their case; the others have each of
/// the 48 cases.
pub const NAMES: &[&str] = &[
    S_CODE,
    "machine/edf",
    E_CODE,
    "machine/code-bytes",
    ENTRY,
    COMPLETION,
    INSTANT,
    PREEMPTIONS,
    E_WORDS,
    S_WORDS,
];

/// Whether a row belongs to one of the 48 cases, which have tables of their own.
pub fn is_of_a_case(row: &Row) -> bool {
    row.bench.starts_with("machine/") && row.case.matches(", ").count() == 2
}

/// Instructions of completed jobs under preemptive S code.
pub const S_CODE: &str = "machine/s-code";
/// Instructions that each released task adds to the longest instant.
pub const E_CODE: &str = "machine/e-code";
/// Instructions of every kernel entry.
pub const ENTRY: &str = "machine/entry";
/// Instructions of every completed job.
pub const COMPLETION: &str = "machine/completion";
/// Instructions of every alarm.
pub const INSTANT: &str = "machine/instant";
/// Preemptions in a hyperperiod.
pub const PREEMPTIONS: &str = "machine/preemptions";
/// Instructions of E code.
pub const E_WORDS: &str = "machine/e-words";
/// Instructions of S code.
pub const S_WORDS: &str = "machine/s-words";

/// Generates, builds and runs the systems with jobs of these lengths, and counts.
pub fn rows(workshop: &Workshop, lengths: &[Length]) -> Result<Vec<Row>> {
    let round = spin::measure(workshop)?;
    let mut rows = Vec::new();
    let mut instants = Vec::new();
    let cases: Vec<_> = Case::all().filter(|case| lengths.contains(&case.length)).collect();
    for (number, case) in cases.iter().enumerate() {
        eprintln!("machine: {} of {}, {}", number + 1, cases.len(), case.name());
        let Some(statics) = Statics::of(case)? else { continue };
        let counted = system::count(workshop, case, &round, &statics)?;
        if case.length == Length::Short {
            rows.extend(figures(case, &counted)?);
            if case.way == Way::Preemptive {
                instants.push((case.tasks, counted.instants.iter().copied().max().unwrap_or_default()));
            }
        }
        let entries = [counted.completions.as_slice(), &counted.instants].concat();
        rows.push(Row::instructions(ENTRY, &case.name(), &entries)?);
        rows.push(Row::instructions(COMPLETION, &case.name(), &counted.completions)?);
        rows.push(Row::instructions(INSTANT, &case.name(), &counted.instants)?);
        rows.push(Row::count(PREEMPTIONS, &case.name(), statics.preemptions));
        rows.push(Row::count(E_WORDS, &case.name(), counted.e_words));
        rows.push(Row::count(S_WORDS, &case.name(), counted.s_words));
    }
    rows.push(Row::instructions(NAMES[2], "slope a released task, scheduled by code", &[slope(&instants)?])?);
    Ok(rows)
}

/// The kernel's instructions for the longest completion and the longest instant, in a system with this many
/// tasks under preemptive S code; the last ones of equal length.
pub struct Longest {
    /// The kernel.
    pub kernel: Kernel,
    /// A completed job.
    pub completion: Vec<u32>,
    /// An alarm.
    pub instant: Vec<u32>,
}

impl Longest {
    /// Builds and runs the system with short jobs.
    pub fn of(workshop: &Workshop, tasks: u64) -> Result<Longest> {
        let case = Case { tasks, way: Way::Preemptive, length: Length::Short };
        let statics = Statics::of(&case)?.context("there is no such schedule")?;
        let kernel = system::built(workshop, &case, &spin::measure(workshop)?, &statics)?;
        let end = system::end(system::ROUNDS);
        let [completions, instants] = observed::addresses_of_entries(&kernel, workshop, end)?;
        let longest = |entries: Vec<Vec<u32>>| entries.into_iter().max_by_key(Vec::len);
        let both = longest(completions).zip(longest(instants));
        let (completion, instant) = both.with_context(|| format!("{}: nothing happened", case.name()))?;
        Ok(Longest { kernel, completion, instant })
    }
}

/// The figures with the number of tasks as their case.
fn figures(case: &Case, counted: &system::Counted) -> Result<Vec<Row>> {
    let tasks = case.tasks.to_string();
    Ok(match case.way {
        Way::Bands => vec![Row::instructions(NAMES[1], &tasks, &counted.completions)?],
        Way::Preemptive => vec![
            Row::instructions(NAMES[0], &tasks, &counted.completions)?,
            Row::bytes(NAMES[3], &tasks, 4 * (counted.e_words + counted.s_words)),
        ],
        Way::NonPreemptive | Way::ByRate => Vec::new(),
    })
}

/// How much each task adds to the longest instant, at which all are released: rounded up.
fn slope(instants: &[(u64, u64)]) -> Result<u64> {
    let (first, last) = instants.first().zip(instants.last()).context("no instant")?;
    ensure!(last.0 > first.0 && last.1 > first.1, "more tasks cost no more: {instants:?}");
    Ok((last.1 - first.1).div_ceil(last.0 - first.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_is_that_of_the_ends() {
        assert_eq!(slope(&[(4, 100), (10, 130), (100, 1060)]).expect("a slope"), 10);
        assert_eq!(slope(&[(4, 100), (100, 197)]).expect("a slope"), 2);
        assert!(slope(&[(4, 100), (100, 100)]).is_err() && slope(&[]).is_err());
    }
}
