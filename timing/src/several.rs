//! Several diagnostics as one: the result of a stage that reports everything it finds.

use miette::{Diagnostic, LabeledSpan, SourceCode};
use std::error::Error;
use std::fmt;

/// No reader needs more at a time, and a binary file given by mistake would have a million.
pub const MOST: usize = 50;

/// At least one diagnostic on the same subject, in text order.
///
/// A single one is displayed as itself; several are displayed as their number, with each of them related.
#[derive(Clone, Debug)]
pub struct Several<D> {
    about: &'static str,
    all: Vec<D>,
}

impl<D: Diagnostic> Several<D> {
    /// The most that are told at a time.
    pub const MOST: usize = MOST;

    /// `Ok` if nothing was found; otherwise all diagnostics. `about` says where the mistakes are: "in the
    /// timing program".
    ///
    /// # Errors
    ///
    /// The diagnostics, if there are any.
    pub fn unless_none(about: &'static str, all: Vec<D>) -> Result<(), Several<D>> {
        if all.is_empty() { Ok(()) } else { Err(Several { about, all }) }
    }

    /// One diagnostic alone.
    pub fn one(about: &'static str, diagnostic: D) -> Several<D> {
        Several { about, all: vec![diagnostic] }
    }

    /// Every diagnostic, in the order of the text.
    pub fn iter(&self) -> impl Iterator<Item = &D> {
        self.all.iter()
    }

    fn only(&self) -> Option<&D> {
        match self.all.as_slice() {
            [only] => Some(only),
            _ => None,
        }
    }
}

impl<D: Diagnostic> fmt::Display for Several<D> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.only() {
            Some(only) => fmt::Display::fmt(only, out),
            None if self.all.len() == MOST => write!(out, "the first {MOST} mistakes {}", self.about),
            None => write!(out, "{} mistakes {}", self.all.len(), self.about),
        }
    }
}

impl<D: Diagnostic> Error for Several<D> {}

impl<D: Diagnostic> Diagnostic for Several<D> {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.only()?.code()
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.only()?.help()
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.only()?.source_code()
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.only()?.labels()
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        match self.only() {
            Some(_) => None,
            None => Some(Box::new(self.all.iter().map(|one| one as &dyn Diagnostic))),
        }
    }
}
