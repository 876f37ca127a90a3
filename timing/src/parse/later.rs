//! Forms of the language that Beryl doesn't compile yet: read, and refused with what to write instead.

use super::cursor::{Cursor, Parsed};
use crate::diagnostic::{Problem, code};
use crate::place::Place;
use crate::token::Token;

impl Cursor<'_> {
    fn not_yet(&mut self, place: Place, what: &str, help: &str) {
        self.reporter.report(Problem {
            code: code::NOT_YET,
            place,
            message: format!("{what} are not supported yet"),
            label: "understood, but not compiled".to_owned(),
            help: help.to_owned(),
        });
    }

    /// `asynchronous { ... }`
    pub(super) fn asynchronous(&mut self) -> Parsed<()> {
        self.sample = "`asynchronous { task [trigger = uart, priority = 2] log(command.value); }`";
        let place = self.take().place;
        self.skip_block()?;
        self.not_yet(
            place,
            "asynchronous activities",
            "invoke the task in the start mode, at least as often as its trigger can come",
        );
        Ok(())
    }

    /// Giotto's modes have parameters or a bare period: `mode m() period 20 { ... }`
    pub(super) fn at_giotto_mode(&self) -> bool {
        let second_word_behind_name = self.peek_at(1) == Token::Name && self.peek_at(2) == Token::Name;
        second_word_behind_name || self.peek_at(2) == Token::OpenParenthesis
    }

    pub(super) fn giotto_mode(&mut self) -> Parsed<()> {
        self.sample = "`mode name() period 20 { ... }`";
        let start = self.take().place;
        while !matches!(
            self.peek(),
            Token::OpenBrace | Token::CloseBrace | Token::Semicolon | Token::Module | Token::End
        ) {
            self.take();
        }
        let place = start.to(self.last());
        self.skip_block()?;
        self.not_yet(
            place,
            "modes in Giotto's form",
            "write `start mode name [period = 20ms] { task [freq = 2] t(input); actuator [freq = 1] a := t.output; }`",
        );
        Ok(())
    }
}
