//! Formatting: one layout for every timing program, with all comments kept. Formatting the output again
//! doesn't change it.
//!
//! Each statement gets a line. A block is indented by two columns, and stays on one line if it was on one and
//! fits. Line breaks after commas within a statement are kept, and blank lines reduced to one. Within a
//! block, the words that begin ports and activities are padded to the same width, and the trailing comments
//! of neighbouring lines are aligned.

mod gap;
mod layout;
mod line;
mod spacing;

use crate::diagnostic::{Diagnostics, Reporter};
use crate::place::Source;
use crate::token::{Token, lexemes};
use gap::Gap;
use layout::Layout;

/// A word with the gap before it.
struct Piece<'a> {
    token: Token,
    text: &'a str,
    before: Gap<'a>,
}

/// Words of a statement on one line.
pub(crate) fn on_a_line<'a>(words: impl Iterator<Item = (Token, &'a str)>) -> String {
    let pieces: Vec<_> = words.map(|(token, text)| Piece { token, text, before: Gap::default() }).collect();
    let mut line = String::new();
    for (index, piece) in pieces.iter().enumerate() {
        if spacing::blank(&pieces, index, true) {
            line.push(' ');
        }
        line += piece.text;
    }
    line
}

/// The same program in its one layout.
///
/// # Errors
///
/// At least one diagnostic if the text isn't in the language; rules beyond its syntax may be broken.
pub fn format(source: &Source) -> Result<String, Diagnostics> {
    let mut reporter = Reporter::new(std::slice::from_ref(source));
    let words = lexemes(0, &source.text, &mut reporter);
    if reporter.clean().is_some() {
        crate::parse::parse(&source.text, &words, &mut reporter);
    }
    reporter.finish()?;

    let mut pieces = Vec::new();
    let mut end = 0;
    for word in words {
        let start = word.place.offset;
        // The last, empty word comes right after the previous one, and the text that follows belongs to the
        // gap before it.
        let until = if word.token == Token::End { source.text.len() } else { start };
        let before = Gap::of(source.text.get(end..until).unwrap_or(""));
        let text = source.text.get(start..word.place.end()).unwrap_or("");
        pieces.push(Piece { token: word.token, text, before });
        end = word.place.end();
    }
    Ok(Layout::new(&pieces).finish())
}
