//! Diagnostics about a system description: what is wrong, where, why, and what to write instead.

use super::code;
use beryl_timing::{Help, Several};
use miette::{LabeledSpan, NamedSource, SourceCode, SourceSpan};
use std::fmt;
use std::sync::Arc;

/// All that one diagnostic says.
#[derive(Clone, Debug)]
pub struct Problem {
    /// A stable name, for example one of [`super::code`].
    pub code: &'static str,
    /// Where in the description.
    pub place: SourceSpan,
    /// What is wrong and why, in a sentence without its full stop.
    pub message: String,
    /// A few words at the place.
    pub label: String,
    /// What to do about it.
    pub help: Help<SourceSpan>,
}

/// One mistake in a system description, with its source.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{}", problem.message)]
pub struct Diagnostic {
    problem: Box<Problem>,
    text: Arc<NamedSource<String>>,
    further: Option<(SourceSpan, String)>,
}

impl Diagnostic {
    /// What is said, and of which place.
    #[must_use]
    pub fn problem(&self) -> &Problem {
        &self.problem
    }
}

impl miette::Diagnostic for Diagnostic {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.problem.code))
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(&self.problem.help))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.text)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let main = LabeledSpan::new_primary_with_span(Some(self.problem.label.clone()), self.problem.place);
        let further =
            self.further.iter().map(|(place, label)| LabeledSpan::new_with_span(Some(label.clone()), *place));
        Some(Box::new(std::iter::once(main).chain(further)))
    }
}

/// All that is wrong with one description, in the order of the text.
pub type Diagnostics = Several<Diagnostic>;

pub(super) const ABOUT: &str = "in the system description";

/// Collects what is found.
#[derive(Debug)]
pub(super) struct Reporter {
    pub(super) source: Arc<NamedSource<String>>,
    found: Vec<Diagnostic>,
}

impl Reporter {
    pub(super) fn new(name: &str, text: &str) -> Reporter {
        Reporter { source: Arc::new(NamedSource::new(name, text.to_owned())), found: Vec::new() }
    }

    /// One for the same text, of which nobody hears.
    pub(super) fn unheard(&self) -> Reporter {
        Reporter { source: Arc::clone(&self.source), found: Vec::new() }
    }

    pub(super) fn report(&mut self, problem: Problem) {
        self.found.push(diagnostic(&self.source, problem));
    }

    /// Reports a problem that has a second place.
    pub(super) fn report_with(&mut self, problem: Problem, place: SourceSpan, label: &str) {
        let further = Some((place, label.to_owned()));
        self.found.push(Diagnostic { further, ..diagnostic(&self.source, problem) });
    }

    /// Where a line can be added behind the head of a table that stands at a place; nothing if there is no
    /// line with a head.
    pub(super) fn behind_head(&self, place: SourceSpan) -> Option<SourceSpan> {
        let line = self.line(place);
        let text = self.source.inner().get(line.offset()..line.offset().saturating_add(line.len()))?;
        text.trim_start().starts_with('[').then(|| (line.offset().saturating_add(line.len()), 0).into())
    }

    /// The line on which a place begins, without its end.
    pub(super) fn line(&self, place: SourceSpan) -> SourceSpan {
        let text = self.source.inner().as_bytes();
        let at = place.offset().min(text.len());
        let (before, behind) = text.split_at(at);
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end.saturating_add(1));
        let length = behind.iter().position(|byte| *byte == b'\n').unwrap_or(behind.len());
        (start, at.saturating_add(length).saturating_sub(start)).into()
    }

    /// Whether nothing was found so far.
    pub(super) fn is_clean(&self) -> bool {
        self.found.is_empty()
    }

    /// The source, if nothing was found.
    pub(super) fn finish(mut self) -> Result<Arc<NamedSource<String>>, Diagnostics> {
        self.found.sort_by_key(|diagnostic| diagnostic.problem.place.offset());
        Several::unless_none(ABOUT, self.found)?;
        Ok(self.source)
    }
}

pub(super) fn diagnostic(source: &Arc<NamedSource<String>>, problem: Problem) -> Diagnostic {
    Diagnostic { problem: Box::new(problem), text: source.clone(), further: None }
}

/// A diagnostic after which nothing else can be found.
pub(super) fn alone(source: &Arc<NamedSource<String>>, problem: Problem) -> Diagnostics {
    Several::one(ABOUT, diagnostic(source, problem))
}

/// The text isn't TOML: what the reader of TOML says, at its place.
pub(super) fn syntax(error: &toml::de::Error) -> Problem {
    let (message, help) = match error.message() {
        "duplicate key" => (
            "this stands here for the second time".to_owned(),
            "give one of the two another name, or join them",
        ),
        message => (
            format!("this isn't TOML: {}", message.replace('\n', ", ")),
            "a table starts with [name]; a line in it is `key = value`; texts stand in quotation marks",
        ),
    };
    let place = error.span().unwrap_or_default().into();
    Problem { code: code::SYNTAX, place, message, label: "here".to_owned(), help: help.into() }
}

/// The file can't be read.
pub(super) fn unreadable(name: &str, error: &std::io::Error, help: &str) -> Diagnostics {
    let source = Arc::new(NamedSource::new(name, String::new()));
    let problem = Problem {
        code: code::UNREADABLE,
        place: (0, 0).into(),
        message: format!("{name} can't be read: {error}"),
        label: "this file".to_owned(),
        help: help.into(),
    };
    alone(&source, problem)
}
