//! What each crate of the workspace costs to build, from nothing, as cargo's own report says it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use beryl_builder::toolchain::root;
use serde::Deserialize;

use crate::time::{Aim, Row};

/// How the report begins what it says of the units that were compiled.
const UNITS: &str = "const UNIT_DATA = ";

/// What was compiled at once: of a crate its library, a program, or what runs before.
#[derive(Debug, Deserialize)]
struct Unit {
    name: String,
    /// Seconds.
    duration: f64,
}

/// Builds everything but the tests into an empty folder; a row for each crate of the workspace, the dearest
/// first, and behind them others' libraries, and the whole. The times of crates overlap, so on more
/// processors the whole is less than their sum.
pub fn rows() -> Result<Vec<(String, Row)>> {
    let folder = root().join("target/bench/host/build");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("can't empty {}", folder.display()))?;
    }
    eprintln!("building the workspace from nothing: several minutes");
    let begun = Instant::now();
    build(&folder)?;
    let whole = begun.elapsed();
    let report = folder.join("cargo-timings/cargo-timing.html");
    let report = fs::read_to_string(&report).with_context(|| format!("can't read {}", report.display()))?;
    Ok(listed(&units(&report)?, &crates()?, whole))
}

fn build(folder: &Path) -> Result<()> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--workspace", "--timings", "--target-dir"]).arg(folder);
    let status = cargo.current_dir(root()).status().context("cargo doesn't start")?;
    ensure!(status.success(), "the workspace can't be built");
    Ok(())
}

fn units(report: &str) -> Result<Vec<Unit>> {
    let (_, data) = report.split_once(UNITS).context("cargo's report has another form")?;
    let first = serde_json::Deserializer::from_str(data).into_iter().next();
    first.context("cargo's report has no units")?.context("cargo's report has other units")
}

/// The names of the workspace's crates.
fn crates() -> Result<Vec<String>> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--no-deps", "--format-version", "1"]).current_dir(root());
    let output = cargo.output().context("cargo doesn't start")?;
    let metadata: Metadata =
        serde_json::from_slice(&output.stdout).context("cargo says nothing of the workspace")?;
    Ok(metadata.packages.into_iter().map(|package| package.name).collect())
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
}

fn listed(units: &[Unit], crates: &[String], whole: Duration) -> Vec<(String, Row)> {
    let mut own: BTreeMap<&str, f64> = BTreeMap::new();
    let mut libraries = 0.0;
    for unit in units {
        match crates.contains(&unit.name) {
            true => *own.entry(&unit.name).or_default() += unit.duration,
            false => libraries += unit.duration,
        }
    }
    let mut own: Vec<_> = own.into_iter().collect();
    own.sort_by(|one, other| other.1.total_cmp(&one.1));
    let own = own.into_iter().map(|(name, seconds)| row(name, "the crate alone", seconds));
    let libraries = row("libraries", "all that others wrote", libraries);
    let whole = row("all", "the whole, from nothing", whole.as_secs_f64());
    own.chain([libraries, whole]).collect()
}

fn row(name: &str, what: &str, seconds: f64) -> (String, Row) {
    let took = Duration::try_from_secs_f64(seconds).unwrap_or_default();
    (format!("/{name}"), Row { what: what.to_owned(), took, theirs: None, aim: Aim::Open { events: None } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_comes_to_a_row_for_each_crate() {
        let report = r#"<script>
const UNIT_DATA = [
  { "i": 0, "name": "ours", "version": "0.1.0", "start": 0.0, "duration": 1.5, "sections": null },
  { "i": 1, "name": "other", "version": "0.1.0", "start": 0.0, "duration": 4.0, "sections": null },
  { "i": 2, "name": "theirs", "version": "1.0.0", "start": 0.0, "duration": 8.0, "sections": null },
  { "i": 3, "name": "ours", "version": "0.1.0", "start": 1.5, "duration": 0.5, "sections": null }
];
const CONCURRENCY_DATA = [];
</script>"#;
        let crates = ["ours", "other"].map(str::to_owned);
        let rows = listed(&units(report).expect("its form"), &crates, Duration::from_secs(9));
        let rows: Vec<_> = rows.iter().map(|(name, row)| (name.as_str(), row.took.as_millis())).collect();
        assert_eq!(rows, [("/other", 4000), ("/ours", 2000), ("/libraries", 8000), ("/all", 9000)]);
    }

    #[test]
    fn a_report_of_another_form_is_said_to_be_one() {
        assert!(units("<html></html>").expect_err("nothing is there").to_string().contains("another form"));
    }
}
