//! Modes and their activities.

use super::attribute::Attributes;
use super::cursor::{Cursor, Parsed};
use crate::syntax::{Action, Activity, Guard, Mode};
use crate::token::Token;

const STARTS: [Token; 3] = [Token::Task, Token::Actuator, Token::Mode];
/// Words that can only come after a mode.
pub(super) const OUTSIDE: [Token; 8] = [
    Token::Module,
    Token::Import,
    Token::Const,
    Token::Sensor,
    Token::Public,
    Token::Start,
    Token::Struct,
    Token::Asynchronous,
];

impl Cursor<'_> {
    pub(super) fn mode(&mut self) -> Parsed<Mode> {
        self.sample = "`start mode name [period = 20ms] { ... }`";
        let begin = self.here();
        let start = self.accept(Token::Start);
        self.expect(Token::Mode, "`mode`")?;
        let name = self.name("the mode's name")?;
        let period = self.attributes(&["period"])?.period;
        let open = self.expect(Token::OpenBrace, "`{`")?;
        let mut activities = Vec::new();
        self.block(open, &STARTS, &OUTSIDE, |cursor| {
            activities.push(cursor.activity()?);
            Ok(())
        })?;
        Ok(Mode { begin, name, start: start.is_some(), period, activities })
    }

    fn activity(&mut self) -> Parsed<Activity> {
        match self.peek() {
            Token::Task => self.invocation(),
            Token::Actuator => self.update(),
            Token::Mode => self.switch(),
            _ => {
                self.sample = "`task [freq = 2] name(inputs);`, `actuator [freq = 1] name := source;` or `mode [freq = 1] if guard(values) then name;`";
                self.unexpected("`task`, `actuator` or `mode`")
            }
        }
    }

    fn invocation(&mut self) -> Parsed<Activity> {
        self.sample = "`task [freq = 2] navigate(gps);`";
        let start = self.take().place;
        let Attributes { freq: frequency, slots, .. } = self.attributes(&["freq", "slots"])?;
        let guard = self.guard()?;
        let name = self.name("the name of a task")?;
        let arguments = self.arguments(Self::expression)?;
        let place = start.to(self.last());
        self.semicolon()?;
        let action = Action::Invoke { arguments };
        Ok(Activity { frequency, slots, entering: None, guard, name, action, place })
    }

    fn update(&mut self) -> Parsed<Activity> {
        self.sample = "`actuator [freq = 1] servo := command.value;`";
        let start = self.take().place;
        let Attributes { freq: frequency, slots, entering, .. } =
            self.attributes(&["freq", "slots", "entering"])?;
        let guard = self.guard()?;
        let name = self.name("the name of an actuator")?;
        self.expect(Token::Becomes, "`:=`")?;
        let source = self.expression()?;
        let place = start.to(self.last());
        self.semicolon()?;
        let action = Action::Update { source };
        Ok(Activity { frequency, slots, entering, guard, name, action, place })
    }

    fn switch(&mut self) -> Parsed<Activity> {
        self.sample = "`mode [freq = 1] if landed(gps) then ground;`";
        let start = self.take().place;
        let Attributes { freq: frequency, slots, .. } = self.attributes(&["freq", "slots"])?;
        let guard = self.guard()?;
        let name = self.name("the name of a mode")?;
        let place = start.to(self.last());
        self.semicolon()?;
        Ok(Activity { frequency, slots, entering: None, guard, name, action: Action::Switch, place })
    }

    /// `if condition then`, if present.
    pub(super) fn guard(&mut self) -> Parsed<Option<Guard>> {
        let activity = self.sample;
        let guard = self.condition()?;
        if guard.is_some() {
            self.sample = "`if airborne(gps) then survey(gps);`";
            self.expect(Token::Then, "`then`")?;
            self.sample = activity;
        }
        Ok(guard)
    }
}
