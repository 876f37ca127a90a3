//! `beryl trace show`: a timeline in the terminal, operated by keyboard.

mod keys;
mod lane;
mod model;
mod screen;
pub mod tail;
mod view;

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, anyhow};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event as Input, KeyEventKind};

use super::opened::Opened;
use crate::console::{Console, Failure};
use keys::Answer;
use model::Model;
use tail::Tail;
use view::View;

/// Look at a trace in the terminal.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  beryl trace show out/engine/sim.trace
  beryl trace show out/engine/mps2-an385.trace --follow    while it is being written

Keys: arrows move cursor and lane, + and - zoom, 0 shows all, / searches (a thread, 20ms, thread@20ms),
n and p go to the next and previous trouble, [ and ] to the previous and next job of the lane, S and s to what
its thread said by `defmt` before and next, Enter says why,
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

/// How often to check a growing file.
const PATIENCE: Duration = Duration::from_millis(200);

impl Show {
    /// Shows the trace until the user quits.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        if !(io::stdout().is_terminal() && io::stdin().is_terminal()) {
            return Err(anyhow!(
                "`beryl trace show` needs a terminal; `beryl trace {}` prints a timeline instead",
                self.file.display()
            )
            .into());
        }
        let opened = Opened::read(&self.file, console)?;
        let model = Model::of(&opened.names, opened.events.clone(), opened.statements()?);
        let tail = Tail::of(&self.file, opened.unsealer.clone())?;
        let mut terminal = ratatui::try_init().context("this terminal can't be used")?;
        let shown = Session { model, tail, follows: self.follow }.run(&mut terminal, console.is_coloured());
        ratatui::restore();
        shown.context("this terminal can't be used any more")?;
        Ok(opened.exit_code())
    }
}

/// The model on the screen, and the file that extends it.
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
        let (more, damage) = self.tail.more()?;
        if !more.is_empty() {
            self.model.append(more);
            view.go_to_end(&self.model);
        }
        if let Some(damage) = damage {
            view.follows = false;
            view.said = Some(damage.to_string());
        }
        Ok(())
    }
}
