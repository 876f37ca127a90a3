//! What to do about a mistake: in words, and as edits that can be typed.

use std::fmt;

/// What to do about a mistake. A proposal is something to type, and it helps; words without one are advice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Help<Place> {
    words: String,
    proposals: Vec<Edit<Place>>,
}

/// What stands at a place gives way to a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit<Place> {
    /// Where; a place without length lies between two characters.
    pub place: Place,
    /// What to write there.
    pub text: String,
}

impl<Place> Help<Place> {
    /// A name that was meant instead of the one at a place.
    pub fn meant(place: Place, name: &str) -> Help<Place> {
        Help::from(format!("did you mean `{name}`?")).or(place, name)
    }

    /// What to write at a place.
    pub fn write(place: Place, text: &str) -> Help<Place> {
        Help::from(format!("write `{text}`")).or(place, text)
    }

    /// With one more proposal: what to write at a place.
    #[must_use]
    pub fn or(mut self, place: Place, text: impl Into<String>) -> Help<Place> {
        self.proposals.push(Edit { place, text: text.into() });
        self
    }

    /// With other words about the same.
    #[must_use]
    pub fn said(self, words: impl FnOnce(&str) -> String) -> Help<Place> {
        Help { words: words(&self.words), ..self }
    }

    /// What can be typed: each proposal is one edit, and any of them helps.
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
