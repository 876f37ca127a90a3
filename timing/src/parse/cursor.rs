//! The parser's position in the words, the expected words, and recovery after a mistake.

use crate::diagnostic::{Problem, Reporter, code};
use crate::help::Help;
use crate::model::Basic;
use crate::place::Place;
use crate::syntax::Name;
use crate::token::{Lexeme, Token};

/// The text isn't in the language; this has been reported.
#[derive(Debug)]
pub(super) struct Refused;

pub(super) type Parsed<T> = Result<T, Refused>;

pub(super) struct Cursor<'a> {
    text: &'a str,
    lexemes: &'a [Lexeme],
    next: usize,
    /// The number of open braces before `next`.
    depth: usize,
    /// A sample of the statement being read, for the diagnostics of its mistakes.
    pub(super) sample: &'static str,
    pub(super) reporter: &'a mut Reporter,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str, lexemes: &'a [Lexeme], reporter: &'a mut Reporter) -> Self {
        Cursor { text, lexemes, next: 0, depth: 0, sample: "", reporter }
    }

    pub(super) fn peek(&self) -> Token {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&self, ahead: usize) -> Token {
        self.lexemes.get(self.next + ahead).map_or(Token::End, |lexeme| lexeme.token)
    }

    /// The number of words read.
    pub(super) fn position(&self) -> usize {
        self.next
    }

    pub(super) fn text_at(&self, ahead: usize) -> &'a str {
        self.lexemes.get(self.next + ahead).map_or("", |lexeme| self.text(lexeme.place))
    }

    /// The words that were read since then, laid out as on a line.
    pub(super) fn words_since(&self, position: usize) -> String {
        let words = self.lexemes.get(position..self.next).unwrap_or(&[]);
        crate::format::on_a_line(words.iter().map(|word| (word.token, self.text(word.place))))
    }

    /// The next word's place.
    pub(super) fn here(&self) -> Place {
        self.lexeme().place
    }

    /// The place of the word just read.
    pub(super) fn last(&self) -> Place {
        let last = self.next.checked_sub(1).and_then(|last| self.lexemes.get(last));
        last.map_or(self.here(), |lexeme| lexeme.place)
    }

    pub(super) fn text(&self, place: Place) -> &'a str {
        self.text.get(place.offset..place.end()).unwrap_or("")
    }

    fn lexeme(&self) -> Lexeme {
        let nowhere = Lexeme { token: Token::End, place: Place { source: 0, offset: 0, length: 0 } };
        self.lexemes.get(self.next).or(self.lexemes.last()).copied().unwrap_or(nowhere)
    }

    /// Takes the next word; at the end of the text, the position stays.
    pub(super) fn take(&mut self) -> Lexeme {
        let lexeme = self.lexeme();
        match lexeme.token {
            Token::End => return lexeme,
            Token::OpenBrace => self.depth += 1,
            Token::CloseBrace => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.next += 1;
        self.reporter.count(1);
        lexeme
    }

    pub(super) fn accept(&mut self, token: Token) -> Option<Lexeme> {
        (self.peek() == token).then(|| self.take())
    }

    /// Reads `token`, which messages call `spelling`.
    pub(super) fn expect(&mut self, token: Token, spelling: &str) -> Parsed<Lexeme> {
        match self.accept(token) {
            Some(lexeme) => Ok(lexeme),
            None => self.unexpected(spelling),
        }
    }

    /// The end of a statement. A missing one is reported after the last word, where it belongs.
    pub(super) fn semicolon(&mut self) -> Parsed<()> {
        if self.accept(Token::Semicolon).is_some() {
            return Ok(());
        }
        let problem = Problem {
            code: code::SYNTAX,
            place: self.last().behind(),
            message: format!("expected `;`, found {}", self.found()),
            label: "the statement should end here".to_owned(),
            help: format!("the form is: {}", self.sample).into(),
        };
        self.refuse(problem)
    }

    /// Reads a name that messages call `what`.
    pub(super) fn name(&mut self, what: &str) -> Parsed<Name> {
        let place = self.here();
        let text = self.text(place);
        let is_word = text.starts_with(|first: char| first.is_ascii_alphabetic());
        if self.peek() == Token::Name && Basic::named(text).is_none() {
            self.take();
            return Ok(Name { text: text.to_owned(), place });
        }
        if !is_word {
            return self.unexpected(what);
        }
        self.reporter.report(Problem {
            code: code::RESERVED_WORD,
            place,
            message: format!("expected {what}, found `{text}`, which is a word of the language"),
            label: "not a name".to_owned(),
            help: Help::from(format!(
                "choose another name such as `{text}_value`, or complete the statement: {}",
                self.sample
            ))
            .or(place, format!("{text}_value")),
        });
        if matches!(self.peek_at(1), Token::Name | Token::Task | Token::Mode) {
            return Err(Refused); // the name is missing, and the word begins the next statement
        }
        self.take();
        Ok(Name { text: text.to_owned(), place })
    }

    /// Whether the next word is a name with this text. Attribute names are such words; they aren't reserved.
    pub(super) fn at_word(&self, word: &str) -> bool {
        self.peek() == Token::Name && self.text(self.here()) == word
    }

    pub(super) fn unexpected<T>(&mut self, expected: &str) -> Parsed<T> {
        let problem = Problem {
            code: code::SYNTAX,
            place: self.here(),
            message: format!("expected {expected}, found {}", self.found()),
            label: format!("{expected} should stand here"),
            help: format!("the form is: {}", self.sample).into(),
        };
        self.refuse(problem)
    }

    fn found(&self) -> String {
        match self.peek() {
            Token::End => "the end of the file".to_owned(),
            _ => format!("`{}`", self.text(self.here())),
        }
    }

    pub(super) fn refuse<T>(&mut self, problem: Problem) -> Parsed<T> {
        self.reporter.report(problem);
        Err(Refused)
    }

    /// Reads statements up to the brace that closes `open`. After a bad statement it continues with the next
    /// one, which begins after a semicolon or with one of `starts`. A word of `outside` can only come after
    /// the block.
    pub(super) fn block(
        &mut self,
        open: Lexeme,
        starts: &[Token],
        outside: &[Token],
        mut statement: impl FnMut(&mut Self) -> Parsed<()>,
    ) -> Parsed<()> {
        loop {
            let (before, depth) = (self.next, self.depth);
            if self.reporter.is_full() {
                self.next = self.lexemes.len().saturating_sub(1);
                return Err(Refused);
            }
            match self.peek() {
                Token::CloseBrace => {
                    self.take();
                    return Ok(());
                }
                token if token == Token::End || outside.contains(&token) || self.at_mode() => {
                    return self.unclosed(open);
                }
                _ => {
                    if statement(self).is_err() {
                        self.recover(starts, depth);
                    }
                }
            }
            if self.next == before {
                self.take();
            }
        }
    }

    /// Whether a mode is declared inside something other than a module, so that a brace must be missing.
    fn at_mode(&self) -> bool {
        let declared = [Token::Mode, Token::Name, Token::OpenBracket];
        let attribute = self.lexemes.get(self.next + declared.len()).map(|lexeme| self.text(lexeme.place));
        let is_declared = declared.iter().enumerate().all(|(ahead, token)| self.peek_at(ahead) == *token);
        self.depth > 1 && is_declared && attribute == Some("period")
    }

    fn unclosed(&mut self, open: Lexeme) -> Parsed<()> {
        let problem = Problem {
            code: code::UNCLOSED,
            place: open.place,
            message: format!("this `{{` is still open where {} is found", self.found()),
            label: "opened here".to_owned(),
            help: Help::from("add the missing `}`").or(self.here().before(), "} "),
        };
        self.reporter.report_with(problem, self.here(), "should be closed before this");
        self.depth = self.depth.saturating_sub(1);
        Err(Refused)
    }

    /// Skips the rest of a bad statement that began with `depth` braces open.
    fn recover(&mut self, starts: &[Token], depth: usize) {
        loop {
            match self.peek() {
                Token::End | Token::Module => return,
                Token::CloseBrace if self.depth <= depth => return,
                Token::CloseBrace if self.depth == depth + 1 => {
                    self.take();
                    self.accept(Token::Semicolon);
                    return;
                }
                Token::Semicolon if self.depth <= depth => {
                    self.take();
                    return;
                }
                token if self.depth <= depth && starts.contains(&token) => return,
                _ => self.take(),
            };
        }
    }

    pub(super) fn skip_to_module(&mut self) {
        while !matches!(self.peek(), Token::End | Token::Module) {
            self.take();
        }
        self.depth = 0;
    }
}
