//! What a ring of a timer takes on each board until its thread in another process runs, in the emulator's log of instructions: where a
//! thread is interrupted, and where nobody has anything to do.
//!
//! ```text
//!   interrupted  ====|                                  |=====      the kernel's instructions alone are counted:
//!   kernel           |-- to-thread --|       |- answer -|           those of the processes are theirs
//!   server                           |=======|
//! ```

use std::fs;

use anyhow::{Context, Result, ensure};
use beryl_abi::CallNumber;
use beryl_builder::board::Board;
use beryl_builder::toolchain::root;
use beryl_builder::workshop::{Workshop, replace};
use beryl_builder::{Project, Variant};

use crate::observed::{self, Begin};
use crate::row::Row;
use crate::step::Kernel;
use crate::systems::{RINGS, after, load_for};

/// From an interrupt to the thread that waits for it: another one runs.
const TO_THREAD: &str = "ring/to-thread";
/// The same, while the kernel idles.
const FROM_IDLE: &str = "ring/from-idle";
/// From the call of the thread that waits again to who was interrupted.
const ANSWER: &str = "ring/answer";

/// How long the system runs, in nanoseconds, and how many of its rings are counted: the last ones.
const LENGTH: u64 = 120_000_000;
const COUNTED: usize = 100;

/// Counts on a board.
///
/// # Errors
/// Those of building and running the systems.
pub fn rows_on(board: &'static Board, workshop: &Workshop) -> Result<Vec<Row>> {
    let among_two = entries(board, workshop, true)?;
    let alone = entries(board, workshop, false)?;
    let row = |bench, lengths: &[u64]| Row::instructions(bench, "", last(lengths).context(bench)?);
    Ok(vec![
        row(TO_THREAD, &lengths(&among_two, is_ring))?,
        row(ANSWER, &lengths(&among_two, is_wait))?,
        row(FROM_IDLE, &lengths(&alone, is_ring))?,
    ])
}

fn is_ring(begin: &Begin) -> bool {
    matches!(begin, Begin::Interrupt(_))
}

/// On some boards who sets the timer asks for the time as well.
fn is_wait(begin: &Begin) -> bool {
    matches!(begin, Begin::Call(number) if CallNumber::decode(*number) == Some(CallNumber::NotificationWait))
}

fn entries(board: &'static Board, workshop: &Workshop, is_somebody_below: bool) -> Result<Vec<(Begin, u64)>> {
    let kernel = Kernel::of(ringing(board, workshop, is_somebody_below)?, workshop)?;
    observed::told_entries(&kernel, workshop, after(board, LENGTH))
}

/// The instructions of those that began so.
fn lengths(entries: &[(Begin, u64)], began: fn(&Begin) -> bool) -> Vec<u64> {
    entries.iter().filter(|(begin, _)| began(begin)).map(|(_, length)| *length).collect()
}

fn last(lengths: &[u64]) -> Result<&[u64]> {
    ensure!(lengths.len() >= COUNTED, "{} rings instead of {COUNTED}", lengths.len());
    lengths.get(lengths.len() - COUNTED..).context("the last ones")
}

/// The system, or the same without the process that is interrupted, generated beside it.
fn ringing(board: &'static Board, workshop: &Workshop, is_somebody_below: bool) -> Result<Project> {
    if is_somebody_below {
        return load_for(RINGS, Some(board));
    }
    const NAME: &str = "bench_rings_alone";
    let path = root().join(RINGS).join("beryl.toml");
    let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    let (alone, _) = text.split_once("[process.other]").context("a process that is interrupted")?;
    let alone = alone
        .replace("name = \"bench_rings\"", &format!("name = {NAME:?}"))
        .replace("\"../app\"", "\"../../../bench/app\"");
    let folder = workshop.folder(NAME).join("system");
    replace(&folder.join("beryl.toml"), alone.as_bytes())?;
    Ok(Project::load(&folder, Variant { board: Some(board), ..Variant::default() })?)
}
