//! The boards side by side: instructions of each operation, bytes of the kernel, and a picture.

use std::collections::BTreeSet;

use anyhow::Result;
use beryl_builder::board::{BOARDS, Board, MEASURED};

use super::{Page, markdown};
use crate::bars::{Bar, Bars};
use crate::recorded::Recorded;
use crate::row::{BESIDE, Unit};

/// What the picture shows.
const SHOWN: [&str; 6] = [
    "boards/null-call",
    "boards/yield/two-processes",
    "boards/semaphore/wake",
    "boards/mailbox/pair-8",
    "boards/endpoint/round-trip, two processes",
    "boards/release/to-task",
];

pub fn page(recorded: &Recorded) -> Result<Page> {
    Ok(Page {
        file: "boards.md",
        tables: vec![
            ("instructions", table(recorded, Unit::Instructions)?),
            ("bytes", table(recorded, Unit::Bytes)?),
        ],
        plots: vec![("boards.svg", picture(recorded)?)],
    })
}

/// The boards with rows. One may have none yet; of one that has some, none may be missing.
fn measured(recorded: &Recorded) -> impl Iterator<Item = &'static Board> {
    let has_rows = |board: &&Board| {
        recorded.rows().iter().any(|row| row.bench.starts_with(BESIDE) && row.case == board.name)
    };
    BOARDS.iter().filter(has_rows)
}

/// The most that was measured on a board.
fn most(recorded: &Recorded, bench: &str, board: &Board) -> Result<u64> {
    Ok(recorded.row(bench, board.name)?.figures.max)
}

/// A board's column.
fn head(board: &Board) -> String {
    format!("{}, {}", board.name, board.processor.name)
}

fn table(recorded: &Recorded, unit: Unit) -> Result<String> {
    let mut seen = BTreeSet::new();
    let benches = recorded.rows().iter().filter(|row| row.bench.starts_with(BESIDE) && row.unit == unit);
    let benches = benches.map(|row| row.bench.as_str()).filter(|bench| seen.insert(*bench));
    let mut rows = Vec::new();
    for bench in benches {
        let name = format!("`{}`", bench.strip_prefix(BESIDE).unwrap_or(bench));
        let figures = measured(recorded).map(|board| Ok(most(recorded, bench, board)?.to_string()));
        rows.push([vec![name], figures.collect::<Result<_>>()?].concat());
    }
    let header: Vec<_> = [unit.name().to_owned()].into_iter().chain(measured(recorded).map(head)).collect();
    Ok(markdown(&header, &rows))
}

/// A bar for each board, those of one operation together.
fn picture(recorded: &Recorded) -> Result<String> {
    let mut bars = Vec::new();
    for bench in SHOWN {
        let name = bench.strip_prefix(BESIDE).unwrap_or(bench);
        for board in measured(recorded) {
            let value = most(recorded, bench, board)?;
            let is_first = board.name == MEASURED;
            let name = if is_first { format!("{name}: {}", board.name) } else { board.name.to_owned() };
            bars.push(Bar { name, value, foreign: !is_first });
        }
    }
    let title = "The same operation on each board";
    Ok(Bars { title, across: "instructions; the first board is blue", bars }.svg())
}
