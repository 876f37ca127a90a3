//! What one run wrote, beside what it should write.

use beryl_builder::Project;
use beryl_trace::statistics::FaultReport;
use beryl_trace::{Comparison, Recording, Statistics, compare};

use super::{Compare, SIM, refused};
use crate::command::run::{Way, on_board};
use crate::command::sim::simulate;
use crate::command::times::Span;
use crate::console::{Console, Failure};
use crate::files::{Place, Recorded, names_of};
use crate::proof::refusal;

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The same writes.
    Same,
    /// Other writes: the first difference in words.
    Differs(String),
    /// Something went wrong that doesn't in the simulation, so nothing is promised: what, in words.
    Violated(String),
    /// It wasn't run, for this reason.
    Refused(String),
}

impl Found {
    /// Whether the writes are the same.
    pub fn is_same(&self) -> bool {
        *self == Found::Same
    }

    /// Its name, and its reason if it has one.
    pub fn in_words(&self) -> (&'static str, Option<&str>) {
        match self {
            Found::Same => ("same", None),
            Found::Differs(words) => ("differs", Some(words)),
            Found::Violated(words) => ("violated", Some(words)),
            Found::Refused(reason) => ("refused", Some(reason)),
        }
    }
}

/// A system in the simulation.
pub fn simulated(
    project: &Project,
    asked: &Compare,
    expected: &Recording,
    console: &Console,
) -> Result<Found, Failure> {
    if let Some(reason) = unproved(project, asked) {
        return Ok(Found::Refused(reason));
    }
    let place = Place::of(project, format!("compare.{SIM}"));
    let simulated = simulate(project, place, &names_of(project)?, span(asked), console)?;
    compared(project, expected, &simulated.recorded.recording, SIM)
}

/// A system on its board, with the sensor values of its simulation.
pub fn on_this_board(
    project: &Project,
    asked: &Compare,
    expected: &Recording,
    console: &Console,
) -> Result<Found, Failure> {
    if let Some(reason) = unproved(project, asked) {
        return Ok(Found::Refused(reason));
    }
    let (names, board) = (names_of(project)?, project.description.board.board.value.name);
    let [twin, place] =
        [format!("compare.{board}.sim"), format!("compare.{board}")].map(|stem| Place::of(project, stem));
    let simulated = simulate(project, twin, &names, span(asked), console)?;
    let left = match on_board(project, &place, &names, span(asked), &simulated, Way::Recorded, console) {
        Ok(left) => left,
        Err(Failure::Build(error)) => return Ok(Found::Refused(refused(*error)?)),
        Err(failure) => return Err(failure),
    };
    let [before, after] =
        [&simulated.recorded, &left.recorded].map(|Recorded { events, .. }| Statistics::of(events, &names));
    match violation(&before, &after) {
        Some(words) => Ok(Found::Violated(words)),
        None => compared(project, expected, &left.recorded.recording, board),
    }
}

fn span(asked: &Compare) -> Span {
    Span { length: asked.length }
}

/// Why a system isn't time-safe, if that keeps it from being run.
fn unproved(project: &Project, asked: &Compare) -> Option<String> {
    if asked.unchecked { None } else { refusal(project) }
}

fn compared(
    project: &Project,
    expected: &Recording,
    written: &Recording,
    machine: &str,
) -> Result<Found, Failure> {
    Ok(match compare(expected, written) {
        Comparison::Equal { .. } => Found::Same,
        Comparison::Different(difference) => {
            Found::Differs(difference.in_words("described", machine, &names_of(project)?))
        }
    })
}

/// What went wrong in one run and not in the other.
fn violation(simulated: &Statistics, on_board: &Statistics) -> Option<String> {
    // What the fault is called depends on the machine.
    let is_new = |fault: &&FaultReport| simulated.faults.iter().all(|other| other.thread != fault.thread);
    if let Some(fault) = on_board.faults.iter().find(is_new) {
        return Some(format!("{} of process {} stopped: {}", fault.thread, fault.process, fault.kind));
    }
    let [expected, tally] = [simulated.tally(), on_board.tally()];
    (expected.deadline_misses != tally.deadline_misses || expected.lost_releases != tally.lost_releases)
        .then(|| format!("{tally}, in the simulation {expected}"))
}
