//! What is counted on the board: calls, switches, releases.

use anyhow::{Context, Result, ensure};
use beryl_abi::Instant;
use beryl_builder::emulator::{self, Accesses};
use beryl_builder::image;
use beryl_builder::workshop::Workshop;

use crate::calibration::{READING, check, words};
use crate::row::{Figures, Row, Unit};
use crate::sample::{Sample, Samples, across, parse};
use crate::systems::{BENCH, load};

/// What is measured here.
pub const NAMES: &[&str] = &["null-call", "yield/same-process", "yield/two-processes", "release/to-task"];

/// When the run ends, in ticks of 40 ns: 26 s, that is 25 million instructions.
const END: Instant = Instant::from_ticks(650_000_000);
/// How often everything is measured.
const SAMPLES: usize = 1000;

/// Builds the measured system, runs it, and counts.
pub fn rows(workshop: &Workshop) -> Result<Vec<Row>> {
    let project = load(BENCH)?;
    let board = project.description.board.board.value;
    let built = image::build(&project, workshop, |_| ())?;
    let window = Accesses::default().window_without_trace(board, END)?;
    let folder = workshop.folder(BENCH).join("run");
    let run = emulator::run(board, &built.image, &window, project.description.board.speed, &folder)?;
    let samples = parse(&run.console)?;
    check(&samples)?;
    eprintln!("{}", words());
    NAMES.iter().map(|bench| row(bench, &samples)).collect()
}

fn row(bench: &'static str, samples: &Samples) -> Result<Row> {
    let own = samples.get(bench).with_context(|| format!("{bench}: the board has no samples"))?;
    let (case, pairs) = match bench {
        "null-call" => ("caller to caller", own.clone()),
        "release/to-task" => ("instant to first instruction", own.clone()),
        _ => ("caller to next caller", across(own)?),
    };
    ensure!(pairs.len() >= SAMPLES, "{bench}: {} samples instead of {SAMPLES}", pairs.len());
    let counts = pairs[..SAMPLES].iter().map(count).collect::<Result<Vec<_>>>()?;
    let figures = Figures::of(&counts).context("no samples")?;
    Ok(Row { bench, case, unit: Unit::Instructions, figures })
}

/// The instructions of a sample, without the reading behind them.
fn count(sample: &Sample) -> Result<u64> {
    sample.instructions()?.checked_sub(READING).context("a sample is shorter than reading the timer")
}
