//! Turns written types into types of the model.

use super::name::{Entity, Scope};
use super::{Checks, Refused, suggestion};
use crate::diagnostic::{Problem, Reporter, code};
use crate::help::Help;
use crate::model::{Basic, Element, Type};
use crate::place::Place;
use crate::syntax::{Expression, Form, Kind, Literal, Name};

pub(super) fn kind(kind: &Kind, scope: &Scope<'_>, reporter: &mut Reporter) -> Checks<Type> {
    if reporter.is_full() {
        return Err(Refused);
    }
    let element = element(&kind.name, scope, reporter)?;
    let length = match &kind.length {
        Some(length) => Some(array_length(length, scope, reporter)?),
        None => None,
    };
    Ok(Type { element, length })
}

fn element(name: &Name, scope: &Scope<'_>, reporter: &mut Reporter) -> Checks<Element> {
    if let Some(basic) = Basic::named(&name.text) {
        return Ok(Element::Basic(basic));
    }
    match scope.records.get(name.text.as_str()) {
        Some(record) => Ok(Element::Record(record.clone())),
        None => unknown(name, scope, reporter),
    }
}

fn unknown<T>(name: &Name, scope: &Scope<'_>, reporter: &mut Reporter) -> Checks<T> {
    let records = scope.module.records.iter().map(|record| record.name.text.as_str());
    let names: Vec<_> = Basic::ALL.map(Basic::name).into_iter().chain(records).collect();
    let help = match foreign(&name.text) {
        Some(basic) => {
            let words = format!("that type is called `{}` here", basic.name());
            Help::from(words).or(name.place, basic.name())
        }
        None => {
            let otherwise =
                format!("the types are {}; a `struct` of this module is one, too", names.join(", "));
            suggestion::proposal(name, names, otherwise)
        }
    };
    reporter.report(Problem {
        code: code::UNKNOWN_TYPE,
        place: name.place,
        message: format!("there is no type called `{}`", name.text),
        label: "unknown type".to_owned(),
        help,
    });
    Err(Refused)
}

/// The type that C or Rust calls by this name.
fn foreign(name: &str) -> Option<Basic> {
    Some(match name {
        "bool" => Basic::Boolean,
        "i8" | "int8_t" => Basic::Byte,
        "i16" | "int16_t" => Basic::Short,
        "i32" | "int32_t" | "integer" => Basic::Int,
        "i64" | "int64_t" => Basic::Long,
        "u8" | "uint8_t" => Basic::Char,
        "f32" | "real" => Basic::Float,
        "f64" => Basic::Double,
        _ => return None,
    })
}

fn array_length(length: &Expression, scope: &Scope<'_>, reporter: &mut Reporter) -> Checks<u32> {
    let form = constant(length, scope, reporter)?;
    let count = match form {
        Form::Literal(Literal::Integer(count)) => u32::try_from(*count).ok(),
        _ => None,
    };
    if let Some(count) = count.filter(|count| (1..=Type::MOST_ELEMENTS).contains(count)) {
        return Ok(count);
    }
    reporter.report(Problem {
        code: code::ARRAY_LENGTH,
        place: length.place,
        message: format!("the length of an array is a whole number from 1 to {}", Type::MOST_ELEMENTS),
        label: "not such a length".to_owned(),
        help: Help::from("write the number of elements, for example `float[3]`, or a constant that holds it")
            .or(length.place, "3"),
    });
    Err(Refused)
}

/// The expression itself, or the value of the constant that it names.
pub(super) fn constant<'a>(
    expression: &'a Expression,
    scope: &Scope<'a>,
    reporter: &mut Reporter,
) -> Checks<&'a Form> {
    reporter.count(1);
    if reporter.is_full() {
        return Err(Refused);
    }
    let Form::Path(path) = &expression.form else { return Ok(&expression.form) };
    let [name] = path.as_slice() else { return no_constant(expression.place, reporter) };
    match scope.names.get(name.text.as_str()) {
        Some(Entity::Constant(index)) => match scope.module.constants.get(*index) {
            Some(constant) => Ok(&constant.value.form),
            None => Err(Refused),
        },
        Some(other) => {
            reporter.report(Problem {
                code: code::WRONG_USE,
                place: name.place,
                message: format!(
                    "`{}` is {}; only a literal or a constant can stand here",
                    name.text,
                    other.description()
                ),
                label: "not known before the system runs".to_owned(),
                help: Help::from(format!(
                    "write a number, or declare a constant: `const {}_value = 1;`",
                    name.text
                ))
                .or(name.place, "1"),
            });
            Err(Refused)
        }
        None => {
            let constants = scope.module.constants.iter().map(|constant| constant.name.text.as_str());
            reporter.count(scope.module.constants.len());
            reporter.report(Problem {
                code: code::UNKNOWN_NAME,
                place: name.place,
                message: format!(
                    "module `{}` has no constant called `{}`",
                    scope.module.name.text, name.text
                ),
                label: "unknown constant".to_owned(),
                help: suggestion::proposal(
                    name,
                    constants,
                    format!("write the value itself, or declare `const {} = ...;`", name.text),
                ),
            });
            Err(Refused)
        }
    }
}

fn no_constant<T>(place: Place, reporter: &mut Reporter) -> Checks<T> {
    reporter.report(Problem {
        code: code::WRONG_USE,
        place,
        message: "an output changes while the system runs; only a literal or a constant can stand here"
            .to_owned(),
        label: "not known before the system runs".to_owned(),
        help: "constants don't cross modules: write the value, or a `const` of this module".into(),
    });
    Err(Refused)
}
