//! The table of results in `bench/README.md`.

use anyhow::Result;

use super::Page;
use crate::recorded::Recorded;
use crate::table::lines;

/// Everything that isn't in tables of its own.
pub fn page(recorded: &Recorded) -> Result<Page> {
    let rows: Vec<_> =
        recorded.rows().iter().filter(|row| !row.bench.starts_with("queue/")).cloned().collect();
    let text = format!("```text\n{}```\n", lines(&rows));
    Ok(Page { file: "../../bench/README.md", tables: vec![("results", text)], plots: Vec::new() })
}
