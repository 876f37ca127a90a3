//! What the numbers of log statements stand for: the file that is left beside a trace.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use defmt_decoder::Table;
use serde::{Deserialize, Serialize};

/// The log statements of a machine: for each process those of its image, or in a simulation program those of all.
///
/// Each is an ELF file with nothing but the section of their names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statements {
    /// Of all processes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    all: Option<String>,
    /// Of each that has some.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    processes: BTreeMap<String, String>,
}

/// Why a process's statements can't be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// Nobody left any.
    #[error(
        "no statements of process `{0}` were left beside the trace, so the events aren't the logger's, or the file is gone"
    )]
    Missing(String),
    /// They are no such file.
    #[error("the statements of process `{0}` are damaged: {1}")]
    Damaged(String, String),
}

impl Statements {
    /// Those of a simulation program.
    #[must_use]
    pub fn of_all(section: Option<&[u8]>) -> Statements {
        Statements { all: section.map(|section| STANDARD.encode(section)), processes: BTreeMap::new() }
    }

    /// Those of some processes.
    #[must_use]
    pub fn of_processes<'a>(sections: impl Iterator<Item = (&'a str, &'a [u8])>) -> Statements {
        let processes = sections.map(|(name, section)| (name.to_owned(), STANDARD.encode(section)));
        Statements { all: None, processes: processes.collect() }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_none() && self.processes.is_empty()
    }

    /// Reads the file.
    ///
    /// # Errors
    /// The text isn't JSON, or not of this form.
    pub fn parse(text: &str) -> Result<Statements, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// The content of the file.
    ///
    /// # Errors
    /// None that a well-formed value can cause.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self).map(|text| text + "\n")
    }

    /// The statements of a process.
    pub(super) fn table(&self, process: &str) -> Result<Table, Unreadable> {
        let missing = || Unreadable::Missing(process.to_owned());
        let damaged = |reason: String| Unreadable::Damaged(process.to_owned(), reason);
        let section = self.all.as_ref().or_else(|| self.processes.get(process)).ok_or_else(missing)?;
        let section = STANDARD.decode(section).map_err(|reason| damaged(reason.to_string()))?;
        let table = Table::parse(&section).map_err(|reason| damaged(format!("{reason:#}")))?;
        table.ok_or_else(missing)
    }
}
