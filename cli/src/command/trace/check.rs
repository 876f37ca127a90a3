//! `beryl trace check`: checks assertions against traces.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::anyhow;
use beryl_builder::BuildError;
use beryl_builder::description::Assertions;

use super::opened::Opened;
use crate::assertions::hold;
use crate::console::{Console, Failure, REFUSED, WELL};

/// Hold assertions against traces.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  beryl trace check out/helicopter/sim.trace out/helicopter/mps2-an385.trace    those of its beryl.toml
  beryl trace check more.toml out/helicopter/sim.trace                          those of a file

Assertions are tables `[assert.NAME]`, of a system's beryl.toml or of a TOML file with nothing else:
  response = \"navigate\",       most = \"5ms\"     each job is done so soon after its release
  jitter = \"rotor\",            most = \"100us\"   its delays differ by no more
  latency = [\"gps\", \"rotor\"],  most = \"31ms\"    after each first, the next second comes so soon
  age = [\"gps\", \"rotor\"],      most = \"31ms\"    at each second, the last first is no older
  order = [\"navigate\", \"control\"]               before each second there is a new first
  never = \"miss\",  of = \"control\"               nor violation, fault, overrun, skip, stray; of whom, if not all
A task's name means its jobs' ends; there are `release of TASK` and `start of TASK`, too.
With `mode = \"opening\"` it holds in that mode of a module only.
An assertion that nothing in a trace could be held to counts as broken.")]
pub struct Check {
    /// Traces, each beside its names.json; before them a file with the assertions, if they aren't those of the system.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

impl Check {
    /// Checks, and reports for each assertion whether it held.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        let (written, traces) = match self.files.split_first() {
            Some((first, rest)) if is_toml(first) => {
                (Some(Assertions::load(first).map_err(BuildError::Description)?), rest)
            }
            _ => (None, self.files.as_slice()),
        };
        if traces.is_empty() {
            return Err(anyhow!("which trace? name one behind the assertions").into());
        }
        let mut is_well = true;
        for file in traces {
            let opened = Opened::read(file, console)?;
            let stated = match &written {
                Some(written) => written.about(&opened.names).map_err(BuildError::Description)?,
                None => opened.names.assertions.clone(),
            };
            let run = file.display().to_string();
            if stated.is_empty() {
                return Err(anyhow!(
                    "{run}: its system asserts nothing; write tables `[assert.NAME]` in its beryl.toml, or name a file of \
                     them first"
                )
                .into());
            }
            is_well &= hold(&stated, &run, &opened.events, &opened.names, console)? && !opened.is_damaged;
        }
        Ok(ExitCode::from(if is_well { WELL } else { REFUSED }))
    }
}

fn is_toml(file: &Path) -> bool {
    file.extension() == Some(OsStr::new("toml"))
}
