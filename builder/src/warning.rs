//! Warnings: what a system is built in spite of, with its place.

use std::fmt;

use beryl_timing as timing;
use miette::{Diagnostic, LabeledSpan, Severity, SourceCode};

/// Something that is surely not meant, and harms nothing.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Warning(timing::Diagnostic);

impl From<timing::Diagnostic> for Warning {
    fn from(diagnostic: timing::Diagnostic) -> Warning {
        Warning(diagnostic)
    }
}

impl Diagnostic for Warning {
    fn severity(&self) -> Option<Severity> {
        Some(Severity::Warning)
    }

    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.0.code()
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.0.help()
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.0.source_code()
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.0.labels()
    }
}
