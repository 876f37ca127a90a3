//! `beryl completions` and `beryl man`: what shells and `man` want to know of the command line.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Command, CommandFactory};
use clap_complete::Shell;

use crate::Arguments;
use crate::console::{Console, Failure, WELL};

/// Print what a shell needs to complete the command line.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  beryl completions bash > ~/.local/share/bash-completion/completions/beryl\n  beryl completions fish > ~/.config/fish/completions/beryl.fish"
)]
pub struct Completions {
    /// The shell.
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

impl Completions {
    /// Prints it.
    pub fn run(&self, _console: &Console) -> Result<ExitCode, Failure> {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "beryl", &mut text);
        print(&text)
    }
}

/// Print the manual page of the program, or of a command.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  beryl man | man -l -\n  beryl man sim | man -l -")]
pub struct Man {
    /// The command; without one, the page is of the whole program.
    #[arg(value_name = "COMMAND")]
    of: Option<String>,
}

impl Man {
    /// Prints it.
    pub fn run(&self, _console: &Console) -> Result<ExitCode, Failure> {
        let all = Arguments::command();
        let page = match &self.of {
            None => all,
            Some(name) => page_of(&all, name)?,
        };
        let mut text = Vec::new();
        clap_mangen::Man::new(page).render(&mut text).context("the page can't be made")?;
        print(&text)
    }
}

fn page_of(all: &Command, name: &str) -> anyhow::Result<Command> {
    let known = || all.get_subcommands().map(Command::get_name).collect::<Vec<_>>().join(", ");
    let found = all
        .find_subcommand(name)
        .with_context(|| format!("`{name}` is no command; there are {}", known()))?;
    Ok(found.clone().display_name(format!("beryl {name}")).bin_name(format!("beryl {name}")))
}

/// A reader that has seen enough is no failure.
fn print(text: &[u8]) -> Result<ExitCode, Failure> {
    match io::stdout().write_all(text) {
        Err(reason) if reason.kind() != io::ErrorKind::BrokenPipe => {
            Err(anyhow::Error::from(reason).context("can't print").into())
        }
        _ => Ok(ExitCode::from(WELL)),
    }
}
