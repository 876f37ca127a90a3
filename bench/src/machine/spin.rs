//! The length of a job: its rounds are counted once in a log of all code, so that jobs can be given the
//! required length.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result, ensure};
use beryl_builder::image;
use beryl_builder::workshop::Workshop;

use super::cases::{Case, Length, Way};
use super::system;
use crate::observed;

/// The instructions of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    /// One round of its loop.
    each: u64,
    /// The rest.
    rest: u64,
}

/// Rounds of the jobs being counted.
const ROUNDS: u64 = 1000;

/// Counts the jobs of four tasks.
pub fn measure(workshop: &Workshop) -> Result<Round> {
    let case = Case { tasks: 4, way: Way::Bands, length: Length::Short };
    let project = system::project(workshop, "bench_machine_dynamic_4", "dynamic", &case, ROUNDS)?;
    let built = image::build(&project, workshop, |_| ())?;
    let elf = fs::read(&built.kernel).with_context(|| format!("reading {}", built.kernel.display()))?;
    let executed = observed::of_applications(&project, &built, workshop, &elf, system::end(1))?;
    let round = of(&executed, case.jobs())?;
    eprintln!("machine: a job takes {} instructions, and {} a round", round.rest, round.each);
    Ok(round)
}

/// The instructions of `jobs` jobs: those of their loops, one per task, are the ones executed as often as a
/// job has rounds.
fn of(executed: &[u32], jobs: u64) -> Result<Round> {
    let mut often: BTreeMap<u32, u64> = BTreeMap::new();
    for address in executed {
        *often.entry(*address).or_default() += 1;
    }
    let (rounds, all) = (ROUNDS * jobs, u64::try_from(executed.len())?);
    let inside: u64 = often.values().filter(|count| **count >= ROUNDS).sum();
    ensure!(inside >= rounds && inside.is_multiple_of(rounds), "{inside} instructions in {rounds} rounds");
    Ok(Round { each: inside / rounds, rest: (all - inside) / jobs })
}

impl Round {
    /// How many rounds a job with this many instructions has.
    pub fn rounds(&self, instructions: u64) -> Option<u64> {
        Some(instructions.checked_sub(self.rest)? / self.each)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_are_told_from_the_rest() {
        let job = |at: u32| [vec![1, 2], [at, at + 1, at + 2].repeat(1000), vec![3]].concat();
        let executed = [job(10), job(20)].concat();
        let round = of(&executed, 2).expect("a loop");
        assert_eq!(round, Round { each: 3, rest: 3 });
        assert_eq!([round.rounds(303), round.rounds(305), round.rounds(2)], [Some(100), Some(100), None]);
        assert!(of(&[1, 2, 3], 2).is_err());
    }
}
