//! The page of a campaign: its tables, between marks in docs/measurements/campaign.md.

use std::fs;

use anyhow::{Context, Result};
use beryl_builder::board::Board;
use beryl_builder::toolchain::root;

use crate::batches::Progress;
use crate::board::sections::Sections;
use crate::board::tally::Tally;
use crate::controls::Found;
use crate::exact::Verdicts;
use crate::written::{CHAINED, CONSTANT, FURTHER, MORE, NESTED, RULED, SHARED, SUPPLIED, WINDOWED};

/// The table of controls.
pub fn controls(found: &Found) -> String {
    let mut text = String::from(
        "| a proof without | is broken by the system of seed | drawn until then |\n|---|--:|--:|\n",
    );
    for (term, seen) in found {
        let row = match seen {
            Some((seed, drawn)) => format!("| {} | {seed} | {drawn} |\n", term.name()),
            None => format!("| {} | not found | |\n", term.name()),
        };
        text += &row;
    }
    text
}

/// Writes the results of a campaign: systems with more features have a table of their own.
pub fn write_classes(progress: &Progress) -> Result<()> {
    let summary = &progress.summary;
    let counts = format!(
        "{} systems, seeds {} to {}: {} accepted, {} refused, {} unfit. {} runs of those accepted, with {} jobs; {} broken promises.\n",
        summary.systems,
        progress.first,
        progress.first + progress.done.saturating_sub(1),
        summary.accepted,
        summary.refused,
        summary.unfit,
        summary.runs,
        summary.jobs,
        summary.broken.len(),
    );
    let name = match progress.first {
        ..MORE => "classes",
        MORE..FURTHER => "more",
        FURTHER..SUPPLIED => "further",
        SUPPLIED..RULED => "budgets",
        RULED..SHARED => "rules",
        SHARED..WINDOWED => "shared",
        WINDOWED..NESTED => "windows",
        NESTED..CONSTANT => "nested",
        CONSTANT..CHAINED => "constant",
        _ => "chained",
    };
    replaced(name, &format!("{counts}\n{}", summary.table()))
}

/// Writes the tables of exact tests and of controls.
pub fn write_controls(verdicts: Verdicts, found: &Found) -> Result<()> {
    let exact = format!(
        "{} lists are accepted, and nobody is late; {} are refused, and somebody is.\n",
        verdicts.accepted, verdicts.refused
    );
    replaced("exact", &exact)?;
    replaced("controls", &controls(found))
}

/// Writes the table of the board, or of another one.
pub fn write_board(tally: &Tally, on: Option<&Board>) -> Result<()> {
    let more = if tally.first < MORE { "" } else { " more" };
    let name = format!("{}{more}", on.map_or("board", |board| board.name));
    replaced(&name, &format!("{}\n\n{}", tally.words(), tally.table()))
}

/// Writes the table and the plot of sections, which belong to the page of locks.
pub fn write_sections(sections: &Sections) -> Result<()> {
    let plot = root().join("docs/measurements/locks.svg");
    fs::write(&plot, sections.plot()).with_context(|| format!("can't write {}", plot.display()))?;
    replaced_in("locks.md", "kernel", &format!("{}\n\n{}", sections.words(), sections.table()))
}

/// Writes one table.
fn replaced(name: &str, table: &str) -> Result<()> {
    replaced_in("campaign.md", name, table)
}

fn replaced_in(page: &str, name: &str, table: &str) -> Result<()> {
    let path = root().join("docs/measurements").join(page);
    let page = fs::read_to_string(&path).with_context(|| format!("can't read {}", path.display()))?;
    let page = between(&page, name, table)?;
    fs::write(&path, page).with_context(|| format!("can't write {}", path.display()))
}

/// A page with the text between two marks replaced.
fn between(page: &str, name: &str, text: &str) -> Result<String> {
    let missing = || format!("the page has no table `{name}`");
    let (before, rest) = page.split_once(&format!("<!-- table: {name} -->\n")).with_context(missing)?;
    let (_, after) = rest.split_once("<!-- end -->").with_context(missing)?;
    Ok(format!("{before}<!-- table: {name} -->\n{text}<!-- end -->{after}"))
}
