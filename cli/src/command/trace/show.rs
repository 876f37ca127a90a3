//! `beryl trace show`: a timeline in the terminal, for the keyboard.

mod keys;
mod lane;
mod model;
mod screen;
mod view;

use std::fs::File;
use std::io::{self, IsTerminal, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, anyhow};
use beryl_trace::decode::{Reason, readable};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event as Input, KeyEventKind};

use super::opened::Opened;
use crate::console::{Console, Failure};
use keys::Answer;
use model::Model;
use view::View;

/// Look at a trace in the terminal.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  beryl trace show out/engine/sim.trace
  beryl trace show out/engine/mps2-an385.trace --follow    while it is being written

Keys: arrows move cursor and lane, + and - zoom, 0 shows all, / searches (a thread, 20ms, thread@20ms),
n and p go to the next and previous trouble, [ and ] to the previous and next job of the lane, Enter says why,
m, o, l and i show and hide modes, ports (outputs), locks and interrupts, f follows the end of the file, ? lists the keys,
q quits.")]
pub struct Show {
    /// A trace, beside its names.json.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Show the end of the file while it is being written.
    #[arg(long, short)]
    follow: bool,
}

/// How often a file that is followed is looked at.
const PATIENCE: Duration = Duration::from_millis(200);

impl Show {
    /// Shows the trace until the user has seen enough.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        if !(io::stdout().is_terminal() && io::stdin().is_terminal()) {
            return Err(anyhow!(
                "`beryl trace show` needs a terminal; `beryl trace {}` prints a timeline instead",
                self.file.display()
            )
            .into());
        }
        let opened = Opened::read(&self.file, console)?;
        let tail = Tail::of(&self.file, &opened)?;
        let mut terminal = ratatui::try_init().context("this terminal can't be used")?;
        let shown =
            Session { model: Model::of(&opened.names, opened.events.clone()), tail, follows: self.follow }
                .run(&mut terminal, console.is_coloured());
        ratatui::restore();
        shown.context("this terminal can't be used any more")?;
        Ok(opened.exit_code())
    }
}

/// What is shown, and where more of it comes from.
struct Session {
    model: Model,
    tail: Tail,
    follows: bool,
}

impl Session {
    fn run(mut self, terminal: &mut DefaultTerminal, colour: bool) -> anyhow::Result<()> {
        let mut view = View::of(&self.model, self.follows);
        loop {
            terminal.draw(|frame| screen::draw(frame, &self.model, &mut view, colour))?;
            if view.follows {
                self.read_more(&mut view)?;
            }
            if !event::poll(PATIENCE)? {
                continue;
            }
            if let Input::Key(key) = event::read()?
                && key.kind != KeyEventKind::Release
                && keys::press(&mut view, &mut self.model, key) == Answer::Quit
            {
                return Ok(());
            }
        }
    }

    fn read_more(&mut self, view: &mut View) -> anyhow::Result<()> {
        let more = self.tail.more()?;
        if !more.is_empty() {
            self.model.append(more);
            view.go_to_end(&self.model);
        }
        Ok(())
    }
}

/// The end of a file that grows.
struct Tail {
    file: File,
    read: u64,
}

impl Tail {
    fn of(path: &Path, opened: &Opened) -> anyhow::Result<Tail> {
        let file = File::open(path).with_context(|| format!("can't read {}", path.display()))?;
        Ok(Tail { file, read: opened.readable })
    }

    /// The events that have been written since; half a record waits for its other half.
    fn more(&mut self) -> anyhow::Result<Vec<beryl_trace::Event>> {
        let mut bytes = Vec::new();
        self.file.seek(SeekFrom::Start(self.read))?;
        self.file.read_to_end(&mut bytes)?;
        let (events, damage) = readable(&bytes);
        let end = match &damage {
            Some(error) if matches!(error.reason, Reason::Truncated { .. }) => error.offset,
            Some(_) => 0,
            None => bytes.len(),
        };
        self.read += u64::try_from(end).unwrap_or(0);
        Ok(if end == 0 { Vec::new() } else { events })
    }
}
