//! Diagnostics: what is wrong, where, why, and what to write instead.

pub mod code;

use crate::help::Help;
use crate::place::{Place, Source};
use crate::several::{MOST, Several};
use miette::{LabeledSpan, NamedSource, SourceCode};
use std::fmt;
use std::sync::Arc;

/// Everything that a diagnostic says.
#[derive(Clone, Debug)]
pub struct Problem {
    /// A stable name, such as one of [`code`].
    pub code: &'static str,
    /// Where.
    pub place: Place,
    /// What is wrong and why, in a sentence without its full stop.
    pub message: String,
    /// A few words at the place.
    pub label: String,
    /// What to do about it.
    pub help: Help<Place>,
}

/// One mistake in a timing program, with its source.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{}", problem.message)]
pub struct Diagnostic {
    problem: Problem,
    text: Option<Arc<NamedSource<String>>>,
    further: Vec<(Place, String)>,
}

impl Diagnostic {
    /// The message, and the place that it is about.
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
        self.text.as_ref().map(|source| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.text.as_ref()?;
        let main =
            LabeledSpan::new_primary_with_span(Some(self.problem.label.clone()), self.problem.place.span());
        let further = self
            .further
            .iter()
            .map(|(place, label)| LabeledSpan::new_with_span(Some(label.clone()), place.span()));
        Some(Box::new(std::iter::once(main).chain(further)))
    }
}

/// The diagnostics of one compilation, in the order of the sources and their text.
pub type Diagnostics = Several<Diagnostic>;

/// The texts of a system, shared by all diagnostics about them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sources(Vec<Arc<NamedSource<String>>>);

impl Sources {
    fn new(sources: &[Source]) -> Self {
        let named = |source: &Source| Arc::new(NamedSource::new(&source.name, source.text.clone()));
        Sources(sources.iter().map(named).collect())
    }

    pub(crate) fn diagnostic(&self, problem: Problem) -> Diagnostic {
        let text = self.0.get(problem.place.source).cloned();
        Diagnostic { problem, text, further: Vec::new() }
    }

    /// The place as `file:line`, for sentences about another file.
    fn line(&self, place: Place) -> String {
        let Some(source) = self.0.get(place.source) else { return "another file".to_owned() };
        let before = source.inner().bytes().take(place.offset);
        format!("{}:{}", source.name(), 1 + before.filter(|&byte| byte == b'\n').count())
    }
}

/// Collects the problems that the stages find.
#[derive(Debug)]
pub(crate) struct Reporter {
    sources: Sources,
    found: Vec<Diagnostic>,
    work: u64,
}

impl Reporter {
    pub(crate) fn new(sources: &[Source]) -> Self {
        Reporter { sources: Sources::new(sources), found: Vec::new(), work: 0 }
    }

    /// Counts steps of work: words read, names looked up or compared, values made.
    pub(crate) fn count(&mut self, steps: usize) {
        self.work = self.work.saturating_add(u64::try_from(steps).unwrap_or(u64::MAX));
    }

    /// The steps so far.
    pub(crate) fn work(&self) -> u64 {
        self.work
    }

    pub(crate) fn report(&mut self, problem: Problem) {
        self.add(self.sources.diagnostic(problem));
    }

    /// Reports a problem that has a second place. In another file, the second place becomes part of the help.
    pub(crate) fn report_with(&mut self, mut problem: Problem, place: Place, label: &str) {
        if problem.place.source == place.source {
            let mut diagnostic = self.sources.diagnostic(problem);
            diagnostic.further.push((place, label.to_owned()));
            self.add(diagnostic);
        } else {
            let line = self.sources.line(place);
            problem.help = problem.help.said(|words| format!("{words} ({label}: {line})"));
            self.report(problem);
        }
    }

    fn add(&mut self, diagnostic: Diagnostic) {
        if self.found.len() < MOST {
            self.found.push(diagnostic);
        }
    }

    /// Whether no more problems are kept. The stages then stop looking, so that the costly work for each
    /// mistake, which grows with the number of possible names, is bounded.
    pub(crate) fn is_full(&self) -> bool {
        self.found.len() >= MOST
    }

    /// `None` once anything has been reported.
    pub(crate) fn clean(&self) -> Option<()> {
        self.found.is_empty().then_some(())
    }

    pub(crate) fn finish(mut self) -> Result<Sources, Diagnostics> {
        self.found.sort_by_key(|diagnostic| diagnostic.problem.place);
        Several::unless_none("in the timing program", self.found)?;
        Ok(self.sources)
    }
}
