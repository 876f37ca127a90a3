//! Giotto's form of modes, as in the programmable-microkernel paper (Kirsch, Henzinger and Sanvido 2003,
//! section 2), read into the same tree as the others.
//!
//! ```text
//! driver di(t2.position);            what an activity gets: values for a task's inputs, or one for an actuator
//! driver cond() if landed(ps);       a guard: of a task, of an actuator, or of a change of mode
//! mode m() period 20 { actfreq 1 do pa(da); taskfreq 1 do t1(di); exitfreq 1 do n(cond); }
//! ```
//!
//! The papers don't say how drivers are declared; this is Beryl's way. A period without unit is in
//! milliseconds.

use super::cursor::{Cursor, Parsed};
use super::mode::OUTSIDE;
use crate::diagnostic::{Problem, code};
use crate::place::Place;
use crate::ratio::Ratio;
use crate::syntax::{Action, Activity, Expression, Form, Guard, Literal, Mode, Module, Name};
use crate::token::Token;
use std::collections::BTreeMap;

/// An activity may use a driver that many others also use, and each use copies all its values.
const MOST_VALUES: usize = 64;

/// A module's parts in this form, until all drivers are known.
#[derive(Debug, Default)]
pub(super) struct Giotto {
    pub(super) drivers: Vec<Driver>,
    pub(super) modes: Vec<GiottoMode>,
}

/// `driver name(values) if guard(values);`
#[derive(Debug)]
pub(super) struct Driver {
    name: Name,
    values: Vec<Expression>,
    guard: Option<Guard>,
}

#[derive(Debug)]
pub(super) struct GiottoMode {
    begin: Place,
    name: Name,
    start: bool,
    period: Expression,
    activities: Vec<GiottoActivity>,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Actuator,
    Task,
    Exit,
}

/// `taskfreq 1 do name(driver);`
#[derive(Debug)]
struct GiottoActivity {
    kind: Kind,
    frequency: Expression,
    name: Name,
    driver: Option<Name>,
    place: Place,
}

impl Cursor<'_> {
    /// Modes of this form have parentheses or a bare period after their name.
    pub(super) fn at_giotto_mode(&self) -> bool {
        let mode = usize::from(self.peek() == Token::Start);
        let behind = self.peek_at(mode + 2);
        self.peek_at(mode) == Token::Mode
            && self.peek_at(mode + 1) == Token::Name
            && matches!(behind, Token::OpenParenthesis | Token::Name)
    }

    pub(super) fn giotto_driver(&mut self) -> Parsed<Driver> {
        self.sample = "`driver name(t.output);` or `driver name() if guard(values);`";
        self.take();
        let name = self.name("the driver's name")?;
        let values = self.arguments(Self::expression)?;
        let place = name.place;
        if values.len() > MOST_VALUES {
            return self.refuse(Problem {
                code: code::DRIVER,
                place,
                message: format!("driver `{}` has more than {MOST_VALUES} values", name.text),
                label: "too many".to_owned(),
                help: "give the task fewer inputs, for example arrays".into(),
            });
        }
        let guard = self.condition()?;
        self.sample = "`driver name(t.output);` or `driver name() if guard(values);`";
        self.semicolon()?;
        Ok(Driver { name, values, guard })
    }

    pub(super) fn giotto_mode(&mut self) -> Parsed<GiottoMode> {
        self.sample = "`mode name() period 20 { taskfreq 1 do t(driver); }`";
        let begin = self.here();
        let start = self.accept(Token::Start).is_some();
        self.take();
        let name = self.name("the mode's name")?;
        if self.accept(Token::OpenParenthesis).is_some() {
            self.expect(Token::CloseParenthesis, "`)`")?;
        }
        if !self.at_word("period") {
            return self.unexpected("`period`");
        }
        self.take();
        let mut period = self.single()?;
        if let Form::Literal(Literal::Integer(milliseconds)) = period.form
            && let Some(microseconds) = Ratio::whole(milliseconds * 1000)
        {
            period.form = Form::Literal(Literal::Time(microseconds));
        }
        let open = self.expect(Token::OpenBrace, "`{`")?;
        let mut activities = Vec::new();
        self.block(open, &[], &OUTSIDE, |cursor| {
            activities.push(cursor.giotto_activity()?);
            Ok(())
        })?;
        Ok(GiottoMode { begin, name, start, period, activities })
    }

    fn giotto_activity(&mut self) -> Parsed<GiottoActivity> {
        self.sample = "`actfreq 1 do a(driver);`, `taskfreq 2 do t(driver);` or `exitfreq 1 do m(driver);`";
        let start = self.here();
        let kind = match self.text(start) {
            "actfreq" => Kind::Actuator,
            "taskfreq" => Kind::Task,
            "exitfreq" => Kind::Exit,
            _ => return self.unexpected("`actfreq`, `taskfreq` or `exitfreq`"),
        };
        self.take();
        let frequency = self.single()?;
        if !self.at_word("do") {
            return self.unexpected("`do`");
        }
        self.take();
        let name = self.name("a task, actuator or mode")?;
        self.expect(Token::OpenParenthesis, "`(`")?;
        let driver = if self.peek() == Token::CloseParenthesis {
            None
        } else {
            Some(self.name("the name of a driver")?)
        };
        self.expect(Token::CloseParenthesis, "`)`")?;
        let place = start.to(self.last());
        self.semicolon()?;
        Ok(GiottoActivity { kind, frequency, name, driver, place })
    }

    /// Adds the modes of this form to their module, with the content of their drivers. If a module has only
    /// one mode, it is the start mode.
    pub(super) fn complete(&mut self, giotto: Giotto, module: &mut Module) {
        let is_only = module.modes.is_empty() && giotto.modes.len() == 1;
        let mut drivers = BTreeMap::new();
        for driver in &giotto.drivers {
            drivers.entry(driver.name.text.as_str()).or_insert(driver);
        }
        for mode in giotto.modes {
            let activities = mode.activities.into_iter();
            let activities = activities.filter_map(|activity| self.driven(activity, &drivers).ok()).collect();
            let (begin, name, start) = (mode.begin, mode.name, mode.start || is_only);
            module.modes.push(Mode { begin, name, start, period: Some(mode.period), activities });
        }
        module.modes.sort_by_key(|mode| mode.name.place);
        module.drivers = giotto.drivers.into_iter().map(|driver| driver.name).collect();
    }

    fn driven(&mut self, activity: GiottoActivity, drivers: &BTreeMap<&str, &Driver>) -> Parsed<Activity> {
        let driver = match &activity.driver {
            Some(name) => Some(self.known(name, drivers)?),
            None => None,
        };
        let values = driver.map_or(&[][..], |driver| &driver.values);
        let action = match (activity.kind, values) {
            (Kind::Task, _) => Action::Invoke { arguments: values.to_vec() },
            (Kind::Actuator, [source]) => Action::Update { source: source.clone() },
            (Kind::Exit, []) => Action::Switch,
            (Kind::Actuator, _) => {
                return self.unfit(
                    &activity,
                    "an actuator takes one value",
                    "declare `driver name(t.output);`",
                );
            }
            (Kind::Exit, _) => {
                let help = "declare `driver name() if guard(values);`";
                return self.unfit(&activity, "a change of mode takes no value, only a guard", help);
            }
        };
        let guard = driver.and_then(|driver| driver.guard.clone());
        let GiottoActivity { frequency, name, place, .. } = activity;
        let (frequency, slots) = (Some(frequency), Vec::new());
        Ok(Activity { frequency, slots, entering: None, guard, name, action, place })
    }

    fn known<'d>(&mut self, name: &Name, drivers: &BTreeMap<&str, &'d Driver>) -> Parsed<&'d Driver> {
        if let Some(driver) = drivers.get(name.text.as_str()) {
            return Ok(driver);
        }
        self.refuse(Problem {
            code: code::UNKNOWN_NAME,
            place: name.place,
            message: format!("this module has no driver called `{}`", name.text),
            label: "unknown driver".to_owned(),
            help: format!("declare what it provides: `driver {}(t.output);`", name.text).into(),
        })
    }

    fn unfit<T>(&mut self, activity: &GiottoActivity, rule: &str, help: &str) -> Parsed<T> {
        let place = activity.driver.as_ref().map_or(activity.name.place, |driver| driver.place);
        self.refuse(Problem {
            code: code::DRIVER,
            place,
            message: format!("{rule}, and `{}` gets another number of them", activity.name.text),
            label: "doesn't fit".to_owned(),
            help: help.into(),
        })
    }
}
