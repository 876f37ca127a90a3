//! Sources and places in them.

use miette::SourceSpan;

/// One file of a system's timing program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The name that diagnostics show, usually the path.
    pub name: String,
    /// The whole text.
    pub text: String,
}

/// A stretch of text in one of the sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Index of the source in the order given to [`crate::compile`].
    pub source: usize,
    /// First byte.
    pub offset: usize,
    /// Length in bytes; zero for a point between two characters.
    pub length: usize,
}

impl Place {
    pub(crate) fn end(self) -> usize {
        self.offset.saturating_add(self.length)
    }

    /// The point just before this place.
    pub(crate) fn before(self) -> Place {
        Place { length: 0, ..self }
    }

    /// The point just after this place.
    pub(crate) fn behind(self) -> Place {
        Place { source: self.source, offset: self.end(), length: 0 }
    }

    /// From the start of this place to the end of `last`.
    pub(crate) fn to(self, last: Place) -> Place {
        Place { length: last.end().saturating_sub(self.offset), ..self }
    }

    pub(crate) fn span(self) -> SourceSpan {
        (self.offset, self.length).into()
    }
}
