//! Modes and their activities.

use super::cursor::{Cursor, Parsed};
use crate::diagnostic::{Problem, code};
use crate::syntax::{Action, Activity, Expression, Mode};
use crate::token::Token;

const STARTS: [Token; 3] = [Token::Task, Token::Actuator, Token::Mode];
const OUTSIDE: [Token; 6] =
    [Token::Module, Token::Import, Token::Const, Token::Sensor, Token::Public, Token::Start];

impl Cursor<'_> {
    /// `None` for a mode in a form that isn't supported yet.
    pub(super) fn mode(&mut self) -> Parsed<Option<Mode>> {
        self.sample = "`start mode name [period = 20ms] { ... }`";
        let start = self.accept(Token::Start);
        if start.is_none() && self.at_giotto_mode() {
            return self.giotto_mode().map(|()| None);
        }
        self.expect(Token::Mode, "`mode`")?;
        let name = self.name("the mode's name")?;
        let period = self.attribute("period")?;
        let open = self.expect(Token::OpenBrace, "`{`")?;
        let mut activities = Vec::new();
        self.block(open, &STARTS, &OUTSIDE, |cursor| {
            activities.extend(cursor.activity()?);
            Ok(())
        })?;
        Ok(Some(Mode { name, start: start.is_some(), period, activities }))
    }

    fn activity(&mut self) -> Parsed<Option<Activity>> {
        match self.peek() {
            Token::Task => self.invocation().map(Some),
            Token::Actuator => self.update().map(Some),
            Token::Mode => self.mode_switch().map(|()| None),
            _ => {
                self.sample = "`task [freq = 2] name(inputs);` or `actuator [freq = 1] name := source;`";
                self.unexpected("`task` or `actuator`")
            }
        }
    }

    fn invocation(&mut self) -> Parsed<Activity> {
        self.sample = "`task [freq = 2] navigate(gps);`";
        let start = self.take().place;
        let frequency = self.attribute("freq")?;
        self.guard()?;
        let name = self.name("the name of a task")?;
        let arguments = self.arguments(Self::expression)?;
        let place = start.to(self.last());
        self.semicolon()?;
        Ok(Activity { frequency, name, action: Action::Invoke { arguments }, place })
    }

    fn update(&mut self) -> Parsed<Activity> {
        self.sample = "`actuator [freq = 1] servo := command.value;`";
        let start = self.take().place;
        let frequency = self.attribute("freq")?;
        self.guard()?;
        let name = self.name("the name of an actuator")?;
        self.expect(Token::Becomes, "`:=`")?;
        let source = self.expression()?;
        let place = start.to(self.last());
        self.semicolon()?;
        Ok(Activity { frequency, name, action: Action::Update { source }, place })
    }

    /// `[name = value]`. Left out, it is missed later, where the mistake can be named.
    pub(super) fn attribute(&mut self, name: &str) -> Parsed<Option<Expression>> {
        if self.accept(Token::OpenBracket).is_none() {
            return Ok(None);
        }
        if !self.at_word(name) {
            return self.other_attribute(name);
        }
        self.take();
        self.expect(Token::Equals, "`=`")?;
        let value = self.single()?;
        if self.accept(Token::Comma).is_some() {
            return self.other_attribute(name);
        }
        self.expect(Token::CloseBracket, "`]`")?;
        Ok(Some(value))
    }

    fn other_attribute<T>(&mut self, name: &str) -> Parsed<T> {
        let place = self.here();
        if self.at_word("slots") {
            return self.slots();
        }
        let found = match self.text(place) {
            "" => "nothing".to_owned(),
            text => format!("`{text}`"),
        };
        self.refuse(Problem {
            code: code::SYNTAX,
            place,
            message: format!("the only attribute here is `{name}`, once; found {found}"),
            label: "another attribute".to_owned(),
            help: format!("the form is: {}", self.sample),
        })
    }
}
