//! `beryl compare`: what a system writes to its actuators, on all boards, under all schedulers and at several speeds.

mod found;
mod shown;

use std::path::Path;
use std::process::ExitCode;

use anyhow::anyhow;
use beryl_builder::board::{BOARDS, Board};
use beryl_builder::rescheduled::{SCHEDULERS, Scheduler, Unscheduled};
use beryl_builder::{BuildError, Project, Variant, emulator};
use beryl_trace::Recording;

use crate::SystemFolder;
use crate::command::board::{ChosenNode, named};
use crate::command::sim::simulate;
use crate::command::times::{Span, span};
use crate::console::{Console, Failure, REFUSED, WELL};
use crate::files::{Place, load, names_of};
use crate::refused::reason;
use found::{Found, on_this_board, simulated};

/// The machine that isn't a board.
const SIM: &str = "sim";

/// Run a system on all boards, under all schedulers and at several speeds, and compare what it writes.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  beryl compare examples/helicopter
  beryl compare examples/lift --for 6s --board virt --speeds 0

What a timing program writes to its actuators, and at which logical instants, depends neither on the board nor on its speed nor
on who schedules its tasks. This tries it: each run must write what the simulation of the system as described writes, to the
bit. Rows are who schedules: the description, one band by deadline (dynamic), one by priority with the shortest deadline
first (fixed), both with the longer deadlines by priority (csd), a program (code); and the description at other speeds, from the
slowest on, until so many were tried at which nothing is late. What was found is one of

  same      the same writes
  differs   other writes, which shouldn't be
  violated  a job was late, or a driver stopped, where in the simulation none is: nothing is promised of that
  refused   the system can't be so: the reason is below the table

It has failed if something differs, or if no board wrote the same.")]
pub struct Compare {
    #[command(flatten)]
    system: SystemFolder,
    #[command(flatten)]
    chosen: ChosenNode,
    /// How long each run is, in virtual time.
    #[arg(long = "for", value_name = "TIME", default_value = "1s", value_parser = span)]
    length: beryl_builder::quantity::Nanoseconds,
    /// Only on this board; may be said several times.
    #[arg(long = "board", value_name = "BOARD", value_parser = named)]
    boards: Vec<&'static Board>,
    /// At how many speeds it must write the same.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(0..=11))]
    speeds: u8,
    /// Run it even where it isn't time-safe.
    #[arg(long)]
    unchecked: bool,
}

/// Of what a run is: who schedules, and how fast the board is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Row {
    /// As described.
    Described,
    /// By another scheduler.
    Scheduler(Scheduler),
    /// As described, but an instruction takes two to the power of this in nanoseconds.
    Speed(u8),
}

/// A run that was tried.
struct Tried {
    row: Row,
    machine: &'static str,
    found: Found,
}

impl Compare {
    /// Tries all of them and says what was found.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        let boards: Vec<&'static Board> =
            if self.boards.is_empty() { BOARDS.iter().collect() } else { self.boards.clone() };
        let project = load(&self.system.folder, self.chosen.variant(), console)?;
        let name = &project.assembly.name;
        if project.model.modules.is_empty() {
            return Err(anyhow!(
                "{name} has no timing program, so nothing is promised of what it writes; `beryl run` compares one run on a board, `beryl conformance` all that its threads do"
            )
            .into());
        }
        for board in &boards {
            emulator::require(board, format_args!("nothing was compared on {}", board.name))?;
        }
        let place = Place::of(&project, format!("compare.{SIM}"));
        let span = Span { length: self.length };
        let expected = simulate(&project, place, &names_of(&project)?, span, console)?.recorded.recording;
        let mut tried = Vec::new();
        for scheduler in SCHEDULERS {
            let found = match project.rescheduled(scheduler) {
                Ok(other) => simulated(&other, self, &expected, console)?,
                Err(failure) => unscheduled(failure)?,
            };
            note(&mut tried, &project, Row::Scheduler(scheduler), SIM, found, console);
        }
        for board in &boards {
            self.on(board, &expected, &mut tried, &project, console)?;
        }
        shown::show(&project, &tried, &boards, self, &expected, console);
        let is_well = tried.iter().all(|tried| !matches!(tried.found, Found::Differs(_)))
            && tried.iter().any(|tried| tried.machine != SIM && tried.found.is_same());
        Ok(ExitCode::from(if is_well { WELL } else { REFUSED }))
    }

    /// Everything that is tried on a board.
    fn on(
        &self,
        board: &'static Board,
        expected: &Recording,
        tried: &mut Vec<Tried>,
        described: &Project,
        console: &Console,
    ) -> Result<(), Failure> {
        let mut tell = |row, found| note(tried, described, row, board.name, found, console);
        let project = match for_board(&self.system.folder, self.chosen.variant(), board) {
            Ok(project) => project,
            Err(error) => {
                tell(Row::Described, Found::Refused(refused(error)?));
                return Ok(());
            }
        };
        let as_it_is = on_this_board(&project, self, expected, console)?;
        tell(Row::Described, as_it_is.clone());
        for scheduler in SCHEDULERS {
            let found = match project.rescheduled(scheduler) {
                Ok(other) => on_this_board(&other, self, expected, console)?,
                Err(failure) => unscheduled(failure)?,
            };
            tell(Row::Scheduler(scheduler), found);
        }
        let mut same = 0;
        for speed in (0..=10).rev() {
            if same == self.speeds {
                break;
            }
            let found = match speed == project.description.board.speed {
                true => as_it_is.clone(),
                false => on_this_board(&project.at_speed(speed), self, expected, console)?,
            };
            same += u8::from(found.is_same());
            tell(Row::Speed(speed), found);
        }
        Ok(())
    }
}

/// The system for a board. What there is to warn of was said of the described one.
fn for_board(folder: &Path, variant: Variant, board: &'static Board) -> Result<Project, BuildError> {
    Project::load(folder, Variant { board: Some(board), ..variant })?.settled(|_| ())
}

/// Why a system is refused, if it is to blame.
fn refused(error: BuildError) -> Result<String, Failure> {
    reason(&error).ok_or_else(|| error.into())
}

/// A system that can't be scheduled in another way is refused, not the whole comparison.
fn unscheduled(failure: Unscheduled) -> Result<Found, Failure> {
    Ok(Found::Refused(match failure {
        Unscheduled::Bands(reason) => reason.to_owned(),
        Unscheduled::Refused(error) => refused(*error)?,
    }))
}

fn note(
    tried: &mut Vec<Tried>,
    project: &Project,
    row: Row,
    machine: &'static str,
    found: Found,
    console: &Console,
) {
    console.object(&shown::object(project, row, machine, &found));
    tried.push(Tried { row, machine, found });
}
