//! Blanks between the words of a line.

use super::Piece;
use crate::parse::CONDITIONS;
use crate::token::Token;

/// Whether a `{` opens a list of values rather than a block.
pub(super) fn opens_list(before: Option<Token>, in_list: bool) -> bool {
    in_list || matches!(before, Some(Token::Becomes | Token::Equals | Token::OpenParenthesis | Token::Comma))
}

/// Whether there is a blank between two neighbouring words; `in_list` tells whether a `{` or `}` belongs to a
/// list.
pub(super) fn blank(pieces: &[Piece<'_>], index: usize, in_list: bool) -> bool {
    let token = |index: usize| pieces.get(index).map_or(Token::End, |piece| piece.token);
    let Some(before) = index.checked_sub(1).map(token) else { return false };
    match (before, token(index)) {
        (_, Token::Semicolon | Token::Comma | Token::CloseParenthesis | Token::CloseBracket) => false,
        (Token::OpenParenthesis | Token::OpenBracket, _) => false,
        (_, Token::Dot | Token::Bar) | (Token::Dot | Token::Bar, _) => false,
        (Token::OpenBrace, _) | (_, Token::CloseBrace) if in_list => false,
        (Token::Name, Token::OpenParenthesis) => joins(pieces, index.saturating_sub(1)),
        // An attribute, or else the length of an array.
        (Token::Name, Token::OpenBracket) => token(index + 2) == Token::Equals,
        (_, Token::Minus) => !is_range(pieces, index),
        (Token::Minus, _) => {
            let minus = index.saturating_sub(1);
            is_operator(pieces, minus) && !is_range(pieces, minus)
        }
        _ => true,
    }
}

/// Whether a name joins conditions: a `not`, `and` or `or` that isn't a native guard's name. One that is behind a value,
/// or before a condition in parentheses.
fn joins(pieces: &[Piece<'_>], name: usize) -> bool {
    let behind_value = name.checked_sub(1).and_then(|before| pieces.get(before)).is_some_and(|before| {
        let ends = matches!(
            before.token,
            Token::Name
                | Token::Number
                | Token::True
                | Token::False
                | Token::Character
                | Token::CloseParenthesis
        );
        ends && !CONDITIONS.contains(&before.text)
    });
    match pieces.get(name).map(|piece| piece.text) {
        Some("and" | "or") => behind_value,
        Some("not") => !holds_arguments(pieces, name + 1),
        _ => false,
    }
}

/// Whether parentheses hold plain values, as the parser asks it for `not`.
fn holds_arguments(pieces: &[Piece<'_>], open: usize) -> bool {
    for piece in pieces.iter().skip(open + 1) {
        match piece.token {
            Token::CloseParenthesis => return true,
            Token::OpenParenthesis
            | Token::Below
            | Token::AtMost
            | Token::Above
            | Token::AtLeast
            | Token::Same
            | Token::Other => return false,
            Token::Name if CONDITIONS.contains(&piece.text) => return false,
            _ => {}
        }
    }
    true
}

/// Whether a `-` stands between two values, and isn't a sign.
fn is_operator(pieces: &[Piece<'_>], minus: usize) -> bool {
    let before = minus.checked_sub(1).and_then(|before| pieces.get(before)).map(|piece| piece.token);
    matches!(before, Some(Token::Number | Token::Name | Token::CloseParenthesis))
}

/// Whether it stands between the first and the last of neighbouring slots.
fn is_range(pieces: &[Piece<'_>], minus: usize) -> bool {
    let at = |back: usize| minus.checked_sub(back).and_then(|index| pieces.get(index));
    let slots = || at(3).is_some_and(|attribute| attribute.text == "slots");
    let begins = match at(2).map(|piece| piece.token) {
        Some(Token::Bar) => true,
        Some(Token::Equals) => slots(),
        _ => false,
    };
    begins && is_operator(pieces, minus)
}
