//! `beryl debug`: the emulated board under gdb, with the symbols and the threads of a system.

use std::env;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode, Stdio};

use anyhow::anyhow;
use beryl_builder::debugged::{DEBUGGERS, script};
use beryl_builder::workshop::replace;
use beryl_builder::{BuildError, emulator, image};

use crate::SystemFolder;
use crate::command::board::Chosen;
use crate::command::sim::{end, simulate};
use crate::command::times::Span;
use crate::console::{Console, Failure, REFUSED};
use crate::files::{Place, load, names_of, workshop};
use crate::proof;

/// Run a system on an emulated board under gdb.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  beryl debug examples/helicopter
  beryl debug examples/helicopter -- -batch -ex 'break *$at_control_impl' -ex continue -ex beryl-threads

It is the image of `beryl run`, with the sensor values of a simulation. While it is stopped, no virtual
time passes; a stop itself takes a microsecond at most. In gdb,
`beryl-help` says what there is besides gdb's own words.")]
pub struct Debug {
    #[command(flatten)]
    system: SystemFolder,
    #[command(flatten)]
    chosen: Chosen,
    /// Run it even if it isn't time-safe.
    #[arg(long)]
    unchecked: bool,
    #[command(flatten)]
    span: Span,
    /// What follows is for gdb.
    #[arg(last = true, value_name = "ARGUMENTS")]
    others: Vec<String>,
}

impl Debug {
    /// Simulates, builds, and becomes gdb.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        let project = load(&self.system.folder, self.chosen.variant(), console)?;
        if !self.unchecked && !proof::allows("debug", &project, console) {
            return Ok(ExitCode::from(REFUSED));
        }
        let board = project.description.board.board.value;
        emulator::require(board, format_args!("not debugged on {}", board.name))?;
        let gdb = debugger()?;
        let names = names_of(&project)?;
        let twin = Place::of(&project, format!("{}.sim", board.name));
        let simulated = simulate(&project, twin, &names, self.span, console)?;
        let built = image::build(&project, &workshop(), |step| console.step(step))?;
        let window = simulated.accesses.window(board, end(&project, self.span))?;
        let folder = Place::of(&project, format!("{}.debug", board.name)).scratch();
        let speed = project.description.board.speed;
        let started = emulator::debugged(board, &built.image, &window, speed, &folder)?;
        let file = folder.join("start.gdb");
        replace(&file, script(&project, &built, &workshop(), &started, &folder)?.as_bytes())?;
        console.step(format_args!("{gdb} begins with {}", file.display()));
        // Gdb takes this process's place, so that interrupts from the keyboard are its alone.
        let reason = Command::new(&gdb).arg("-q").arg("-x").arg(&file).args(&self.others).exec();
        Err(anyhow!("{gdb} can't be started: {reason}").into())
    }
}

/// The debugger that the user names, or the first that is there.
fn debugger() -> Result<String, BuildError> {
    if let Ok(named) = env::var("GDB") {
        return Ok(named);
    }
    found().ok_or_else(|| BuildError::Tool {
        missing: "not debugged: there is no gdb for the board's processor".to_owned(),
        proposal: format!(
            "install Debian's package {}, or name another one in the variable GDB",
            DEBUGGERS[0]
        ),
    })
}

/// The first debugger that is there.
pub fn found() -> Option<String> {
    let is_there = |name: &&str| {
        let answer = Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        answer.is_ok_and(|status| status.success())
    };
    DEBUGGERS.into_iter().find(|name| is_there(name)).map(str::to_owned)
}
