//! Systems generated for a measurement, since they differ only in numbers.

use anyhow::{Context, Result};
use beryl_builder::workshop::{Workshop, replace};
use beryl_builder::{Project, Variant};

use crate::row::BOARD;

/// Writes a description to `build/<name>/system` and loads it. `{bench}` in it stands for the folder of the
/// benches, seen from there.
pub fn project(workshop: &Workshop, name: &str, description: &str) -> Result<Project> {
    let folder = workshop.folder(name).join("system");
    let text = description.replace("{bench}", "../../../bench");
    replace(&folder.join("beryl.toml"), text.as_bytes())?;
    Project::load(&folder, Variant::default()).with_context(|| format!("reading {}", folder.display()))
}

/// The beginning of a description: a system of one process, which may read the timer and print.
pub fn head(name: &str, ram: &str) -> String {
    format!(
        "# Written by ./x bench; changes are lost.\n[system]\nname = {name:?}\n\
         application = \"{{bench}}/app\"\n\n\
         [board]\nname = {BOARD:?}\nflash = \"256k\"\nram = {ram:?}\nspeed = 10\n\n\
         [process.only]\nmemory = \"64\"\ndevices = [\"uart0\", \"timer0\"]\n"
    )
}

/// A band of a description.
pub fn band(name: &str, policy: &str) -> String {
    format!("\n[[band]]\nname = {name:?}\npolicy = {policy:?}\n")
}

/// A thread of a description; `more` holds further keys, one per line.
pub fn thread(name: &str, band: &str, entry: &str, stack: &str, more: &str) -> String {
    format!(
        "\n[thread.{name}]\nprocess = \"only\"\nband = {band:?}\nentry = {entry:?}\nstack = {stack:?}\n{more}"
    )
}
