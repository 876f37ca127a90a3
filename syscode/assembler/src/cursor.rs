//! Reading a line's tokens one after the other.

use crate::diagnostic::{Diagnostic, Spot};
use crate::token::{Kind, Token};

/// A place in a line.
pub(crate) struct Cursor<'a> {
    tokens: &'a [Token],
    end: Spot,
}

impl<'a> Cursor<'a> {
    /// At the beginning of the tokens of a line of so many characters.
    pub fn new(tokens: &'a [Token], line: usize, length: usize) -> Cursor<'a> {
        Cursor { tokens, end: Spot { line, column: length + 1 } }
    }

    /// Where the next token stands, or the line ends.
    pub fn spot(&self) -> Spot {
        self.tokens.first().map_or(self.end, |token| token.spot)
    }

    pub fn peek(&self) -> Option<&'a Kind> {
        self.tokens.first().map(|token| &token.kind)
    }

    pub fn peek_second(&self) -> Option<&'a Kind> {
        self.tokens.get(1).map(|token| &token.kind)
    }

    pub fn next(&mut self) -> Option<&'a Kind> {
        let (first, rest) = self.tokens.split_first()?;
        self.tokens = rest;
        Some(&first.kind)
    }

    pub fn is_at_end(&self) -> bool {
        self.tokens.is_empty()
    }

    /// Steps over a sign if it is the next token.
    pub fn skip(&mut self, sign: &str) -> bool {
        let is_next = matches!(self.peek(), Some(Kind::Sign(found)) if *found == sign);
        if is_next {
            self.next();
        }
        is_next
    }

    pub fn expect(&mut self, sign: &str) -> Result<(), Diagnostic> {
        let spot = self.spot();
        match self.skip(sign) {
            true => Ok(()),
            false => Err(spot.wrong(format!("`{sign}` is missing"), format!("put `{sign}` here"))),
        }
    }

    /// A name, in quotation marks or without; `what` says what it should be the name of.
    pub fn name(&mut self, what: &str) -> Result<&'a str, Diagnostic> {
        let spot = self.spot();
        match self.next() {
            Some(Kind::Word(name) | Kind::Quoted(name)) => Ok(name),
            _ => Err(spot.wrong(format!("the name of a {what} is missing"), format!("name a {what} here"))),
        }
    }

    /// A whole number without a unit, in a range.
    pub fn number<T: TryFrom<i64>>(&mut self, what: &str, range: &str) -> Result<T, Diagnostic> {
        let spot = self.spot();
        match self.next() {
            Some(Kind::Number(value, None)) => T::try_from(*value).map_err(|_| {
                spot.wrong(format!("{value} is out of range for a {what}"), format!("write {range}"))
            }),
            _ => Err(spot.wrong(format!("a {what} is missing"), format!("write {range}"))),
        }
    }

    /// Nothing more on this line.
    pub fn finish(&self) -> Result<(), Diagnostic> {
        match self.is_at_end() {
            true => Ok(()),
            false => {
                let proposal = "take it away, or put it on a line of its own";
                Err(self.spot().wrong("the line should end here", proposal))
            }
        }
    }
}
