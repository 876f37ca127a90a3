//! `beryl attack`: each process in turn is hostile, and nobody else may notice.

mod campaign;
mod harm;
mod linked;
mod report;
mod ways;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::anyhow;
use beryl_builder::Project;
use beryl_builder::proof::{judge, prove};
use beryl_builder::quantity::Nanoseconds;

use crate::command::board::ChosenNode;
use crate::command::sim::{Costs, Program};
use crate::console::{Console, Failure, REFUSED, WELL};
use crate::files::{Place, load, names_of};
use campaign::Campaign;
use ways::{Misdeed, Ways};

/// Let each process in turn be hostile, and see that nobody else notices.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  beryl attack examples/runaway
  beryl attack examples/engine --for 1s --count 100000
  beryl attack examples/lift --processes door --misdeeds spin,forge --seed 7 --runs 1

In each run the threads of one process do misdeeds between their own operations: `spin` doesn't come back, `call` makes
any call with any registers, `flood` makes one many times, `clock` asks for the time in a loop, `wait` waits with wild
timeouts, `keep` gives back no lock and answers nobody, `forge` writes to the words that it shares with the kernel,
`storm` lets interrupts of its devices come, `swap` writes, checks and rolls back programs, `fault` faults. Each run is
compared with the same one in which nobody is hostile.

What `check` says is enforced is guaranteed: if the job of another process is late all the same, a fault or an overrun has
the wrong name, or another process's memory changes, the exit code is 1. Where others are late because of something that
is only believed, the report says what.")]
pub struct Attack {
    /// The folder with the system's beryl.toml.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    #[command(flatten)]
    chosen: ChosenNode,
    /// How long each run is.
    #[arg(long = "for", value_name = "TIME", default_value = "200ms", value_parser = crate::command::times::span)]
    length: Nanoseconds,
    /// How many runs, each with one hostile process.
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=1_000_000), conflicts_with = "count")]
    runs: u64,
    /// Go on until there were so many misdeeds.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    count: Option<u64>,
    /// The seed of the misdeeds, and of the execution times. Each run has the next one.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How long each step of the kernel takes [none and worst, in turn].
    #[arg(long, value_enum)]
    costs: Option<Costs>,
    /// Which processes are hostile, with commas between them [all].
    #[arg(long, value_delimiter = ',', value_name = "PROCESS")]
    processes: Vec<String>,
    /// Which misdeeds, with commas between them [all that the system has a place for: first together, then one by one].
    #[arg(long, value_delimiter = ',', value_enum, value_name = "MISDEED")]
    misdeeds: Vec<Misdeed>,
}

impl Attack {
    /// Runs the campaign and reports it.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        let project = load(&self.folder, self.chosen.variant(), console)?;
        if !judge::all(&project).all(|project| prove(&project).is_ok()) {
            let system = &project.assembly.name;
            let reason =
                format!("{system} isn't time-safe, so nobody is promised anything: see `beryl check`");
            return Err(anyhow!(reason).into());
        }
        let names = names_of(&project)?;
        let processes = self.processes(&project)?;
        let ways = Ways::new(&project, &self.misdeeds)?;
        let program = Program::build(&project, Place::of(&project, "attack"), console)?;
        let mut campaign = Campaign::new(self, &project, &names, &program, ways);
        let mut number = 0;
        while match self.count {
            Some(count) => campaign.misdeeds() < count && number < MOST_RUNS,
            None => number < self.runs,
        } {
            let hostile = usize::try_from(number).unwrap_or(0) % processes.len().max(1);
            let turn = number / u64::try_from(processes.len()).unwrap_or(1).max(1);
            campaign.attack(number, processes[hostile], turn, console)?;
            number += 1;
        }
        let broken = report::show(&campaign, console);
        Ok(ExitCode::from(if broken { REFUSED } else { WELL }))
    }

    /// The indices of the hostile processes.
    fn processes(&self, project: &Project) -> Result<Vec<usize>, Failure> {
        let known = &project.assembly.processes;
        if self.processes.is_empty() {
            return Ok((0..known.len()).collect());
        }
        let index = |name: &String| {
            known.iter().position(|process| process.name == *name).ok_or_else(|| {
                let all: Vec<_> = known.iter().map(|process| process.name.as_str()).collect();
                anyhow!("there is no process `{name}`; there are {}", all.join(", ")).into()
            })
        };
        self.processes.iter().map(index).collect()
    }
}

/// A campaign in which nobody finds anything to do ends here.
const MOST_RUNS: u64 = 1_000_000;
