//! Batches: many systems, a batch at a time in a separate process, whose end frees the memory of their
//! tables; an interrupted campaign resumes after its last batch.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use beryl_builder::toolchain::root;
use serde::{Deserialize, Serialize};

use crate::summary::Summary;

/// Systems per process.
const BATCH: u64 = 2000;

/// The progress of a campaign.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Progress {
    /// The first seed.
    pub first: u64,
    /// How many systems are done.
    pub done: u64,
    /// The time taken, in seconds of this machine.
    pub seconds: f64,
    /// Their results.
    pub summary: Summary,
}

impl Progress {
    /// Continues up to this many systems and reports each batch.
    ///
    /// # Errors
    /// If a process can't be started or fails, or a file can't be written.
    pub fn go_on(&mut self, systems: u64) -> Result<()> {
        while self.done < systems {
            let count = BATCH.min(systems - self.done);
            let began = Instant::now();
            let summary = batch(self.first.saturating_add(self.done), count)?;
            self.seconds += began.elapsed().as_secs_f64();
            self.done += count;
            self.summary.add(summary);
            self.keep()?;
            eprintln!(
                "{} of {systems} systems, {} accepted, {} broken",
                self.done,
                self.summary.accepted,
                self.summary.broken.len()
            );
        }
        Ok(())
    }

    /// The progress of an interrupted campaign, or a new one.
    ///
    /// # Errors
    /// If the file isn't one of ours.
    pub fn of(first: u64, resumes: bool) -> Result<Progress> {
        let path = path(first);
        if !resumes || !path.exists() {
            return Ok(Progress { first, ..Progress::default() });
        }
        let text = fs::read_to_string(&path).with_context(|| format!("can't read {}", path.display()))?;
        serde_json::from_str(&text).with_context(|| format!("{} isn't left by a campaign", path.display()))
    }

    fn keep(&self) -> Result<()> {
        let path = path(self.first);
        let folder = path.parent().context("it has a folder")?;
        fs::create_dir_all(folder).with_context(|| format!("can't make {}", folder.display()))?;
        let new = path.with_extension("new");
        fs::write(&new, serde_json::to_string(self)?)
            .with_context(|| format!("can't write {}", new.display()))?;
        fs::rename(&new, &path).with_context(|| format!("can't write {}", path.display()))
    }
}

/// The file that stores a campaign's progress.
fn path(first: u64) -> PathBuf {
    root().join(format!("target/campaign/{first}.json"))
}

/// Runs this many systems in a separate process.
fn batch(from: u64, count: u64) -> Result<Summary> {
    let own = std::env::current_exe().context("where this program is")?;
    let output = Command::new(&own)
        .args(["batch", &from.to_string(), &count.to_string()])
        .output()
        .with_context(|| format!("can't start {}", own.display()))?;
    ensure!(
        output.status.success(),
        "the batch from seed {from} on failed: {}",
        String::from_utf8_lossy(&output.stderr).trim()
    );
    serde_json::from_slice(&output.stdout).context("what a batch came to")
}
