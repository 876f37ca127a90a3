//! One emulator for all cores of a board or of a node's, each with the image and the window of its kernel in its part of the memory.
//!
//! The emulator has one clock, by which the instructions of all its cores pass, one core at a time. So cores take turns, and a plugin
//! that counts instructions ends each. Of N cores that all have something to do, each then has the N-th part of all
//! instructions, and of the emulator so many more are asked for. What a core does is late by the turns of the others, at most.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::time::Duration as HostDuration;

use super::live::file;
use super::{Booted, LOG, Outcome, Serial, environment, failed, loaded, patience, wait};
use crate::board::TURN;
use crate::error::BuildError;
use crate::plan::Board;
use crate::workshop::replace;

/// A core with what its kernel needs. What has one kernel has one core.
#[derive(Clone, Debug)]
pub struct Core<'a> {
    /// Its number among all nodes and cores of the system.
    pub number: usize,
    /// Its name.
    pub name: &'a str,
    /// Its part of the board, or all of it.
    pub board: &'static Board,
    /// Its image.
    pub image: PathBuf,
    /// Its window.
    pub window: Vec<u8>,
    /// Whether what is said on the console is said there.
    pub speaks: bool,
}

/// How much longer than one core several may take on this machine: most of it goes into turns.
const LONGER: u32 = 10;

/// The emulator's speed with which each of so many cores takes no more than 2^`speed` nanoseconds an instruction; nothing if it has no
/// such speed.
fn shared_speed(speed: u8, cores: usize) -> Option<u8> {
    let halvings = cores.next_power_of_two().ilog2();
    speed.checked_sub(u8::try_from(halvings).ok()?)
}

/// Checks that a board can be emulated with so many cores at this speed of each, before anything is made for them.
///
/// # Errors
/// That it is too fast.
pub fn require_cores(cores: usize, speed: u8) -> Result<(), BuildError> {
    let least = cores.next_power_of_two().ilog2();
    match shared_speed(speed, cores) {
        Some(_) => Ok(()),
        None => Err(BuildError::Limit {
            message: format!(
                "the emulator has one instruction in a nanosecond at most, so {cores} cores can't have one in {} ns each",
                1_u32 << speed
            ),
            proposal: format!("write `speed = {least}` or more in [board], or run with `--speed {least}`"),
        }),
    }
}

/// Runs all cores of a board, the first of which leads; what each has left, in their order. One whose kernel has a processor of its own is
/// run the same way. An instruction of one takes 2^`speed` ns,
/// and the plugin `turns` ends their turns: see [`plugged::build_turns`](crate::plugged::build_turns).
///
/// # Errors
/// As [`run`](super::run).
pub fn on_one_board(
    cores: &[Core<'_>],
    speed: u8,
    turns: &Path,
    folder: &Path,
) -> Result<Vec<Outcome>, BuildError> {
    run(cores, speed, turns, folder, &[])
}

/// The same of one core whose kernel has a processor of its own.
///
/// # Errors
/// As [`run`](super::run).
pub fn alone_on_one_board(
    core: Core<'_>,
    speed: u8,
    turns: &Path,
    folder: &Path,
) -> Result<Outcome, BuildError> {
    let left = run(&[core], speed, turns, folder, &[])?;
    left.into_iter().next().ok_or_else(|| failed("running a board", "it has left nothing"))
}

/// The same, one instruction at a time, with those of all cores from addresses in `code` logged to [`LOG`]: see
/// [`log::executed_by_each`](super::log::executed_by_each).
///
/// # Errors
/// As [`run`](super::run).
pub fn on_one_board_logged(
    cores: &[Core<'_>],
    speed: u8,
    turns: &Path,
    folder: &Path,
    code: &[Range<u32>],
) -> Result<Vec<Outcome>, BuildError> {
    let filter: Vec<_> = code.iter().map(|range| format!("{:#x}..{:#x}", range.start, range.end)).collect();
    let filter = filter.join(",");
    let options = ["-singlestep", "-d", "exec,nochain", "-D", LOG, "-dfilter", &filter];
    run(cores, speed, turns, folder, &options)
}

fn run(
    cores: &[Core<'_>],
    speed: u8,
    turns: &Path,
    folder: &Path,
    options: &[&str],
) -> Result<Vec<Outcome>, BuildError> {
    let Core { board, .. } = first(cores)?;
    let what = format!("the run of {} cores on the emulated {}", cores.len(), board.name);
    let turns = turns_of(cores, speed, turns)?;
    let options = [&["-plugin", &turns], options].concat();
    let mut booted = prepare(cores, speed, folder, &options, Serial::File, what)?;
    let status = wait(booted.command()?, &booted.what, patience_with(cores)?, || Ok(()));
    left_by_each(booted, cores, status)
}

/// The core that leads.
pub(super) fn first<'c, 'a>(cores: &'c [Core<'a>]) -> Result<&'c Core<'a>, BuildError> {
    cores.first().ok_or_else(|| failed("running the cores of a board", "there are none"))
}

/// How long they may take on this machine.
pub(super) fn patience_with(cores: &[Core<'_>]) -> Result<HostDuration, BuildError> {
    let Core { board, window, .. } = first(cores)?;
    let alone = patience(board, window);
    Ok(if processors(cores) > 1 { alone.saturating_mul(LONGER) } else { alone })
}

/// How many processors they have: where there is one kernel, it may have one to itself.
fn processors(cores: &[Core<'_>]) -> usize {
    cores.iter().map(|core| core.board.processors).sum()
}

/// How fast the emulator has to be so that each has one instruction in 2^`speed` ns.
///
/// # Errors
/// It can't be so fast.
pub(super) fn speed_of_all(cores: usize, speed: u8) -> Result<u8, BuildError> {
    require_cores(cores, speed)?;
    Ok(shared_speed(speed, cores).unwrap_or(speed))
}

/// The plugin that ends turns of cores, as the emulator is told of it.
pub(super) fn turns_of(cores: &[Core<'_>], speed: u8, plugin: &Path) -> Result<String, BuildError> {
    let plugin = plugin.canonicalize().map_err(|reason| BuildError::file("find", plugin, reason))?;
    let instructions = TURN.get() >> speed_of_all(processors(cores), speed)?;
    Ok(format!("{},turn={instructions}", file(&plugin)?))
}

/// An emulator with all cores, which is called `what` where it fails.
pub(super) fn prepare(
    cores: &[Core<'_>],
    speed: u8,
    folder: &Path,
    options: &[&str],
    serial: Serial,
    what: String,
) -> Result<Booted, BuildError> {
    let Core { board, image, window, .. } = first(cores)?;
    let speed = speed_of_all(processors(cores), speed)?;
    let mut booted = Booted::prepare(board, image, window, speed, folder, options, serial)?;
    if let Some(command) = booted.command.as_mut().filter(|_| cores.len() > 1) {
        add(command, cores, folder)?;
    }
    Ok(Booted { what, ..booted })
}

/// Adds the cores behind the first.
fn add(command: &mut Command, cores: &[Core<'_>], folder: &Path) -> Result<(), BuildError> {
    command.args(["-smp", &cores.len().to_string()]);
    for (number, core) in cores.iter().enumerate().skip(1) {
        let image =
            core.image.canonicalize().map_err(|reason| BuildError::file("find", &core.image, reason))?;
        // It begins where its image does.
        let mut begins = loaded(&image, core.board.flash.base);
        begins.push(format!(",cpu-num={number}"));
        let window = window_file(number);
        replace(&folder.join(&window), &core.window)?;
        let seen = loaded(Path::new(&window), environment(core.board)?.interval.base);
        command.arg("-device").arg(begins).arg("-device").arg(seen);
    }
    Ok(())
}

/// What each core has left when the emulator has ended, in their order.
pub(super) fn left_by_each(
    booted: Booted,
    cores: &[Core<'_>],
    status: Result<ExitStatus, BuildError>,
) -> Result<Vec<Outcome>, BuildError> {
    let (what, folder) = (booted.what.clone(), booted.folder.clone());
    let left = booted.left(status)?;
    if cores.len() == 1 {
        return Ok(vec![left]);
    }
    let each = cores.iter().enumerate().map(|(number, core)| {
        let trace = match number {
            0 => left.trace.clone(),
            _ => other_trace(&folder, number)
                .map_err(|reason| failed(&what, &format!("no trace of core `{}`: {reason}", core.name)))?,
        };
        let console = if core.speaks { left.console.clone() } else { String::new() };
        Ok(Outcome { trace, console, spoken: Vec::new(), environment: String::new() })
    });
    each.collect()
}

/// What a core that isn't the first has recorded.
fn other_trace(folder: &Path, core: usize) -> std::io::Result<Vec<u8>> {
    fs::read(folder.join(trace_file(core)))
}

/// What a core that isn't the first leaves its records in.
fn trace_file(core: usize) -> String {
    format!("trace-{core}.bin")
}

fn window_file(core: usize) -> String {
    format!("window-{core}.bin")
}

/// What runs of several cores leave beside what all do.
pub(super) fn files() -> impl Iterator<Item = String> {
    let most = crate::plan::BOARDS.iter().map(Board::most_kernels).max().unwrap_or(1);
    (1..most).map(trace_file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_core_is_as_fast_as_one_alone_would_be_at_least() {
        for (cores, speeds) in [(1, [5, 2, 0]), (2, [4, 1, 9]), (3, [3, 0, 9]), (4, [3, 0, 9])] {
            let shared = [5, 2, 0].map(|speed| shared_speed(speed, cores).unwrap_or(9));
            assert_eq!(shared, speeds, "{cores}");
        }
        let refused = require_cores(4, 1).map_err(|refused| refused.to_string());
        assert_eq!(
            refused,
            Err("the emulator has one instruction in a nanosecond at most, so 4 cores can't have one in 2 ns each".to_owned())
        );
    }
}
