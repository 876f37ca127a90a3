//! A page of docs/measurements: prose by hand, tables and plots from recorded figures.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

/// Writes files: paths and texts.
///
/// # Errors
/// A file can't be written.
pub fn write(files: Vec<(PathBuf, String)>) -> Result<()> {
    for (path, text) in files {
        fs::write(&path, text).with_context(|| format!("writing {}", path.display()))?;
    }
    Ok(())
}

/// The page with this table in place of the one of that name.
///
/// # Errors
/// The page has no table of that name.
pub fn with_table(page: &str, name: &str, table: &str) -> Result<String> {
    let start = format!("<!-- table: {name} -->\n");
    let (before, rest) = page.split_once(&start).with_context(|| format!("the page has no table {name}"))?;
    let (_, after) = rest.split_once("<!-- end -->").with_context(|| format!("table {name} has no end"))?;
    Ok(format!("{before}{start}{table}<!-- end -->{after}"))
}

/// A table in Markdown; the first column is text, the others are numbers.
#[must_use]
pub fn markdown(header: Vec<String>, rows: Vec<Vec<String>>) -> String {
    let rule =
        header.iter().enumerate().map(|(column, _)| if column == 0 { "---" } else { "--:" }.to_owned());
    let rule = rule.collect();
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    std::iter::once(header).chain([rule]).chain(rows).map(line).collect()
}
