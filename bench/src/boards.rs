//! The boards side by side: what an operation of the kernel takes on each, in instructions, and the kernel in bytes.
//!
//! It is the same systems and the same code. Steps, ends of jobs, instants and rings of a timer are counted in the emulator's log
//! of instructions: the interrupts of the first board's own benches need devices that the others haven't. A row has the name of
//! the first board's with `boards/` before it, and the board as its case.

use std::fs;

use anyhow::{Context, Result, ensure};
use beryl_builder::board::{BOARDS, Board};
use beryl_builder::toolchain::root;
use beryl_builder::workshop::{Workshop, replace};
use beryl_builder::{Project, Variant};

use crate::row::{BESIDE, Row};
use crate::systems::{BENCH, OBJECTS, load_for};
use crate::{counted, idle, objects, rings, sizes, step};

/// The benches in this file.
pub const NAMES: &[&str] = &[BESIDE];

/// How long the objects are measured without interrupts, in millions of instructions.
const UNDISTURBED: u64 = 60;

/// What a whole image takes.
const IMAGE: &str = "size/image";
/// The benches with several cases.
const SEVERAL: [&str; 5] = ["endpoint/round-trip", step::STEP, step::BOUND, idle::COMPLETION, idle::INSTANT];

/// Measures each board.
///
/// # Errors
/// Those of building and running the systems, or samples that are missing.
pub fn rows(workshop: &Workshop) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for board in BOARDS {
        rows.extend(rows_on(board, workshop).with_context(|| format!("on {}", board.name))?);
    }
    Ok(rows)
}

fn rows_on(board: &'static Board, workshop: &Workshop) -> Result<Vec<Row>> {
    let counted = counted::rows_of(&load_for(BENCH, Some(board))?, workshop)?;
    let objects =
        objects::rows_named(&without_interrupts(), &undisturbed(board, workshop)?, workshop, UNDISTURBED)?;
    let rings = rings::rows_on(board, workshop)?;
    let idle = idle::rows_on(board, workshop)?;
    let steps = step::rows_on(board, workshop)?;
    let sizes = sizes::rows_on(Some(board), workshop)?;
    let mut rows = Vec::new();
    // Of an image, the kernel's share of flash is as much as is planned for it.
    let is_compiled = |row: &Row| row.bench != IMAGE;
    for row in [counted, objects, rings, idle, steps, sizes].concat().into_iter().filter(is_compiled) {
        rows.push(Row { bench: beside(&row), case: board.name.to_owned(), ..row });
    }
    Ok(rows)
}

/// What a row is called beside those of other boards: its case is part of that where a bench has several.
fn beside(row: &Row) -> String {
    match SEVERAL.contains(&row.bench.as_str()) {
        true => format!("{BESIDE}{}, {}", row.bench, row.case),
        false => format!("{BESIDE}{}", row.bench),
    }
}

/// The objects' benches that need no interrupt.
fn without_interrupts() -> Vec<&'static str> {
    objects::NAMES.iter().copied().filter(|name| !name.starts_with("interrupt/")).collect()
}

/// The system of objects without interrupts, generated beside it.
fn undisturbed(board: &'static Board, workshop: &Workshop) -> Result<Project> {
    const NAME: &str = "bench_undisturbed";
    let original = root().join(OBJECTS).join("beryl.toml");
    let text = fs::read_to_string(&original).with_context(|| format!("reading {}", original.display()))?;
    let generated = workshop.folder(NAME).join("system");
    replace(&generated.join("beryl.toml"), described(&text, NAME)?.as_bytes())?;
    Ok(Project::load(&generated, Variant { board: Some(board), ..Variant::default() })?)
}

/// A description without the interrupts and their servers, for a system in `build/<name>/system`. The last of these tells
/// when all is over, so another thread does.
fn described(text: &str, name: &str) -> Result<String> {
    let text = text
        .replace("name = \"bench_objects\"", &format!("name = {name:?}"))
        .replace("\"../app\"", "\"../../../bench/app\"")
        .replace(", \"dualtimer\"]", "]")
        .replace("entry = \"idle_server\"", "entry = \"uninterrupted\"")
        .replace("uses = [\"tick\", \"over.notify\"]", "uses = [\"over.notify\"]");
    let left_out = ["[interrupt.", "[thread.device_server]", "[thread.interrupted]"];
    let sections =
        text.split("\n\n").filter(|section| !left_out.iter().any(|head| section.starts_with(head)));
    let text = sections.collect::<Vec<_>>().join("\n\n");
    ensure!(!text.contains("interrupt."), "an interrupt is left in {OBJECTS}");
    ensure!(text.contains("\"uninterrupted\""), "nobody says when all is over");
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interrupts_and_their_servers_are_left_out() {
        let text = fs::read_to_string(root().join(OBJECTS).join("beryl.toml")).expect("the system");
        let left = described(&text, "left").expect("it can be left out");
        let count = |text: &str, head: &str| text.matches(head).count();
        assert_eq!(count(&text, "\n[thread.") - count(&left, "\n[thread."), 2);
        assert_eq!([count(&text, "[interrupt."), count(&left, "[interrupt.")], [2, 0]);
        assert!(!left.contains("dualtimer") && left.contains("entry = \"uninterrupted\""), "{left}");
        assert!(described("name = \"bench_objects\"", "left").is_err(), "nobody says when all is over");
        assert!(described("entry = \"idle_server\"\nline = interrupt.tick", "left").is_err());
    }
}
