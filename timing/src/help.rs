//! How to fix a mistake: in words, and as edits.

use std::fmt;

/// How to fix a mistake. A proposal is an edit that helps; words without one are advice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Help<Place> {
    words: String,
    proposals: Vec<Edit<Place>>,
}

/// Replaces the text at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit<Place> {
    /// The place; one without length lies between two characters.
    pub place: Place,
    /// The new text.
    pub text: String,
}

impl<Place> Help<Place> {
    /// Proposes another name at a place.
    pub fn meant(place: Place, name: &str) -> Help<Place> {
        Help::from(format!("did you mean `{name}`?")).or(place, name)
    }

    /// Proposes a text at a place.
    pub fn write(place: Place, text: &str) -> Help<Place> {
        Help::from(format!("write `{text}`")).or(place, text)
    }

    /// Adds another proposal: a text at a place.
    #[must_use]
    pub fn or(mut self, place: Place, text: impl Into<String>) -> Help<Place> {
        self.proposals.push(Edit { place, text: text.into() });
        self
    }

    /// Replaces the words.
    #[must_use]
    pub fn said(self, words: impl FnOnce(&str) -> String) -> Help<Place> {
        Help { words: words(&self.words), ..self }
    }

    /// The possible edits; any one of them helps.
    pub fn proposals(&self) -> &[Edit<Place>] {
        &self.proposals
    }
}

impl<Place, Words: Into<String>> From<Words> for Help<Place> {
    fn from(words: Words) -> Help<Place> {
        Help { words: words.into(), proposals: Vec::new() }
    }
}

impl<Place> fmt::Display for Help<Place> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.words)
    }
}
