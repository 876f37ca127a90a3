//! The end of a growing file.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use anyhow::{Context, Result};
use beryl_trace::Event;
use beryl_trace::decode::{DecodeError, Reason};
use beryl_trace::file::Unsealer;

/// A partly read file.
pub struct Tail<F = File> {
    file: F,
    unsealer: Unsealer,
}

impl Tail {
    /// Reads from where the earlier reading stopped.
    ///
    /// # Errors
    /// If the file can't be opened.
    pub fn of(path: &Path, unsealer: Unsealer) -> Result<Tail> {
        let file = File::open(path).with_context(|| format!("can't read {}", path.display()))?;
        Ok(Tail { file, unsealer })
    }
}

impl<F: Read + Seek> Tail<F> {
    /// Reads an open file from the start.
    #[cfg(test)]
    pub fn all(file: F) -> Tail<F> {
        Tail { file, unsealer: Unsealer::default() }
    }

    /// The events written since the last call, and why there will be no more. A partial block waits for its
    /// rest.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn more(&mut self) -> Result<(Vec<Event>, Option<DecodeError>)> {
        let mut bytes = Vec::new();
        self.file.seek(SeekFrom::Start(u64::try_from(self.unsealer.read())?))?;
        self.file.read_to_end(&mut bytes)?;
        let (events, damage) = self.unsealer.take(&bytes).events();
        Ok((events, damage.filter(|error| !matches!(error.reason, Reason::Truncated { .. }))))
    }
}
