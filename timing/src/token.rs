//! The words of the language, and splitting a text into them.

use crate::diagnostic::{Problem, Reporter, code};
use crate::help::Help;
use crate::place::Place;
use logos::{Lexer, Logos};

/// Names end up in tables and traces; no type could hold a longer number.
pub(crate) const LONGEST_WORD: usize = 64;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Unreadable {
    #[default]
    Character,
    OpenComment,
}

#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(error = Unreadable)]
#[logos(skip(r"[ \t\r\n\x0C\u{feff}]+"))]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
pub(crate) enum Token {
    #[token("/*", comment)]
    Comment,
    #[token("module")]
    Module,
    #[token("import")]
    Import,
    #[token("const")]
    Const,
    #[token("sensor")]
    Sensor,
    #[token("actuator")]
    Actuator,
    #[token("uses")]
    Uses,
    #[token("public")]
    Public,
    #[token("task")]
    Task,
    #[token("input")]
    Input,
    #[token("state")]
    State,
    #[token("output")]
    Output,
    #[token("start")]
    Start,
    #[token("mode")]
    Mode,
    #[token("if")]
    If,
    #[token("then")]
    Then,
    #[token("struct")]
    Struct,
    #[token("asynchronous")]
    Asynchronous,
    #[token("true")]
    True,
    #[token("false")]
    False,
    #[regex("[A-Za-z_][A-Za-z0-9_]*")]
    Name,
    #[regex(r"[0-9][0-9_]*(\.[0-9][0-9_]*)?([eE][+-]?[0-9]+)?[A-Za-z0-9_]*")]
    Number,
    #[regex("'[ -&(-~]'")]
    Character,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("(")]
    OpenParenthesis,
    #[token(")")]
    CloseParenthesis,
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token(".")]
    Dot,
    #[token(":=")]
    Becomes,
    #[token("=")]
    Equals,
    #[token("-")]
    Minus,
    #[token("+")]
    Plus,
    #[token("*")]
    Times,
    #[token("/")]
    Over,
    #[token("|")]
    Bar,
    #[token("<")]
    Below,
    #[token("<=")]
    AtMost,
    #[token(">")]
    Above,
    #[token(">=")]
    AtLeast,
    #[token("==")]
    Same,
    #[token("!=")]
    Other,
    End,
}

/// A word and its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lexeme {
    pub(crate) token: Token,
    pub(crate) place: Place,
}

fn comment(lexer: &mut Lexer<'_, Token>) -> Result<(), Unreadable> {
    match lexer.remainder().find("*/") {
        Some(length) => {
            lexer.bump(length + 2);
            Ok(())
        }
        None => {
            lexer.bump(lexer.remainder().len());
            Err(Unreadable::OpenComment)
        }
    }
}

/// All words of a text, with [`Token::End`] after the last.
pub(crate) fn lexemes(source: usize, text: &str, reporter: &mut Reporter) -> Vec<Lexeme> {
    let mut lexemes = Vec::new();
    let mut unreadable: Option<Place> = None;
    for (token, span) in Token::lexer(text).spanned() {
        let place = Place { source, offset: span.start, length: span.len() };
        match token {
            Ok(Token::Comment) => {}
            Ok(token) => lexemes.push(Lexeme { token, place }),
            Err(Unreadable::OpenComment) => open_comment(Place { length: 2, ..place }, reporter),
            Err(Unreadable::Character) => unreadable = Some(grow(unreadable, place, text, reporter)),
        }
        if matches!(token, Ok(Token::Name | Token::Number)) && place.length > LONGEST_WORD {
            too_long(place, reporter);
        }
    }
    if let Some(place) = unreadable {
        strange(place, text, reporter);
    }
    let last = lexemes.last().map_or(Place { source, offset: 0, length: 0 }, |last| last.place.behind());
    lexemes.push(Lexeme { token: Token::End, place: last });
    lexemes
}

/// Neighbouring unreadable characters are one mistake: the stretch grows until there is a gap.
fn grow(stretch: Option<Place>, next: Place, text: &str, reporter: &mut Reporter) -> Place {
    match stretch {
        Some(stretch) if stretch.end() == next.offset => stretch.to(next),
        Some(stretch) => {
            strange(stretch, text, reporter);
            next
        }
        None => next,
    }
}

fn strange(place: Place, text: &str, reporter: &mut Reporter) {
    let found: String = text.get(place.offset..place.end()).unwrap_or("").chars().take(16).collect();
    let shown =
        if found.contains(char::is_control) { found.escape_debug().to_string() } else { found.clone() };
    let help = match found.chars().next() {
        Some('"') => "names and numbers stand without quotes; the language has no texts",
        Some('\'') => {
            "a character is one printable ASCII character between single quotes, for example 'A'; write others as their number"
        }
        Some(':') => "initial values and actuator updates are written with `:=`, attributes with `=`",
        Some('&' | '!') => "conditions are joined by `and`, `or` and `not`",
        Some('%' | '^') => {
            "constants are reckoned with `+`, `-`, `*` and `/`; do all else in a native function"
        }
        _ => "remove it; names consist of ASCII letters, digits and `_`",
    };
    let help = match help.starts_with("remove it") {
        true => Help::from(help).or(place, ""),
        false => help.into(),
    };
    reporter.report(Problem {
        code: code::UNREADABLE,
        place,
        message: format!("`{shown}` has no meaning in a timing program"),
        label: "not a word of the language".to_owned(),
        help,
    });
}

fn open_comment(place: Place, reporter: &mut Reporter) {
    reporter.report(Problem {
        code: code::OPEN_COMMENT,
        place,
        message: "this comment has no end, so the rest of the file is part of it".to_owned(),
        label: "the comment begins here".to_owned(),
        help: Help::from("close it with `*/`, or use `//` for a comment to the end of the line")
            .or(Place { length: 2, ..place }, "//"),
    });
}

fn too_long(place: Place, reporter: &mut Reporter) {
    reporter.report(Problem {
        code: code::TOO_LONG,
        place,
        message: format!(
            "this word has {} characters; names and numbers have at most {LONGEST_WORD}",
            place.length
        ),
        label: "too long".to_owned(),
        help: "choose a shorter name, or write the number with fewer digits".into(),
    });
}
