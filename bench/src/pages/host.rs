//! The records of `./x bench host --record`: times of the host's tools, and ratios to other programs.

use std::fs;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::recorded::folder;

/// A row of `host.jsonl`.
#[derive(Debug, Deserialize)]
struct Row {
    bench: String,
    ns: u64,
    ratio: Option<f64>,
}

/// Recorded rows.
pub struct Host(Vec<Row>);

impl Host {
    /// Reads the rows of the file.
    ///
    /// # Errors
    /// If there is no file, or it has other content.
    pub fn read() -> Result<Host> {
        let path = folder().join("host.jsonl");
        let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        let rows: Result<_, _> = text.lines().map(serde_json::from_str).collect();
        Ok(Host(rows.with_context(|| format!("{} is damaged", path.display()))?))
    }

    /// The duration of a bench, in milliseconds.
    ///
    /// # Errors
    /// If it isn't recorded.
    pub fn milliseconds(&self, bench: &str) -> Result<String> {
        Ok(((self.row(bench)?.ns + 500_000) / 1_000_000).to_string())
    }

    /// The ratio of its time to another program's.
    ///
    /// # Errors
    /// If it isn't recorded, or there is no other program.
    pub fn ratio(&self, bench: &str) -> Result<String> {
        let ratio = self.row(bench)?.ratio.with_context(|| format!("`{bench}` is compared with nothing"))?;
        Ok(format!("{ratio:.2}"))
    }

    fn row(&self, bench: &str) -> Result<&Row> {
        let found = self.0.iter().find(|row| row.bench.strip_prefix("host/") == Some(bench));
        found.with_context(|| format!("`{bench}` isn't recorded; run ./x bench host --record"))
    }
}
