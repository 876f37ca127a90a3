//! `replaceable = "8k"`: a process whose code may be replaced while the system runs, and the room for that.

use super::Placed;
use super::diagnostic::Reporter;
use super::section::{Entry, Section};

/// The key.
pub(super) const KEY: &str = "replaceable";

/// The processes that say so, by their names: others may replace them.
pub(super) fn of_processes(file: &Section<'_>, reporter: &mut Reporter) -> Vec<Placed<String>> {
    // What is no table is reported where processes are read.
    if !file.is_table("process") {
        return Vec::new();
    }
    let entries = file.entries("process", reporter);
    entries.iter().filter(|entry| entry.has(KEY)).map(|entry: &Entry<'_>| entry.name.clone()).collect()
}
