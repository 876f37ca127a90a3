//! Forms of the language that Beryl doesn't compile yet: read, and refused with what to write instead.

use super::cursor::{Cursor, Parsed, Refused};
use crate::diagnostic::{Problem, code};
use crate::place::Place;
use crate::syntax::Mode;
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

    /// `if condition(arguments) then`, if there. The activity behind it is read as usual.
    pub(super) fn guard(&mut self) -> Parsed<()> {
        let Some(start) = self.accept(Token::If) else { return Ok(()) };
        self.sample = "`if airborne(gps) then survey(gps);`";
        self.condition()?;
        self.expect(Token::Then, "`then`")?;
        let place = start.place.to(self.last());
        self.not_yet(
            place,
            "guards",
            "leave the guard out; give the task what the guard reads as an input, and let its function decide",
        );
        Ok(())
    }

    fn condition(&mut self) -> Parsed<()> {
        self.name("the name of a guard")?;
        self.arguments(Self::expression)?;
        Ok(())
    }

    /// `mode [freq = 1] if condition(arguments) then target;`
    pub(super) fn mode_switch(&mut self) -> Parsed<()> {
        self.sample = "`mode [freq = 1] if landed(gps) then ground;`";
        let start = self.take().place;
        self.attribute("freq")?;
        if self.accept(Token::If).is_some() {
            self.condition()?;
            self.expect(Token::Then, "`then`")?;
        }
        self.name("the name of a mode")?;
        let place = start.to(self.last());
        self.semicolon()?;
        self.not_yet(
            place,
            "mode switches",
            "stay in one mode; keep what the switch would decide in a state port, and let the tasks act on it",
        );
        Ok(())
    }

    /// A module has one mode for now, the start mode.
    pub(super) fn refuse_further_modes(&mut self, modes: &[Mode]) {
        let start = modes.iter().any(|mode| mode.start);
        for mode in modes.iter().filter(|mode| start && !mode.start) {
            self.not_yet(
                mode.name.place,
                "further modes",
                "move the activities to the start mode, with frequencies relative to its period",
            );
        }
    }

    /// `struct Name { ... }`
    pub(super) fn structure(&mut self) -> Parsed<()> {
        self.sample = "`struct Position { float x; float y; }`";
        let start = self.take().place;
        self.name("the struct's name")?;
        let place = start.to(self.last());
        self.skip_block()?;
        self.not_yet(
            place,
            "structs",
            "use one port a field, or an array if all fields have one type: `float[2] position`",
        );
        Ok(())
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

    /// `slots = 1-2|3-4` behind a frequency.
    pub(super) fn slots<T>(&mut self) -> Parsed<T> {
        let start = self.take().place;
        while matches!(self.peek(), Token::Equals | Token::Number | Token::Minus | Token::Bar) {
            self.take();
        }
        let place = start.to(self.last());
        self.not_yet(
            place,
            "slots",
            "leave them out: the logical execution time is then the period divided by `freq`",
        );
        Err(Refused)
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
