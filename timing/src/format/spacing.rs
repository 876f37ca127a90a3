//! Blanks between the words of a line.

use super::Piece;
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
        (Token::Name, Token::OpenParenthesis) => false,
        // An attribute, or else the length of an array.
        (Token::Name, Token::OpenBracket) => token(index + 2) == Token::Equals,
        // A range of slots, or else a sign.
        (Token::Number | Token::Name, Token::Minus) => {
            !matches!(index.checked_sub(2).map(token), Some(Token::Equals | Token::Bar))
        }
        (Token::Minus, _) => false,
        _ => true,
    }
}
