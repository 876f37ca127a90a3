//! Conditions: what their names stand for, and that what is compared has one type (rules 15 and 16).

use super::constant::is_constant;
use super::operand::Reader;
use super::value::value;
use super::{Checks, Refused, suggestion};
use crate::diagnostic::{Problem, code};
use crate::help::Help;
use crate::model::{Argument, Basic, Condition, Element, Side, Type, Value};
use crate::place::Place;
use crate::syntax::{self, Compared, Expression, Form, Name};

impl Reader<'_, '_> {
    /// A condition; what it looks at is added to the arguments. The recursion is as deep as the parentheses of the
    /// text.
    pub(super) fn condition(
        &mut self,
        condition: &syntax::Condition,
        arguments: &mut Vec<Argument>,
    ) -> Checks<Condition> {
        match condition {
            syntax::Condition::Native { function, arguments: given } => {
                let given = self.arguments(given)?;
                let given = given.into_iter().map(|argument| number(arguments, argument)).collect();
                let (function, place) = (function.text.clone(), function.place);
                Ok(Condition::Native { function, arguments: given, place })
            }
            syntax::Condition::Value(expression) => self.truth(expression, arguments),
            syntax::Condition::Compared(compared) => self.compared(compared, arguments),
            syntax::Condition::Not(inner) => {
                self.condition(inner, arguments).map(|inner| Condition::Not(Box::new(inner)))
            }
            syntax::Condition::All(parts) => self.conditions(parts, arguments).map(Condition::All),
            syntax::Condition::Any(parts) => self.conditions(parts, arguments).map(Condition::Any),
        }
    }

    fn conditions(
        &mut self,
        parts: &[syntax::Condition],
        arguments: &mut Vec<Argument>,
    ) -> Checks<Vec<Condition>> {
        let parts: Vec<_> = parts.iter().map(|part| self.condition(part, arguments)).collect();
        parts.into_iter().collect()
    }

    /// A boolean that changes.
    fn truth(&mut self, expression: &Expression, arguments: &mut Vec<Argument>) -> Checks<Condition> {
        let place = expression.place;
        self.reckons_not(expression)?;
        if !self.varies(expression) {
            return self.never_changes(place);
        }
        if let Form::Path(path) = &expression.form
            && let [name] = path.as_slice()
            && !self.scope.names.contains_key(name.text.as_str())
        {
            return self.no_arguments(name);
        }
        let argument = self.single_value(expression)?;
        if argument.kind == Type::basic(Basic::Boolean) {
            return Ok(Condition::Value(number(arguments, argument)));
        }
        self.refuse(Problem {
            code: code::TYPE_MISMATCH,
            place,
            message: format!("a condition is true or false, and this has type `{}`", argument.kind),
            label: format!("of type `{}`", argument.kind),
            help: Help::from("compare it, for example `!= 0`").or(place.behind(), " != 0"),
        })
    }

    fn compared(&mut self, compared: &Compared, arguments: &mut Vec<Argument>) -> Checks<Condition> {
        let Compared { left, comparison, word, right } = compared;
        self.reckons_not(left)?;
        self.reckons_not(right)?;
        let (one, other) = match (self.varies(left), self.varies(right)) {
            (false, false) => return self.never_changes(left.place.to(right.place)),
            (true, false) => (self.single_value(left)?, None),
            (false, true) => (self.single_value(right)?, None),
            (true, true) => {
                let (one, other) = (self.single_value(left), self.single_value(right));
                (one?, Some(other?))
            }
        };
        let kind = one.kind.clone();
        if comparison.is_order() && kind == Type::basic(Basic::Boolean) {
            return self.no_order(*word);
        }
        let (left, right) = match other {
            Some(other) if other.kind != kind => {
                return self.refuse(Problem {
                    code: code::TYPE_MISMATCH,
                    place: left.place.to(right.place),
                    message: format!(
                        "type `{kind}` is compared with type `{}`; the types must be equal, nothing is converted",
                        other.kind
                    ),
                    label: "of different types".to_owned(),
                    help: "change one of the two types, or convert in a task".into(),
                });
            }
            Some(other) => (Side::Argument(number(arguments, one)), Side::Argument(number(arguments, other))),
            None if self.varies(left) => (Side::Argument(number(arguments, one)), self.known(right, &kind)?),
            None => (self.known(left, &kind)?, Side::Argument(number(arguments, one))),
        };
        Ok(Condition::Compared { left, comparison: *comparison, right, kind })
    }

    fn known(&mut self, expression: &Expression, kind: &Type) -> Checks<Side> {
        match value(expression, kind, self.scope, self.reporter)? {
            Value::Scalar(scalar) => Ok(Side::Constant(scalar)),
            Value::List(_) => Err(Refused), // single types have no such values
        }
    }

    /// Whether it names something that changes while the system runs.
    fn varies(&self, expression: &Expression) -> bool {
        matches!(&expression.form, Form::Path(path) if !is_constant(path, self.scope))
    }

    fn single_value(&mut self, expression: &Expression) -> Checks<Argument> {
        let argument = self.argument(expression)?;
        if let (Element::Basic(_), None) = (&argument.kind.element, argument.kind.length) {
            return Ok(argument);
        }
        self.refuse(Problem {
            code: code::TYPE_MISMATCH,
            place: expression.place,
            message: format!("only single values can be compared, and this has type `{}`", argument.kind),
            label: format!("of type `{}`", argument.kind),
            help: "name a field of it, or have a task or a native guard look at it".into(),
        })
    }

    /// Refuses arithmetic with what changes.
    fn reckons_not(&mut self, expression: &Expression) -> Checks<()> {
        let Some(place) = self.reckoned(expression) else { return Ok(()) };
        self.refuse(Problem {
            code: code::WRONG_USE,
            place,
            message: "a condition takes values that change as they are: only constants are reckoned with"
                .to_owned(),
            label: "this changes".to_owned(),
            help: "move what is known to the other side, or have a task reckon, and ask its output".into(),
        })
    }

    /// What changes inside of arithmetic; the recursion is as deep as the parentheses of the text.
    fn reckoned(&self, expression: &Expression) -> Option<Place> {
        let inside = |part: &Expression| match self.varies(part) {
            true => Some(part.place),
            false => self.reckoned(part),
        };
        match &expression.form {
            Form::Negative(inner) => inside(inner),
            Form::Reckoned(first, rest) => {
                inside(first).or_else(|| rest.iter().find_map(|(_, part)| inside(part)))
            }
            Form::Literal(_) | Form::List(_) | Form::Path(_) => None,
        }
    }

    fn never_changes<T>(&mut self, place: Place) -> Checks<T> {
        self.refuse(Problem {
            code: code::WRONG_USE,
            place,
            message: "nothing in this condition changes, so it is always true or always false".to_owned(),
            label: "only constants".to_owned(),
            help: "compare a sensor or the output of a task, or leave the condition out".into(),
        })
    }

    /// A name that nothing declares may be a native guard's, which has arguments.
    fn no_arguments<T>(&mut self, name: &Name) -> Checks<T> {
        let sensors = self.scope.module.sensors.iter().map(|sensor| sensor.name.text.as_str());
        self.reporter.count(self.scope.module.sensors.len());
        let call = format!("{}()", name.text);
        let native = Help::from(format!("a native guard stands with its arguments: `{call}`"));
        self.refuse(Problem {
            code: code::UNKNOWN_NAME,
            place: name.place,
            message: format!("module `{}` has no sensor called `{}`", self.scope.module.name.text, name.text),
            label: "unknown name".to_owned(),
            help: suggestion::proposal(name, sensors, native.or(name.place, call)),
        })
    }

    fn no_order<T>(&mut self, word: Place) -> Checks<T> {
        self.refuse(Problem {
            code: code::TYPE_MISMATCH,
            place: word,
            message: "truth values are equal or not; none is more than the other".to_owned(),
            label: "no order".to_owned(),
            help: Help::from("write `==` or `!=`").or(word, "==").or(word, "!="),
        })
    }
}

/// The argument's number; a new one at its first use.
fn number(arguments: &mut Vec<Argument>, argument: Argument) -> usize {
    arguments.iter().position(|known| *known == argument).unwrap_or_else(|| {
        arguments.push(argument);
        arguments.len() - 1
    })
}
