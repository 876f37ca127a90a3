//! Recording from the emulated board, which gets its sensor values from a simulation.

use std::path::Path;
use std::process::ExitCode;

use anyhow::anyhow;
use beryl_builder::{Project, emulator, image};

use super::Record;
use super::line::{SILENCE, until};
use super::recorder::Recorder;
use crate::command::sim::{end, simulate};
use crate::console::{Console, Failure, WELL};
use crate::files::{Place, keep_statements, names_of, workshop};

/// Runs the board to the end of the run and records its trace.
pub fn record(
    record: &Record,
    project: &Project,
    path: &Path,
    console: &Console,
) -> Result<ExitCode, Failure> {
    let board = project.description.board.board.value;
    emulator::require(board, format_args!("not run on {}", board.name))?;
    let names = names_of(project)?;
    let simulated = simulate(project, Place::of(project, super::TWIN), &names, record.span, console)?;
    let built = image::build(project, &workshop(), |step| console.step(step))?;
    let awake = built.awake.as_deref().ok_or_else(|| {
        anyhow!("the image's idle thread isn't the builder's, so nobody can listen while it is emulated")
    })?;
    let window = simulated.accesses.window_without_trace(board, end(project, record.span))?;
    let folder = Place::of(project, format!("recorded.{}", board.name)).scratch();
    let mut recorder = Recorder::create(path, &names)?;
    keep_statements(path, &built.statements)?;
    recorder.expect(built.identity);
    console.step(format_args!("recording from {}", board.name));
    let speed = project.description.board.speed;
    let (_, ended) = emulator::run_linked(board, awake, &window, speed, &folder, |mut input, output| {
        match until(&mut recorder, output, &mut input, record.classes, None, SILENCE) {
            Ok(()) => Ok(Ok(())),
            // Once nobody records, the board is stopped.
            Err(reason) => Err(std::io::Error::other(format!("{reason:#}"))),
        }
    })?;
    recorder.report(board.name, console);
    let ended: anyhow::Result<()> = ended;
    ended?;
    Ok(ExitCode::from(WELL))
}
