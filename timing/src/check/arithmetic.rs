//! Arithmetic in constants: exact numbers and times, rounded or refused only where they are used.

use super::constant::constant;
use super::name::Scope;
use super::{Checks, Refused};
use crate::diagnostic::{Problem, Reporter, code};
use crate::help::Help;
use crate::place::Place;
use crate::ratio::Ratio;
use crate::syntax::{Expression, Form, Literal, Operator};

/// What can be reckoned with.
#[derive(Clone, Copy, Debug)]
enum Quantity {
    /// With a point in it, or in what it was reckoned from, it is no integer even if it is whole.
    Number { value: Ratio, pointed: bool },
    /// In microseconds.
    Time(Ratio),
}

impl Quantity {
    fn literal(self) -> Literal {
        match self {
            Quantity::Number { value, pointed: false } => {
                value.integer().map_or(Literal::Fraction { value, pointed: false }, Literal::Integer)
            }
            Quantity::Number { value, pointed: true } => Literal::Fraction { value, pointed: true },
            Quantity::Time(time) => Literal::Time(time),
        }
    }

    fn negative(self) -> Quantity {
        match self {
            Quantity::Number { value, pointed } => Quantity::Number { value: value.negative(), pointed },
            Quantity::Time(time) => Quantity::Time(time.negative()),
        }
    }
}

/// Why two quantities give none.
enum Nothing {
    Units(&'static str, &'static str),
    ByZero,
    Beyond,
}

/// What the arithmetic of an expression comes to.
pub(super) fn reckon(expression: &Expression, scope: &Scope<'_>, reporter: &mut Reporter) -> Checks<Literal> {
    quantity(expression, scope, reporter).map(Quantity::literal)
}

/// The recursion is as deep as the parentheses, which the parser bounds.
fn quantity(expression: &Expression, scope: &Scope<'_>, reporter: &mut Reporter) -> Checks<Quantity> {
    match &expression.form {
        Form::Negative(inner) => quantity(inner, scope, reporter).map(Quantity::negative),
        Form::Reckoned(first, rest) => {
            let mut result = quantity(first, scope, reporter)?;
            for (operator, operand) in rest {
                let other = quantity(operand, scope, reporter)?;
                let place = first.place.to(operand.place);
                result = joined(result, *operator, other)
                    .map_err(|nothing| refuse(nothing, place, operand.place, reporter))?;
            }
            Ok(result)
        }
        Form::Literal(_) | Form::List(_) | Form::Path(_) => {
            let form = constant(expression, scope, reporter)?;
            of_form(&form, expression.place, reporter)
        }
    }
}

fn of_form(form: &Form, place: Place, reporter: &mut Reporter) -> Checks<Quantity> {
    let number = |value: Option<Ratio>, pointed| value.map(|value| Quantity::Number { value, pointed });
    let quantity = match form {
        Form::Literal(Literal::Integer(value)) => number(Ratio::whole(*value), false),
        Form::Literal(Literal::Real(text)) => number(Ratio::decimal(text), true),
        Form::Literal(Literal::Fraction { value, pointed }) => number(Some(*value), *pointed),
        Form::Literal(Literal::Time(time)) => Some(Quantity::Time(*time)),
        _ => {
            reporter.report(Problem {
                code: code::ARITHMETIC,
                place,
                message: "only numbers and times can be reckoned with".to_owned(),
                label: "neither a number nor a time".to_owned(),
                help: "write a number or a time, or a constant that holds one".into(),
            });
            return Err(Refused);
        }
    };
    quantity.ok_or_else(|| refuse(Nothing::Beyond, place, place, reporter))
}

fn joined(one: Quantity, operator: Operator, other: Quantity) -> Result<Quantity, Nothing> {
    use Operator::{Minus, Over, Plus, Times};
    use Quantity::{Number, Time};
    let beyond = Nothing::Beyond;
    if let (Over, Number { value, .. } | Time(value)) = (operator, other)
        && value.is_zero()
    {
        return Err(Nothing::ByZero);
    }
    match (one, operator, other) {
        (left, Minus, right) => joined(left, Plus, right.negative()),
        (Number { value: left, pointed: before }, _, Number { value: right, pointed }) => {
            let value = match operator {
                Times => left.times(right),
                Over => left.over(right),
                Plus | Minus => left.plus(right),
            };
            value.map(|value| Number { value, pointed: before || pointed }).ok_or(beyond)
        }
        (Time(left), Plus, Time(right)) => left.plus(right).map(Time).ok_or(beyond),
        (Time(left), Over, Time(right)) => {
            left.over(right).map(|value| Number { value, pointed: false }).ok_or(beyond)
        }
        (Time(time), Times, Number { value, .. }) | (Number { value, .. }, Times, Time(time)) => {
            time.times(value).map(Time).ok_or(beyond)
        }
        (Time(time), Over, Number { value, .. }) => time.over(value).map(Time).ok_or(beyond),
        (Time(_), Times, Time(_)) => Err(Nothing::Units(
            "a time multiplied by a time is no time",
            "multiply a time by a number, or divide one time by the other",
        )),
        (Number { .. }, Over, Time(_)) => Err(Nothing::Units(
            "a number divided by a time is neither a number nor a time",
            "divide a time by a time, for example `1s / 20ms`, which is 50",
        )),
        (Time(_), Plus, Number { .. }) | (Number { .. }, Plus, Time(_)) => Err(Nothing::Units(
            "a time and a number can't be added or subtracted: the number has no unit",
            "give the number a unit, such as `ms`",
        )),
    }
}

fn refuse(nothing: Nothing, whole: Place, last: Place, reporter: &mut Reporter) -> Refused {
    let (place, message, label, help): (_, _, _, Help<Place>) = match nothing {
        Nothing::Units(message, help) => (whole, message, "these don't fit together", help.into()),
        Nothing::ByZero => (
            last,
            "this divides by zero",
            "this is zero",
            "divide by something else, or write the value itself".into(),
        ),
        Nothing::Beyond => (
            whole,
            "constants are reckoned exactly, in fractions whose parts have up to 37 digits, and this has more",
            "too large, or too fine",
            "write the result as a number".into(),
        ),
    };
    let (message, label) = (message.to_owned(), label.to_owned());
    reporter.report(Problem { code: code::ARITHMETIC, place, message, label, help });
    Refused
}
