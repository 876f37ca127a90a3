//! Lays out words as lines.

use super::Piece;
use super::gap::Comment;
use super::line::{self, Line, WIDTH};
use super::spacing::{blank, opens_list};
use crate::token::Token;

pub(super) struct Layout<'p, 'a> {
    pieces: &'p [Piece<'a>],
    lines: Vec<Line>,
    current: Line,
    /// The first words of the open blocks: `module`, `task` and so on, each with the number of its block.
    blocks: Vec<(Token, usize)>,
    numbers: usize,
    /// The first word of the statement, without `start` and `public`; `None` at its beginning.
    statement: Option<Token>,
    /// The open parentheses, brackets and lists.
    nested: Vec<Token>,
    /// Whether the statement began on an earlier line.
    goes_on: bool,
}

impl<'p, 'a> Layout<'p, 'a> {
    pub(super) fn new(pieces: &'p [Piece<'a>]) -> Self {
        Layout {
            pieces,
            lines: Vec::new(),
            current: Line::default(),
            blocks: Vec::new(),
            numbers: 0,
            statement: None,
            nested: Vec::new(),
            goes_on: false,
        }
    }

    pub(super) fn finish(mut self) -> String {
        let mut index = 0;
        while let Some(piece) = self.pieces.get(index) {
            self.gap(piece);
            index = self.word(index, piece);
        }
        line::text(self.lines)
    }

    /// Lays out the comments before a word, and a blank line.
    fn gap(&mut self, piece: &Piece<'_>) {
        for comment in &piece.before.comments {
            self.leave_blank(comment.breaks);
            self.comment(*comment);
        }
        if !matches!(piece.token, Token::CloseBrace | Token::End) {
            self.leave_blank(piece.before.breaks);
        }
    }

    /// Keeps a blank line, but not at the beginning of the text or of a block.
    fn leave_blank(&mut self, breaks: usize) {
        let begins = self.lines.last().is_none_or(|line| line.text.ends_with('{'));
        if breaks > 1 && self.current.text.is_empty() && !begins {
            self.current.blank = true;
        }
    }

    fn comment(&mut self, comment: Comment<'_>) {
        let text = trimmed(comment.text);
        if !self.current.text.is_empty() {
            if comment.ends_line() {
                self.current.comment = Some(text);
                self.break_line();
            } else {
                self.current.text += " ";
                self.current.text += &text;
            }
            return;
        }
        match self.lines.last_mut() {
            Some(last)
                if comment.breaks == 0
                    && last.comment.is_none()
                    && (comment.behind > 0 || comment.ends_line()) =>
            {
                last.comment = Some(text);
            }
            _ if comment.ends_line() || comment.behind > 0 || comment.breaks > 0 && text.contains('\n') => {
                self.current.text = text;
                self.push();
            }
            _ => self.current.text = text,
        }
    }

    /// Lays out a word, or a block on one line; returns the next word's index.
    fn word(&mut self, index: usize, piece: &Piece<'_>) -> usize {
        let before = index.checked_sub(1).and_then(|before| self.pieces.get(before)).map(|piece| piece.token);
        let in_list = self.nested.last() == Some(&Token::OpenBrace);
        match piece.token {
            Token::End => self.flush(),
            Token::OpenBrace if !opens_list(before, in_list) => return self.open_block(index),
            Token::CloseBrace if !in_list => self.close_block(),
            Token::Semicolon if self.nested.is_empty() => {
                self.append(index);
                self.end_statement();
            }
            token => {
                self.begin_statement(token, piece);
                self.append(index);
                match token {
                    Token::OpenParenthesis | Token::OpenBracket | Token::OpenBrace => self.nested.push(token),
                    Token::CloseParenthesis | Token::CloseBracket | Token::CloseBrace => {
                        self.nested.pop();
                    }
                    Token::Comma if self.has_break_behind(index) => self.break_line(),
                    _ => {}
                }
            }
        }
        index + 1
    }

    fn has_break_behind(&self, index: usize) -> bool {
        self.pieces.get(index + 1).is_some_and(|next| {
            // A comment that ends its line breaks it anyway.
            next.before.comments.is_empty() && next.before.breaks > 0
        })
    }

    fn begin_statement(&mut self, token: Token, piece: &Piece<'_>) {
        if self.statement.is_some() {
            return;
        }
        if !matches!(token, Token::Start | Token::Public) {
            self.statement = Some(token);
        }
        let aligned = match self.blocks.last() {
            Some((Token::Task, _)) => matches!(token, Token::Input | Token::State | Token::Output),
            Some((Token::Mode, _)) => matches!(token, Token::Task | Token::Actuator | Token::Mode),
            _ => false,
        };
        if let (true, Some((_, number)), true) = (aligned, self.blocks.last(), self.current.text.is_empty()) {
            self.current.word = Some((*number, piece.text.len()));
        }
    }

    /// Appends a word to the line, or starts the next line if there is no room and a comma precedes.
    fn append(&mut self, index: usize) {
        let Some(piece) = self.pieces.get(index) else { return };
        let space = self.blank_before(index);
        if self.current.text.ends_with(',') && self.current_width() + piece.text.len() + 2 > WIDTH {
            self.break_line();
        }
        if space && !self.current.text.is_empty() {
            self.current.text.push(' ');
        }
        self.current.text += piece.text;
    }

    fn blank_before(&self, index: usize) -> bool {
        let in_list = self.nested.last() == Some(&Token::OpenBrace);
        let behind_comment = self.current.text.ends_with("*/");
        behind_comment || blank(self.pieces, index, in_list)
    }

    fn current_width(&self) -> usize {
        self.depth() * 2 + self.current.text.chars().count()
    }

    fn depth(&self) -> usize {
        self.blocks.len() + if self.goes_on { 2 } else { 0 }
    }

    /// A block: kept on one line, or opened.
    fn open_block(&mut self, index: usize) -> usize {
        let kind = self.statement.unwrap_or(Token::Module);
        if let Some((text, close)) = self.block_on_one_line(index) {
            self.current.text += " ";
            self.current.text += &text;
            self.end_statement();
            return close + 1;
        }
        self.current.text += " {";
        self.end_statement();
        self.numbers += 1;
        self.blocks.push((kind, self.numbers));
        index + 1
    }

    /// The text of a block that was on one line, has no comments and fits into the rest of the current line,
    /// with the index of its end.
    fn block_on_one_line(&self, open: usize) -> Option<(String, usize)> {
        let room = WIDTH.saturating_sub(self.current_width() + 1);
        let mut text = "{".to_owned();
        let mut nested = Vec::new();
        for index in open + 1..self.pieces.len() {
            let piece = self.pieces.get(index)?;
            let before = self.pieces.get(index - 1).map(|before| before.token);
            let in_list = nested.last() == Some(&true);
            // An empty block always stays on one line.
            let is_empty = index == open + 1 && piece.token == Token::CloseBrace;
            let has_break = piece.before.breaks > 0 && !is_empty;
            if has_break || !piece.before.comments.is_empty() || text.len() >= room {
                return None;
            }
            if blank(self.pieces, index, in_list) {
                text.push(' ');
            }
            text += piece.text;
            match piece.token {
                Token::End => return None,
                Token::OpenBrace => nested.push(opens_list(before, in_list)),
                Token::CloseBrace if nested.pop().is_none() => {
                    return (text.len() <= room).then_some((text, index));
                }
                _ => {}
            }
        }
        None
    }

    fn close_block(&mut self) {
        self.flush();
        self.blocks.pop();
        self.current.blank = false;
        self.current.text = "}".to_owned();
        self.end_statement();
    }

    fn end_statement(&mut self) {
        self.push();
        self.statement = None;
        self.goes_on = false;
        self.nested.clear();
    }

    /// Continues the statement on the next line.
    fn break_line(&mut self) {
        self.push();
        self.goes_on = true;
    }

    fn flush(&mut self) {
        if !self.current.text.is_empty() {
            self.push();
        }
    }

    fn push(&mut self) {
        let depth = self.depth();
        let mut line = std::mem::take(&mut self.current);
        line.depth = depth;
        self.lines.push(line);
    }
}

/// A comment without blanks at its line ends.
fn trimmed(comment: &str) -> String {
    let lines: Vec<_> = comment.lines().map(str::trim_end).collect();
    lines.join("\n")
}
