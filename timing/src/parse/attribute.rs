//! Attributes: `[period = 20ms]`, `[freq = 4, slots = 1-2|4]`, `[entering]`.

use super::cursor::{Cursor, Parsed};
use crate::diagnostic::{Problem, code};
use crate::place::Place;
use crate::syntax::{Expression, Slots};
use crate::token::Token;

/// The attributes in brackets. A missing one is reported later, where the mistake can be named.
#[derive(Debug, Default)]
pub(super) struct Attributes {
    pub(super) period: Option<Expression>,
    pub(super) freq: Option<Expression>,
    /// Empty if there are none.
    pub(super) slots: Vec<Slots>,
    pub(super) trigger: Option<Expression>,
    pub(super) priority: Option<Expression>,
    /// The word itself; it has no value.
    pub(super) entering: Option<Place>,
}

impl Cursor<'_> {
    /// `[name = value, ...]`, if present: each of `allowed` at most once, in any order. `entering` has no value.
    pub(super) fn attributes(&mut self, allowed: &[&'static str]) -> Parsed<Attributes> {
        let mut found = Attributes::default();
        if self.accept(Token::OpenBracket).is_none() {
            return Ok(found);
        }
        let mut left = allowed.to_vec();
        loop {
            let Some(index) = left.iter().position(|name| self.at_word(name)) else {
                return self.other_attribute(allowed);
            };
            let name = left.remove(index);
            let word = self.take().place;
            match name {
                "entering" => found.entering = Some(word),
                _ => self.value_of(name, &mut found)?,
            }
            if self.accept(Token::Comma).is_none() {
                self.expect(Token::CloseBracket, if left.is_empty() { "`]`" } else { "`,` or `]`" })?;
                return Ok(found);
            }
        }
    }

    /// `= value`
    fn value_of(&mut self, name: &str, found: &mut Attributes) -> Parsed<()> {
        self.expect(Token::Equals, "`=`")?;
        match name {
            "period" => found.period = Some(self.reckoned()?),
            "trigger" => found.trigger = Some(self.single()?),
            "priority" => found.priority = Some(self.reckoned()?),
            "freq" => found.freq = Some(self.reckoned()?),
            _ => found.slots = self.slots()?,
        }
        Ok(())
    }

    /// `1-2|4`
    fn slots(&mut self) -> Parsed<Vec<Slots>> {
        let mut slots = Vec::new();
        loop {
            let first = self.single()?;
            let last = if self.accept(Token::Minus).is_some() { Some(self.single()?) } else { None };
            let place = first.place.to(self.last());
            slots.push(Slots { first, last, place });
            if self.accept(Token::Bar).is_none() {
                return Ok(slots);
            }
        }
    }

    fn other_attribute<T>(&mut self, allowed: &[&'static str]) -> Parsed<T> {
        let place = self.here();
        let found = match self.text(place) {
            "" => "nothing".to_owned(),
            text => format!("`{text}`"),
        };
        let names: Vec<String> = allowed.iter().map(|name| format!("`{name}`")).collect();
        let rule = match names.as_slice() {
            [only] => format!("the only attribute here is {only}, once"),
            [rest @ .., last] => {
                format!("the attributes here are {} and {last}, each at most once", rest.join(", "))
            }
            [] => "no attribute can stand here".to_owned(),
        };
        self.refuse(Problem {
            code: code::SYNTAX,
            place,
            message: format!("{rule}; found {found}"),
            label: "another attribute".to_owned(),
            help: format!("the form is: {}", self.sample).into(),
        })
    }
}
