//! The pages under `docs/measurements`: hand-written prose, with tables and plots from recorded figures.
//!
//! A page has a region for each table, between `<!-- table: name -->` and `<!-- end -->`. The generator
//! replaces its content and touches nothing else; plots are separate files. Figures in prose have marks
//! (`prose.rs`).

mod apart;
mod boards;
mod buffers;
mod cmsis;
mod constant;
mod doorbells;
mod ecosystem;
#[cfg(test)]
mod figures;
mod front;
mod gain;
mod host;
mod l4;
mod looks;
mod machine;
mod modules;
mod operations;
mod peers;
mod policing;
mod prose;
mod purposes;
mod queues;
mod results;
mod sections;
mod semaphores;
mod shielded;
mod tracing;
mod votes;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use beryl_builder::workshop::replace;

use crate::recorded::{Recorded, folder};

use host::Host;
pub use results::missed_rows;

/// The generated parts of one page.
struct Page {
    /// The file.
    file: &'static str,
    /// Its tables, by name.
    tables: Vec<(&'static str, String)>,
    /// Its plots, by file name.
    plots: Vec<(&'static str, String)>,
}

/// All pages.
const PAGES: &[fn(&Recorded) -> Result<Page>] = &[
    queues::page,
    semaphores::page,
    operations::messages,
    operations::calls,
    sections::page,
    operations::mix,
    machine::page,
    modules::page,
    looks::page,
    votes::page,
    boards::page,
    buffers::page,
    l4::page,
    tracing::page,
    cmsis::page,
    ecosystem::page,
    doorbells::page,
    shielded::page,
    apart::page,
    peers::page,
    policing::page,
    purposes::page,
    results::page,
    front::page,
    front::costs,
];

/// The expected content of the files, from recorded figures.
///
/// # Errors
/// If a figure isn't recorded, or a page lacks a region.
pub fn files(recorded: &Recorded) -> Result<Vec<(PathBuf, String)>> {
    let (mut files, host) = (Vec::new(), Host::read()?);
    for page in PAGES {
        let Page { file, tables, plots } = page(recorded)?;
        let path = folder().join(file);
        let mut text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        for (name, table) in tables {
            text = with_table(&text, name, &table).with_context(|| path.display().to_string())?;
        }
        files.push((path, text));
        files.extend(plots.into_iter().map(|(name, svg)| (folder().join(name), svg)));
    }
    for path in prose::documents()? {
        let made = files.iter().position(|(made, _)| made.canonicalize().ok() == path.canonicalize().ok());
        let text = match made {
            Some(made) => files.remove(made).1,
            None => fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?,
        };
        let text = prose::with_figures(&text, recorded, &host).with_context(|| path.display().to_string())?;
        files.push((path, text));
    }
    Ok(files)
}

/// Writes the files.
///
/// # Errors
/// As [`files`], and if a file can't be written.
pub fn write(recorded: &Recorded) -> Result<()> {
    for (path, text) in files(recorded)? {
        replace(&path, text.as_bytes())?;
    }
    Ok(())
}

fn with_table(text: &str, name: &str, table: &str) -> Result<String> {
    let start = format!("<!-- table: {name} -->\n");
    let (before, rest) =
        text.split_once(&start).with_context(|| format!("there is no `{}`", start.trim()))?;
    let (_, after) = rest.split_once("<!-- end -->").with_context(|| format!("table {name} has no end"))?;
    ensure!(!after.contains(&start), "there are two tables {name}");
    Ok(format!("{before}{start}{table}<!-- end -->{after}"))
}

/// A table in Markdown; the first column is text, the others are numbers.
fn markdown(header: &[String], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let rule: Vec<_> = (0..header.len()).map(|column| if column == 0 { "---" } else { "--:" }).collect();
    let rows: String = rows.iter().map(|row| line(row)).collect();
    format!("{}|{}|\n{rows}", line(header), rule.join("|"))
}

/// Tenths as a number with one decimal.
fn tenths(value: u64) -> String {
    format!("{}.{}", value / 10, value % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_pages_are_what_the_recorded_figures_make() -> Result<()> {
        for (path, text) in files(&Recorded::read()?)? {
            let committed = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            assert!(committed == text, "{} is old; run ./x bench --plots", path.display());
        }
        Ok(())
    }

    #[test]
    fn a_table_replaces_its_region_only() -> Result<()> {
        let page = "a\n<!-- table: t -->\nold\n<!-- end -->\nb\n<!-- table: u -->\n<!-- end -->\n";
        let new = with_table(page, "t", "new\n")?;
        assert_eq!(new, "a\n<!-- table: t -->\nnew\n<!-- end -->\nb\n<!-- table: u -->\n<!-- end -->\n");
        assert_eq!(with_table(&new, "t", "new\n")?, new);
        assert!(with_table(page, "v", "").is_err());
        assert!(with_table("<!-- table: t -->\n", "t", "").is_err(), "no end");
        Ok(())
    }

    #[test]
    fn tables_are_markdown() {
        let cells = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let table = markdown(&cells(&["what", "n", "cost"]), &[cells(&["a", "1", "2.5"])]);
        assert_eq!(table, "| what | n | cost |\n|---|--:|--:|\n| a | 1 | 2.5 |\n");
    }
}
