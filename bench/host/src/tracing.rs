//! Telling: when the engine's jobs answer while it tells of more or less, on the emulated board. These are
//! virtual times.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use beryl_builder::toolchain::root;
use serde::Deserialize;

use crate::time::{Aim, Row};

/// Who sends what the kernel has kept, and what it is kept in.
const TELL: &str = "\n[thread.tell]\nprocess = \"diagnosis\"\nband = \"background\"\npriority = 1\nentry = \"tell\"\n\
                    stack = \"2k\"\nuses = [\"trace\"]\n\n[trace]\nbuffer = \"32k\"\n";
/// What stands otherwise in a description that lies elsewhere and has a buffer.
const CHANGES: [(&str, &str); 4] = [
    ("name = \"engine\"", "name = \"engine_telling\""),
    ("application = \"app\"", "application = \"../../../../examples/engine/app\""),
    ("environment = \"road\"", "environment = \"../../../../examples/engine/road\""),
    ("ram = \"48k\"", "ram = \"64k\""),
];
/// Classes by a short name.
const CLASSES: [(&str, &str); 2] = [
    ("few", "jobs,switches,faults"),
    ("many", "jobs,switches,faults,waits,locks,messages,interrupts,events"),
];
/// Tasks of four rates.
pub const TASKS: [&str; 4] = ["sample", "ignite", "monitor", "adapt"];
const LENGTH: &str = "2s";

/// What `beryl --json trace stats` says.
#[derive(Debug, Deserialize)]
struct Said {
    #[serde(default)]
    lost: u64,
    tasks: Vec<Task>,
}

#[derive(Debug, Deserialize)]
struct Task {
    task: String,
    completions: usize,
    median_response_ns: u64,
}

/// The median response of each task, with few classes and with many.
pub fn rows() -> Result<Vec<(String, Row)>> {
    let own = std::env::current_exe().context("this program's place")?;
    let beryl = own.with_file_name("beryl");
    if !beryl.is_file() {
        eprintln!("{} isn't there, so nothing is recorded; `./x bench host` builds it", beryl.display());
        return Ok(Vec::new());
    }
    let folder = description()?;
    let mut rows = Vec::new();
    for (name, classes) in CLASSES {
        let said = recorded(&beryl, &folder, classes)?;
        for task in said.tasks.iter().filter(|task| TASKS.contains(&task.task.as_str())) {
            let row = Row {
                what: format!(
                    "{}: median of {} responses, telling {classes}, {} notes lost",
                    task.task, task.completions, said.lost
                ),
                took: Duration::from_nanos(task.median_response_ns),
                theirs: None,
                aim: Aim::Open { events: Some(task.completions) },
            };
            rows.push((format!("/{name}/{}", task.task), row));
        }
    }
    Ok(rows)
}

/// The engine with a buffer, in a folder of its own.
fn description() -> Result<PathBuf> {
    let folder = root().join("target/bench/host/telling");
    fs::create_dir_all(&folder).with_context(|| format!("can't make {}", folder.display()))?;
    let engine = root().join("examples/engine/beryl.toml");
    let mut text = fs::read_to_string(&engine).with_context(|| format!("can't read {}", engine.display()))?;
    for (from, to) in CHANGES {
        ensure!(text.contains(from), "{} has no `{from}`", engine.display());
        text = text.replacen(from, to, 1);
    }
    let path = folder.join("beryl.toml");
    fs::write(&path, text + TELL).with_context(|| format!("can't write {}", path.display()))?;
    Ok(folder)
}

fn recorded(beryl: &Path, folder: &Path, classes: &str) -> Result<Said> {
    // With telling counted its proof asks for more than the processor has.
    run(beryl, folder, &["trace", "record", ".", "--for", LENGTH, "--unchecked", "--classes", classes])?;
    let said = run(beryl, folder, &["--json", "trace", "stats", "out/engine_telling/recorded.trace"])?;
    let line = said.lines().next().unwrap_or_default();
    serde_json::from_str(line).with_context(|| format!("beryl says {line}"))
}

fn run(beryl: &Path, folder: &Path, arguments: &[&str]) -> Result<String> {
    let output =
        Command::new(beryl).current_dir(folder).args(arguments).output().context("can't start beryl")?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    ensure!(output.status.success(), "beryl says {said} {}", String::from_utf8_lossy(&output.stderr));
    Ok(said)
}
