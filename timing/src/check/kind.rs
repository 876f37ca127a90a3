//! Turns written types into types of the model.

use super::constant::{constant, not_imported};
use super::name::{Entity, Scope};
use super::{Checks, Refused, suggestion};
use crate::diagnostic::{Problem, Reporter, code};
use crate::help::Help;
use crate::model::{Basic, Element, Type};
use crate::syntax::{Expression, Form, Kind, Literal, Name};

pub(super) fn kind(kind: &Kind, scope: &Scope<'_>, reporter: &mut Reporter) -> Checks<Type> {
    if reporter.is_full() {
        return Err(Refused);
    }
    let element = match &kind.module {
        Some(module) => imported(module, &kind.name, scope, reporter)?,
        None => element(&kind.name, scope, reporter)?,
    };
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
    match scope.own.records.get(name.text.as_str()) {
        Some(record) => Ok(Element::Record(record.clone())),
        None => unknown(name, scope, reporter),
    }
}

/// A struct of another module.
fn imported(module: &Name, name: &Name, scope: &Scope<'_>, reporter: &mut Reporter) -> Checks<Element> {
    let offers = match scope.names.get(module.text.as_str()) {
        Some(Entity::Import(index)) => scope.imported.get(index).ok_or(Refused)?,
        None if scope.modules.contains_key(module.text.as_str()) => {
            return not_imported(module, std::slice::from_ref(name), scope, reporter);
        }
        _ => return no_module(module, scope, reporter),
    };
    if let Some(record) = offers.records.get(name.text.as_str()) {
        return Ok(Element::Record(record.clone()));
    }
    reporter.count(offers.records.len());
    let help = match Basic::named(&name.text) {
        Some(_) => Help::write(module.place.to(name.place), &name.text),
        None => suggestion::proposal(
            name,
            offers.records.keys().copied(),
            format!("declare `struct {} {{ ... }}` in `{}`", name.text, module.text),
        ),
    };
    reporter.report(Problem {
        code: code::UNKNOWN_TYPE,
        place: name.place,
        message: format!("module `{}` has no struct called `{}`", module.text, name.text),
        label: "unknown type".to_owned(),
        help,
    });
    Err(Refused)
}

fn no_module<T>(module: &Name, scope: &Scope<'_>, reporter: &mut Reporter) -> Checks<T> {
    let imports = scope.module.imports.iter().map(|import| import.text.as_str());
    reporter.count(scope.module.imports.len());
    reporter.report(Problem {
        code: code::UNKNOWN_TYPE,
        place: module.place,
        message: format!("before the dot of a type stands an imported module, and `{}` is none", module.text),
        label: "not an imported module".to_owned(),
        help: suggestion::proposal(module, imports, "import the module that declares the struct"),
    });
    Err(Refused)
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
            match scope.importing(|offers| offers.records.contains_key(name.text.as_str()), reporter) {
                Some(module) => Help::write(name.place, &format!("{module}.{}", name.text)),
                None => suggestion::proposal(name, names, otherwise),
            }
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
    let count = match &*form {
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
