//! What is wrong with a text: place, reason, proposal.

use std::fmt;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The line, counted from 1.
    pub line: usize,
    /// The column of the first character, counted from 1.
    pub column: usize,
    /// What is wrong.
    pub reason: String,
    /// What would be right.
    pub proposal: String,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}: {}; {}", self.line, self.column, self.reason, self.proposal)
    }
}

impl std::error::Error for Diagnostic {}

/// Where something stands in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    pub line: usize,
    pub column: usize,
}

impl Spot {
    pub fn wrong(self, reason: impl Into<String>, proposal: impl Into<String>) -> Diagnostic {
        Diagnostic { line: self.line, column: self.column, reason: reason.into(), proposal: proposal.into() }
    }
}
