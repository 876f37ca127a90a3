//! Batches: many systems, so many at a time in a process of their own, which gives back what their tables took; a campaign that was
//! interrupted goes on behind its last batch.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use beryl_builder::toolchain::root;
use serde::{Deserialize, Serialize};

use crate::summary::Summary;

/// Systems of one process.
const BATCH: u64 = 2000;

/// How far a campaign has come.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Progress {
    /// The first seed.
    pub first: u64,
    /// How many systems are done.
    pub done: u64,
    /// How long that took, in seconds of this machine.
    pub seconds: f64,
    /// What they came to.
    pub summary: Summary,
}

impl Progress {
    /// Goes on up to so many systems, and tells of each batch.
    ///
    /// # Errors
    /// Processes that can't be started or fail, and files that can't be written.
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

    /// That of a campaign which was interrupted, or a new one.
    ///
    /// # Errors
    /// A file that isn't one of ours.
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

/// Where a campaign leaves how far it has come.
fn path(first: u64) -> PathBuf {
    root().join(format!("target/campaign/{first}.json"))
}

/// So many systems in a process of their own.
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
