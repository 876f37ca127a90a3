//! Rows counted from kernel entry to exit, without a timer: a completed job under S code, the increase of an
//! instant per released task, and the longest path of a kernel, which need not occur in any run.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use anyhow::{Context, Result, ensure};
use beryl_builder::workshop::Workshop;
use beryl_path::Location;

use super::breakdown::Breakdown;
use super::origin::Origins;
use super::purpose::Purpose;
use super::take::{Apart, attributed};
use crate::machine::{E_CODE, Longest, S_CODE, TASKS};
use crate::row::Row;
use crate::step::{STEP, longest};

/// Whether a row is one of these.
pub fn is_of_steps(row: &Row) -> bool {
    [S_CODE, E_CODE, STEP].contains(&row.bench.as_str())
}

/// The systems that have more than one row.
pub struct Steps<'workshop> {
    workshop: &'workshop Workshop,
    longest: BTreeMap<u64, Longest>,
}

impl Steps<'_> {
    /// None built yet.
    pub fn new(workshop: &Workshop) -> Steps<'_> {
        Steps { workshop, longest: BTreeMap::new() }
    }

    /// Builds and runs the row's system, and breaks the row down.
    ///
    /// # Errors
    /// If it can't be built or run; or if more tasks cost less of some purpose.
    pub fn take(&mut self, row: &Row) -> Result<Apart> {
        match row.bench.as_str() {
            S_CODE => self.completion(row),
            STEP => bound(row, self.workshop),
            _ => self.slope(row),
        }
    }

    fn completion(&mut self, row: &Row) -> Result<Apart> {
        let tasks = row.case.parse().with_context(|| format!("{}: `{}` is no number", S_CODE, row.case))?;
        let Longest { kernel, completion, .. } = self.longest(tasks)?;
        let mut origins = Origins::new(&kernel.elf, kernel.processor())?;
        let (purposes, instructions) = attributed(completion, &mut origins)?;
        let count = u64::try_from(completion.len())?;
        whole(row, [count, 1, count], purposes, instructions)
    }

    /// How much the longest instant grows from the fewest tasks to the most, per task.
    fn slope(&mut self, row: &Row) -> Result<Apart> {
        let [few, .., many] = TASKS;
        let mut of = |tasks: u64| {
            let Longest { kernel, instant, .. } = self.longest(tasks)?;
            attributed(instant, &mut Origins::new(&kernel.elf, kernel.processor())?)
        };
        let ((few_purposes, _), (mut purposes, instructions)) = (of(few)?, of(many)?);
        for (purpose, count) in &few_purposes {
            let all = purposes.entry(*purpose).or_default();
            *all = all.checked_sub(*count).with_context(|| {
                let (bench, name) = (&row.bench, purpose.name());
                format!("{bench}: {few} tasks need {count} instructions for {name}, {many} need {all}")
            })?;
        }
        let (sum, rounds) = (purposes.values().sum::<u64>(), many - few);
        ensure!(sum > 0, "{}: more tasks cost no more", row.bench);
        whole(row, [sum.div_ceil(rounds), rounds, sum], purposes, instructions)
    }

    fn longest(&mut self, tasks: u64) -> Result<&Longest> {
        match self.longest.entry(tasks) {
            Entry::Occupied(entry) => Ok(entry.into_mut()),
            Entry::Vacant(entry) => Ok(entry.insert(Longest::of(self.workshop, tasks)?)),
        }
    }
}

/// The longest step, block by block.
fn bound(row: &Row, workshop: &Workshop) -> Result<Apart> {
    let (kernel, step) = longest(workshop, &row.case)?;
    let mut origins = Origins::new(&kernel.elf, kernel.processor())?;
    let mut executed = Vec::new();
    for Location { address, instructions, count, .. } in &step.path {
        let block = origins.block(*address, *instructions)?;
        (0..*count).for_each(|_| executed.extend(&block));
    }
    let (purposes, each) = attributed(&executed, &mut origins)?;
    let count = u64::try_from(executed.len())?;
    ensure!(
        count == step.instructions,
        "{}, {}: its path has {count} instructions, its bound is {}",
        row.bench,
        row.case,
        step.instructions
    );
    whole(row, [count, 1, count], purposes, each)
}

fn whole(
    row: &Row,
    [figure, rounds, instructions]: [u64; 3],
    purposes: BTreeMap<Purpose, u64>,
    each: Vec<String>,
) -> Result<Apart> {
    let (bench, case) = (row.bench.clone(), row.case.clone());
    let breakdown = Breakdown { bench, case, figure, rounds, instructions, outside: 0, purposes };
    breakdown.must_be_whole()?;
    Ok(Apart { breakdown, instructions: each })
}
