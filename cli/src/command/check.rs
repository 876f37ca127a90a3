//! `beryl check`: prints the proof, the system code and the region plan, or the errors.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use beryl_builder::Project;
use beryl_builder::emit::tables::listing;
use beryl_builder::functions::missing;
use beryl_builder::profile::{Broken, Profile};
use beryl_syscode::check::{Rights, Structure};
use beryl_syscode::{Container, Listing};
use clap::ValueEnum;

use crate::command::board::Chosen;
use crate::console::{Console, Failure, REFUSED, WELL};
use crate::files::{described, workshop};
use crate::{broken, chains, measured, nodes, objects, proof};

/// Prove that a system fits.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  beryl check examples/helicopter\n  beryl check examples/helicopter --board mps2-an386\n  beryl check --profile high-integrity examples/lift"
)]
pub struct Check {
    /// The folder with the system's beryl.toml, or a file of system code (.bsc).
    #[arg(value_name = "FOLDER")]
    path: PathBuf,
    #[command(flatten)]
    chosen: Chosen,
    /// Refuse also what this profile rules out; the book says which rules it has, and why.
    #[arg(long, value_name = "PROFILE")]
    profile: Option<Named>,
}

/// A profile, as it is named on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Named {
    /// Everything that runs is declared, proved and fixed.
    HighIntegrity,
}

impl From<Named> for Profile {
    fn from(named: Named) -> Profile {
        match named {
            Named::HighIntegrity => Profile::HighIntegrity,
        }
    }
}

impl Check {
    /// Checks and prints.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        if self.path.extension().is_some_and(|kind| kind == "bsc") {
            return match self.chosen.board {
                None => check_file(&self.path, console),
                Some(_) => {
                    Err(anyhow!("system code is for no board in particular; leave `--board` out").into())
                }
            };
        }
        let is_well = match nodes::described(&self.path, self.chosen.variant(), console)? {
            None => self.proves(&described(&self.path, self.chosen.variant(), console)?, console)?,
            Some(system) => {
                let mut is_well = true;
                for node in &system.parts {
                    nodes::title(node, console);
                    is_well &= self.proves(&node.project, console)?;
                }
                nodes::show(&system, console);
                chains::show_across(&system, console);
                nodes::are_read_in_time(&system, console) && is_well
            }
        };
        Ok(ExitCode::from(if is_well { WELL } else { REFUSED }))
    }

    /// Prints the proof of a system and what is known about it; answers whether all is well.
    fn proves(&self, project: &Project, console: &Console) -> Result<bool, Failure> {
        let is_safe = show(project, console);
        let keeps = self.profile.is_none_or(|named| keeps(named.into(), project, console));
        measured::show_kept(project, console)?;
        // Whoever describes before coding has seen what is proved by now.
        missing::check(project, &workshop())?;
        Ok(is_safe && keeps)
    }
}

/// Prints everything that is known about a system; returns whether it is time-safe.
pub fn show(project: &Project, console: &Console) -> bool {
    let board = project.description.board.board;
    console.say(format_args!("{} on {}", project.assembly.name, board.name));
    let safe = proof::show(project, console);
    objects::show(project, console);
    console.title("System code");
    let files = project.assembly.alternatives.iter().map(|row| format!(" ({})", row.file));
    let others = project.alternatives.iter().zip(files);
    for (program, file) in project.programs.iter().map(|program| (program, String::new())).chain(others) {
        console.say(format_args!("  module {}{file}: {} bytes", program.module, program.code.len() * 4));
        listing(&project.assembly, program, project.tick())
            .lines()
            .for_each(|line| console.say(format_args!("  {line}")));
    }
    console.title(
        "Memory (of flash, the kernel has at most this; text of the processes is placed when it is linked)",
    );
    project.plan.to_string().lines().for_each(|line| console.say(format_args!("  {line}")));
    safe
}

/// Prints what a system breaks of a profile; answers whether it keeps it.
fn keeps(profile: Profile, project: &Project, console: &Console) -> bool {
    let (name, broken) = (profile.name(), profile.broken(project));
    console.title(format_args!("Profile {name}"));
    for Broken { rule, said, proposal } in &broken {
        console.say(format_args!("  {rule}: {said}; {proposal}"));
        console.object(&serde_json::json!({
            "profile": name, "rule": rule, "broken": said, "proposal": proposal,
        }));
    }
    match broken.len() {
        0 => console.say(format_args!("  keeps all {} rules", profile.rules().len())),
        1 => console.say("  refused for this"),
        count => console.say(format_args!("  refused for these {count}")),
    }
    console.object(&serde_json::json!({ "profile": name, "kept": broken.is_empty() }));
    broken.is_empty()
}

/// Checks a file of system code: container, structure; prints its listing.
fn check_file(path: &Path, console: &Console) -> Result<ExitCode, Failure> {
    let bytes = fs::read(path).with_context(|| format!("can't read {}", path.display()))?;
    let advice = "build the system again with `beryl build`, and copy the file whole";
    let refused = |reason: &dyn std::fmt::Display| anyhow!("{}: {reason}; {advice}", path.display());
    let container = Container::read(&bytes).map_err(|reason| refused(&reason))?;
    let code: Vec<_> = container.code().collect();
    let durations: Vec<_> = container.durations().collect();
    let mut marks = vec![0; code.len()];
    Structure::new(container, Rights::ALL, &mut marks).run().map_err(|refusal| {
        let run = broken::way(container, refusal);
        anyhow!(
            "{}: {refusal}\n{run}  change the text that it was assembled from, or build the system again",
            path.display()
        )
    })?;
    let (drivers, tasks): (Vec<_>, Vec<_>) = (container.drivers().collect(), container.tasks().collect());
    let ports: Vec<_> = container.ports().collect();
    let listing = Listing {
        code: &code,
        durations: &durations,
        conditions: &container.conditions().collect::<Vec<_>>(),
        tick: 0,
        driver: &|number| drivers.get(usize::from(number)).copied(),
        task: &|number| tasks.get(usize::from(number)).copied(),
        port: &|number| ports.get(usize::from(number)).copied(),
    };
    let module = container.names().next().unwrap_or_default();
    console.say(format_args!("module {module}: {} instructions, well-formed\n{listing}", code.len()));
    console.object(&serde_json::json!({ "module": module, "instructions": code.len(), "well_formed": true }));
    Ok(ExitCode::from(WELL))
}
