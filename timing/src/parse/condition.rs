//! Conditions of guards: native functions, truth values and comparisons, joined by `not`, `and` and `or`.
//!
//! The three words aren't reserved: a native guard of such a name is asked as ever, by `not(values)`.

use super::cursor::{Cursor, Parsed};
use super::expression::MOST_PARENTHESES;
use crate::diagnostic::{Problem, code};
use crate::help::Help;
use crate::model::Comparison;
use crate::syntax::{Compared, Condition, Guard};
use crate::token::Token;

/// Comparisons, truth values and native guards of one guard: more than anybody reads.
const MOST_PARTS: usize = 64;

/// What joins conditions.
pub(crate) const CONDITIONS: [&str; 3] = ["not", "and", "or"];

impl Cursor<'_> {
    /// `if condition`, if present.
    pub(super) fn condition(&mut self) -> Parsed<Option<Guard>> {
        if self.accept(Token::If).is_none() {
            return Ok(None);
        }
        self.sample = "`if airborne(gps) then survey(gps);`";
        let (start, begin) = (self.here(), self.position());
        let mut parts = 0;
        let condition = self.any(0, &mut parts)?;
        let (text, place) = (self.words_since(begin), start.to(self.last()));
        if parts > MOST_PARTS {
            return self.refuse(Problem {
                code: code::SYNTAX,
                place,
                message: format!("a guard asks at most {MOST_PARTS} things, and this one {parts}"),
                label: "too long".to_owned(),
                help: "let a task decide, and ask its output".into(),
            });
        }
        Ok(Some(Guard { condition, text, place }))
    }

    fn any(&mut self, depth: usize, parts: &mut usize) -> Parsed<Condition> {
        let mut all = vec![self.all(depth, parts)?];
        while self.at_word("or") {
            self.take();
            all.push(self.all(depth, parts)?);
        }
        Ok(single(all, Condition::Any))
    }

    fn all(&mut self, depth: usize, parts: &mut usize) -> Parsed<Condition> {
        let mut all = vec![self.negation(depth, parts)?];
        while self.at_word("and") {
            self.take();
            all.push(self.negation(depth, parts)?);
        }
        Ok(single(all, Condition::All))
    }

    fn negation(&mut self, depth: usize, parts: &mut usize) -> Parsed<Condition> {
        let mut negative = false;
        while self.at_not() {
            self.take();
            negative = !negative;
        }
        let condition = self.asked(depth, parts)?;
        Ok(if negative { Condition::Not(Box::new(condition)) } else { condition })
    }

    fn asked(&mut self, depth: usize, parts: &mut usize) -> Parsed<Condition> {
        if self.peek() == Token::OpenParenthesis && !self.is_reckoned() {
            if depth == MOST_PARENTHESES {
                return self.too_many_parentheses();
            }
            self.take();
            let inner = self.any(depth + 1, parts)?;
            self.expect(Token::CloseParenthesis, "`)`, `and` or `or`")?;
            return Ok(inner);
        }
        *parts += 1;
        match (self.peek(), self.peek_at(1)) {
            (Token::Name, Token::OpenParenthesis) => {
                let function = self.name("the name of a guard")?;
                let arguments = self.arguments(Self::expression)?;
                Ok(Condition::Native { function, arguments })
            }
            (
                Token::Name
                | Token::Number
                | Token::Minus
                | Token::True
                | Token::False
                | Token::Character
                | Token::OpenParenthesis,
                _,
            ) => self.comparison(),
            _ => self.unexpected("the name of a guard, or a value to compare"),
        }
    }

    fn comparison(&mut self) -> Parsed<Condition> {
        let left = self.reckoned()?;
        let comparison = match self.peek() {
            Token::Below => Comparison::Below,
            Token::AtMost => Comparison::AtMost,
            Token::Above => Comparison::Above,
            Token::AtLeast => Comparison::AtLeast,
            Token::Same => Comparison::Same,
            Token::Other => Comparison::Other,
            Token::Equals => return self.single_equals(),
            _ => return Ok(Condition::Value(left)),
        };
        let word = self.take().place;
        let right = self.reckoned()?;
        Ok(Condition::Compared(Box::new(Compared { left, comparison, word, right })))
    }

    fn single_equals<T>(&mut self) -> Parsed<T> {
        let place = self.here();
        self.refuse(Problem {
            code: code::SYNTAX,
            place,
            message: "values are compared by `==`; `=` gives a constant or an attribute its value".to_owned(),
            label: "no comparison".to_owned(),
            help: Help::write(place, "=="),
        })
    }

    /// Whether the next word is `not` as a word of the language and not as a name.
    fn at_not(&self) -> bool {
        let begins =
            |token| matches!(token, Token::Name | Token::Number | Token::Minus | Token::True | Token::False);
        self.at_word("not")
            && match self.peek_at(1) {
                Token::OpenParenthesis => !self.is_arguments(1),
                next => begins(next) || next == Token::Character,
            }
    }

    /// Whether the parentheses that open `ahead` hold values, as a native guard's do, and no condition.
    fn is_arguments(&self, ahead: usize) -> bool {
        (ahead + 1..self.closing(ahead)).all(|at| match self.peek_at(at) {
            Token::OpenParenthesis => false,
            Token::Name => !CONDITIONS.contains(&self.text_at(at)),
            token => !is_comparison(token),
        })
    }

    /// Whether the parentheses that open here are part of a value.
    fn is_reckoned(&self) -> bool {
        let behind = self.peek_at(self.closing(0) + 1);
        matches!(behind, Token::Plus | Token::Minus | Token::Times | Token::Over) || is_comparison(behind)
    }

    /// How far ahead the parenthesis is closed that is open `ahead`, or the statement ends.
    fn closing(&self, ahead: usize) -> usize {
        let (mut at, mut open) = (ahead, 0_usize);
        loop {
            match self.peek_at(at) {
                Token::OpenParenthesis => open += 1,
                Token::CloseParenthesis if open <= 1 => return at,
                Token::CloseParenthesis => open -= 1,
                Token::Semicolon | Token::Then | Token::End => return at,
                _ => {}
            }
            at += 1;
        }
    }
}

fn is_comparison(token: Token) -> bool {
    use Token::{Above, AtLeast, AtMost, Below, Other, Same};
    matches!(token, Below | AtMost | Above | AtLeast | Same | Other)
}

/// The only part, or all of them joined.
fn single(mut parts: Vec<Condition>, joined: fn(Vec<Condition>) -> Condition) -> Condition {
    match (parts.len(), parts.pop()) {
        (1, Some(only)) => only,
        (_, last) => {
            parts.extend(last);
            joined(parts)
        }
    }
}
