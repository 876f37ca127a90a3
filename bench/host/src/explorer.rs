//! The explorer: states a second on a system of tasks, whose states are compared, and on one of threads, each
//! of whose runs counts.

use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use beryl_builder::toolchain::root;
use serde::Deserialize;

use crate::time::{Aim, Row};

/// What `beryl --json explore` says first.
#[derive(Debug, Deserialize)]
struct Said {
    states: usize,
    runs: usize,
    states_per_second: u64,
}

/// Both.
pub fn rows() -> Result<Vec<(String, Row)>> {
    let rows = [("helicopter", "100ms"), ("engine", "20ms")]
        .map(|(system, length)| Ok(explored(system, length)?.map(|row| (format!("/{system}"), row))));
    rows.into_iter().filter_map(Result::transpose).collect()
}

fn explored(system: &str, length: &str) -> Result<Option<Row>> {
    let own = std::env::current_exe().context("this program's place")?;
    let beryl = own.with_file_name("beryl");
    if !beryl.is_file() {
        eprintln!("{} isn't there, so nothing is explored; `./x bench host` builds it", beryl.display());
        return Ok(None);
    }
    let folder = root().join("target/bench/host");
    std::fs::create_dir_all(&folder).with_context(|| format!("can't make {}", folder.display()))?;
    let output = Command::new(beryl)
        .current_dir(folder)
        .arg("--json")
        .arg("explore")
        .arg(root().join("examples").join(system))
        .args(["--for", length, "--states", "20000", "--within", "60s"])
        .output()
        .context("can't start beryl")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let said: Option<Said> = text.lines().next().and_then(|line| serde_json::from_str(line).ok());
    let said =
        said.with_context(|| format!("beryl says {text} {}", String::from_utf8_lossy(&output.stderr)))?;
    ensure!(said.states_per_second > 0, "nothing was explored: {said:?}");
    let milliseconds = u64::try_from(said.states)? * 1000 / said.states_per_second;
    Ok(Some(Row {
        what: format!("{} states in {} runs of {length} of {system}", said.states, said.runs),
        took: Duration::from_millis(milliseconds),
        theirs: None,
        aim: Aim::Open { events: Some(said.states) },
    }))
}
