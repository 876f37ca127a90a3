//! Literals and constants become values of the type that is asked for (rule 15).
//!
//! A constant has no type of its own: it is a literal with a name, and takes the type of each use.

use super::kind::constant;
use super::name::Scope;
use super::{Checked, Refused};
use crate::diagnostic::{Problem, Reporter, code};
use crate::model::{Basic, Scalar, Type, Value};
use crate::syntax::{Expression, Form, Literal};

pub(super) fn value(
    expression: &Expression,
    kind: Type,
    scope: &Scope<'_>,
    reporter: &mut Reporter,
) -> Checked<Value> {
    let form = constant(expression, scope, reporter)?;
    match (form, kind.length) {
        (Form::Literal(literal), None) => scalar(literal, kind.basic)
            .map(Value::Scalar)
            .map_err(|refusal| refusal.report(expression, kind.basic, reporter)),
        (Form::Array(elements), Some(length)) if u32::try_from(elements.len()) == Ok(length) => {
            let element = |element| self::element(element, kind.basic, scope, reporter);
            elements.iter().map(element).collect::<Checked<_>>().map(Value::Array)
        }
        (Form::Array(elements), Some(_)) => {
            wrong_shape(expression, kind, &format!("an array of {}", elements.len()), reporter)
        }
        (Form::Array(_), None) => wrong_shape(expression, kind, "an array", reporter),
        (_, Some(_)) => wrong_shape(expression, kind, "a single value", reporter),
        (Form::Path(_), None) => wrong_shape(expression, kind, "a name", reporter),
    }
}

fn element(
    expression: &Expression,
    basic: Basic,
    scope: &Scope<'_>,
    reporter: &mut Reporter,
) -> Checked<Scalar> {
    match constant(expression, scope, reporter)? {
        Form::Literal(literal) => {
            scalar(literal, basic).map_err(|refusal| refusal.report(expression, basic, reporter))
        }
        _ => {
            let kind = Type { basic, length: None };
            wrong_shape(expression, kind, "an array", reporter)
        }
    }
}

/// A value of this type, as help and proposals write it.
pub(super) fn sample(kind: Type) -> String {
    let scalar = match kind.basic {
        Basic::Boolean => "false",
        Basic::Float | Basic::Double => "0.0",
        _ => "0",
    };
    match kind.length {
        None => scalar.to_owned(),
        Some(length @ 1..=4) => format!("{{{}}}", vec![scalar; length as usize].join(", ")),
        Some(_) => format!("{{{scalar}, {scalar}, ...}}"),
    }
}

fn wrong_shape<T>(expression: &Expression, kind: Type, found: &str, reporter: &mut Reporter) -> Checked<T> {
    reporter.report(Problem {
        code: code::TYPE_MISMATCH,
        place: expression.place,
        message: format!("type `{kind}` is needed here, and this is {found}"),
        label: format!("not of type `{kind}`"),
        help: format!("write for example `{}`", sample(kind)),
    });
    Err(Refused)
}

/// Why a literal is no value of a type.
enum Refusal {
    Range(String),
    Kind(&'static str),
}

impl Refusal {
    fn report(self, expression: &Expression, basic: Basic, reporter: &mut Reporter) -> Refused {
        let name = basic.name();
        let (code, message, help) = match self {
            Refusal::Range(reason) => (
                code::LITERAL_RANGE,
                format!("this value doesn't fit into type `{name}`: {reason}"),
                wider(basic),
            ),
            Refusal::Kind(found) => {
                let kind = Type { basic, length: None };
                let help = format!("write for example `{}`, or change the type", sample(kind));
                (code::TYPE_MISMATCH, format!("type `{name}` is needed here, and this is {found}"), help)
            }
        };
        let label = format!("not of type `{name}`");
        reporter.report(Problem { code, place: expression.place, message, label, help });
        Refused
    }
}

fn wider(basic: Basic) -> String {
    match basic {
        Basic::Byte => "use a value in that range, or the type `short`, `int` or `long`",
        Basic::Short => "use a value in that range, or the type `int` or `long`",
        Basic::Int => "use a value in that range, or the type `long`",
        Basic::Char => "use a value in that range, or the type `short`, `int` or `long`",
        Basic::Float => "use the type `double`, or write the nearest value that a `float` has, with a point",
        _ => "use a value that the type can hold",
    }
    .to_owned()
}

fn scalar(literal: &Literal, basic: Basic) -> Result<Scalar, Refusal> {
    match (literal, basic) {
        (Literal::Boolean(value), Basic::Boolean) => Ok(Scalar::Boolean(*value)),
        (Literal::Character(value), Basic::Char) => Ok(Scalar::Char(*value)),
        (Literal::Integer(value), _) => integer(*value, basic),
        (Literal::Real(text), Basic::Float | Basic::Double) => real(text, basic),
        (Literal::Boolean(_), _) => Err(Refusal::Kind("a truth value")),
        (Literal::Character(_), _) => Err(Refusal::Kind("a character")),
        (Literal::Real(_), _) => Err(Refusal::Kind("a number with a fraction")),
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

/// An integer for a floating type must be one of its values; a number with a point is rounded to the nearest.
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
