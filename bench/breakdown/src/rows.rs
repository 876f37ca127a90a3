//! Recorded rows: an object a line of a file in docs/measurements.

use std::fs;

use anyhow::{Context, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::folder;

/// The rows of a file.
///
/// # Errors
/// The file can't be read, or a line is no row.
pub fn read_rows<Row: DeserializeOwned>(file: &str) -> Result<Vec<Row>> {
    let path = folder().join(file);
    let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    text.lines().map(|line| serde_json::from_str(line).with_context(|| line.to_owned())).collect()
}

/// Replaces the rows of a file.
///
/// # Errors
/// The file can't be written.
pub fn write_rows<Row: Serialize>(file: &str, rows: &[Row]) -> Result<()> {
    let lines = rows.iter().map(|row| Ok(serde_json::to_string(row)? + "\n"));
    let path = folder().join(file);
    fs::write(&path, lines.collect::<Result<String>>()?)
        .with_context(|| format!("writing {}", path.display()))
}
