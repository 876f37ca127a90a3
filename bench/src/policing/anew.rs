//! What the proof counts for processes that begin anew, beside what that takes ([`restarts`](crate::restarts)).

use anyhow::{Context, Result};
use beryl_builder::load::restarts;

use super::amounts::instructions;
use crate::restarts::MEMORY;
use crate::row::Row;
use crate::systems::{RESTARTS, load};

/// The bench.
pub const NAMES: &[&str] = &[COUNTED];
/// Its cases are those of the measured one.
pub const COUNTED: &str = "policing/restart-counted";

/// What is counted for each process of the measured system.
///
/// # Errors
/// If it can't be read.
pub fn rows() -> Result<Vec<Row>> {
    let system = load(RESTARTS)?;
    let counted = restarts(&system);
    let row = |(_, case, process): (u32, &str, &str)| {
        let counted = counted.iter().find(|row| row.process == process);
        let counted = counted.with_context(|| format!("{RESTARTS} has no process `{process}`"))?;
        Row::instructions(COUNTED, case, &[instructions(counted.each)])
    };
    MEMORY.into_iter().map(row).collect()
}
