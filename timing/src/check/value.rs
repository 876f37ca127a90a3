//! Turns literals and constants into values of the required type (rule 15).
//!
//! A constant has no type of its own: it is a named literal and takes the type of each use.

use super::constant::constant;
use super::name::Scope;
use super::{Checks, Refused};
use crate::diagnostic::{Problem, Reporter, code};
use crate::help::Help;
use crate::model::{Basic, Element, Scalar, Type, Value};
use crate::place::Place;
use crate::ratio::Ratio;
use crate::syntax::{Expression, Form, Literal};

pub(super) fn value(
    expression: &Expression,
    kind: &Type,
    scope: &Scope<'_>,
    reporter: &mut Reporter,
) -> Checks<Value> {
    let form = constant(expression, scope, reporter)?;
    match (kind.length, &*form) {
        (Some(length), Form::List(parts)) if u32::try_from(parts.len()) == Ok(length) => {
            let element = |part| value(part, &Type { length: None, ..kind.clone() }, scope, reporter);
            parts.iter().map(element).collect::<Checks<_>>().map(Value::List)
        }
        (None, form) => single(expression, form, kind, scope, reporter),
        (Some(_), form) => wrong_shape(expression, kind, &found(form), scope, reporter),
    }
}

/// A value that isn't an array.
fn single(
    expression: &Expression,
    form: &Form,
    kind: &Type,
    scope: &Scope<'_>,
    reporter: &mut Reporter,
) -> Checks<Value> {
    match (&kind.element, form) {
        (Element::Basic(basic), Form::Literal(literal)) => scalar(literal, *basic)
            .map(Value::Scalar)
            .map_err(|refusal| refusal.report(expression, *basic, scope, reporter)),
        (Element::Record(record), Form::List(parts)) if parts.len() == record.fields.len() => {
            let fields = parts.iter().zip(&record.fields);
            let fields = fields.map(|(part, field)| value(part, &field.kind, scope, reporter));
            fields.collect::<Checks<_>>().map(Value::List)
        }
        _ => wrong_shape(expression, kind, &found(form), scope, reporter),
    }
}

/// The literal as messages describe it.
fn found(form: &Form) -> String {
    match form {
        Form::Literal(_) => "a single value".to_owned(),
        Form::List(parts) if parts.len() == 1 => "a list of one value".to_owned(),
        Form::List(parts) => format!("a list of {} values", parts.len()),
        Form::Path(_) | Form::Negative(_) | Form::Reckoned(..) => "a name".to_owned(),
    }
}

/// A value of this type, as help texts and proposals show it.
pub(super) fn sample(kind: &Type) -> String {
    let single = match &kind.element {
        Element::Basic(Basic::Boolean) => "false".to_owned(),
        Element::Basic(Basic::Float | Basic::Double) => "0.0".to_owned(),
        Element::Basic(_) => "0".to_owned(),
        Element::Record(record) => list(record.fields.iter().map(|field| sample(&field.kind))),
    };
    match kind.length {
        None => single,
        Some(length @ 1..=4) => list((0..length).map(|_| single.clone())),
        Some(_) => format!("{{{single}, {single}, ...}}"),
    }
}

/// The same, with all elements of long arrays.
pub(super) fn whole(kind: &Type) -> String {
    let single = match &kind.element {
        Element::Record(record) => list(record.fields.iter().map(|field| whole(&field.kind))),
        Element::Basic(_) => sample(&Type { length: None, ..kind.clone() }),
    };
    kind.length.map_or(single.clone(), |length| list((0..length).map(|_| single.clone())))
}

fn list(parts: impl Iterator<Item = String>) -> String {
    format!("{{{}}}", parts.collect::<Vec<_>>().join(", "))
}

/// A sample value of this type, if one is short enough to read.
fn example(kind: &Type, expression: &Expression, scope: &Scope<'_>) -> Help<Place> {
    const READABLE: usize = 160;
    let sample = sample(kind);
    match sample.len() <= READABLE {
        true => instead(format!("write for example `{sample}`"), expression, whole(kind), scope),
        false => format!(
            "write a value for each element or field of `{kind}` in their order, and a list for each that is an array or a struct"
        )
        .into(),
    }
}

/// A proposal to write another value. A constant's value may be right for its other uses.
fn instead(words: String, expression: &Expression, value: String, scope: &Scope<'_>) -> Help<Place> {
    let place = expression.place;
    let mut constants = scope.tree.iter().flat_map(|module| &module.constants);
    let holds = |whole: Place| {
        whole.source == place.source && whole.offset <= place.offset && place.end() <= whole.end()
    };
    match constants.any(|constant| holds(constant.value.place)) {
        true => Help::from(format!("{words}, or give each use a constant of its own")),
        false => Help::from(words).or(place, value),
    }
}

fn wrong_shape<T>(
    expression: &Expression,
    kind: &Type,
    found: &str,
    scope: &Scope<'_>,
    reporter: &mut Reporter,
) -> Checks<T> {
    reporter.report(Problem {
        code: code::TYPE_MISMATCH,
        place: expression.place,
        message: format!("type `{kind}` is needed here, and this is {found}"),
        label: format!("not of type `{kind}`"),
        help: example(kind, expression, scope),
    });
    Err(Refused)
}

/// Why a literal isn't a value of a type.
enum Refusal {
    Range(String),
    Kind(&'static str),
    /// Arithmetic that doesn't come to a whole number.
    Remainder(Ratio),
}

impl Refusal {
    fn report(
        self,
        expression: &Expression,
        basic: Basic,
        scope: &Scope<'_>,
        reporter: &mut Reporter,
    ) -> Refused {
        let name = basic.name();
        let (code, message, help): (_, _, Help<Place>) = match self {
            Refusal::Range(reason) => (
                code::LITERAL_RANGE,
                format!("this value doesn't fit into type `{name}`: {reason}"),
                wider(basic).into(),
            ),
            Refusal::Kind(found) => {
                let sample = sample(&Type::basic(basic));
                let help = format!("write for example `{sample}`, or change the type");
                let help = instead(help, expression, sample, scope);
                (code::TYPE_MISMATCH, format!("type `{name}` is needed here, and this is {found}"), help)
            }
            Refusal::Remainder(value) => {
                let (below, above) = (value.floor(), value.floor() + 1);
                let help = format!("the nearest whole numbers are `{below}` and `{above}`");
                let help = instead(help, expression, below.to_string(), scope);
                let message = format!("type `{name}` holds whole numbers, and this comes to {value}");
                (code::TYPE_MISMATCH, message, help)
            }
        };
        let label = format!("not of type `{name}`");
        reporter.report(Problem { code, place: expression.place, message, label, help });
        Refused
    }
}

fn wider(basic: Basic) -> &'static str {
    match basic {
        Basic::Byte => "use a value in that range, or the type `short`, `int` or `long`",
        Basic::Short => "use a value in that range, or the type `int` or `long`",
        Basic::Int => "use a value in that range, or the type `long`",
        Basic::Char => "use a value in that range, or the type `short`, `int` or `long`",
        Basic::Float => "use the type `double`, or write the nearest value that a `float` has, with a point",
        _ => "use a value that the type can hold",
    }
}

fn scalar(literal: &Literal, basic: Basic) -> Result<Scalar, Refusal> {
    match (literal, basic) {
        (Literal::Boolean(value), Basic::Boolean) => Ok(Scalar::Boolean(*value)),
        (Literal::Character(value), Basic::Char) => Ok(Scalar::Char(*value)),
        (Literal::Integer(value), _) => integer(*value, basic),
        (Literal::Real(text), Basic::Float | Basic::Double) => real(text, basic),
        (Literal::Fraction { value, .. }, Basic::Float | Basic::Double) => real(&value.digits(), basic),
        (Literal::Boolean(_), _) => Err(Refusal::Kind("a truth value")),
        (Literal::Character(_), _) => Err(Refusal::Kind("a character")),
        (Literal::Fraction { value, .. }, _) if value.integer().is_none() => Err(Refusal::Remainder(*value)),
        (Literal::Real(_) | Literal::Fraction { .. }, _) => Err(Refusal::Kind("a number with a fraction")),
        (Literal::Time(_), _) => Err(Refusal::Kind("a time, which only periods have")),
    }
}

fn integer(value: i128, basic: Basic) -> Result<Scalar, Refusal> {
    let scalar = match basic {
        Basic::Boolean => return Err(Refusal::Kind("a number")),
        Basic::Byte => i8::try_from(value).ok().map(Scalar::Byte),
        Basic::Short => i16::try_from(value).ok().map(Scalar::Short),
        Basic::Int => i32::try_from(value).ok().map(Scalar::Int),
        Basic::Long => i64::try_from(value).ok().map(Scalar::Long),
        Basic::Char => u8::try_from(value).ok().map(Scalar::Char),
        Basic::Float | Basic::Double => return exact(value, basic),
    };
    scalar.ok_or_else(|| Refusal::Range(range(basic)))
}

fn range(basic: Basic) -> String {
    match basic {
        Basic::Char => "it holds 0 to 255".to_owned(),
        _ => {
            let half = 1_i128 << (8 * basic.width() - 1);
            format!("it holds {} to {}", -half, half - 1)
        }
    }
}

/// An integer for a floating type must be exactly representable; a number with a point is rounded to the
/// nearest value.
fn exact(value: i128, basic: Basic) -> Result<Scalar, Refusal> {
    let scalar = real(&value.to_string(), basic)?;
    let back = match scalar {
        Scalar::Float(value) => format!("{value:.0}"),
        Scalar::Double(value) => format!("{value:.0}"),
        _ => String::new(),
    };
    if back == value.to_string() {
        return Ok(scalar);
    }
    Err(Refusal::Range(format!("the nearest that it holds is {back}")))
}

fn real(text: &str, basic: Basic) -> Result<Scalar, Refusal> {
    let (scalar, finite, zero) = match basic {
        Basic::Float => {
            let value: f32 = text.parse().unwrap_or(f32::INFINITY);
            (Scalar::Float(value), value.is_finite(), value == 0.0)
        }
        _ => {
            let value: f64 = text.parse().unwrap_or(f64::INFINITY);
            (Scalar::Double(value), value.is_finite(), value == 0.0)
        }
    };
    let mantissa = text.split(['e', 'E']).next().unwrap_or("");
    let written_zero = !mantissa.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
    match (finite, zero && !written_zero) {
        (false, _) => Err(Refusal::Range("it would become infinite".to_owned())),
        (true, true) => Err(Refusal::Range("it would become zero".to_owned())),
        (true, false) => Ok(scalar),
    }
}
