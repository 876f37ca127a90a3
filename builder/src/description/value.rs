//! What a key's value can be: each kind reads itself and says what it expects.

use super::suggestion::{closest, suggestion};
use super::{Order, Placed, ProgramCheck, code};
use crate::quantity::{Bytes, Misread, Nanoseconds};
use beryl_abi::{Classes, Journal};
use beryl_timing::{Basic, Type};
use toml::de::DeValue;

/// Why a value was refused; the reader adds the place and the key.
pub(super) struct Wrong {
    pub(super) code: &'static str,
    /// Completes "`key` of something ...".
    pub(super) reason: String,
    pub(super) help: String,
    /// What to write instead, if that is known better than by an example of its kind.
    pub(super) instead: Option<String>,
}

/// A kind of value.
pub(super) trait Value: Sized {
    /// One, as the description writes it.
    const EXAMPLE: &'static str;

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong>;
}

/// A name that can be used in programs and file names.
pub(super) struct Name(pub(super) String);

/// A path relative to the description.
pub(super) struct Path(pub(super) String);

/// A number from 0 to `MOST`.
pub(super) struct UpTo<const MOST: u8>(pub(super) u8);

/// A number from `LEAST` to `MOST`.
pub(super) struct Between<const LEAST: u16, const MOST: u16>(pub(super) u16);

/// How many events a journal has room for.
pub(super) struct Places(pub(super) u32);

/// A type of the timing language.
pub(super) struct TypeName(pub(super) Type);

/// A class of events.
pub(super) struct Class(pub(super) Classes);

/// Which kind of semaphore.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SemaphoreKind {
    Binary,
    Counting,
}

/// What becomes of the values of a state message.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Values {
    /// They are told in the trace.
    Traced,
    /// Nobody is told.
    Untold,
}

/// Any text.
pub(super) struct Text(pub(super) String);

impl Value for Text {
    const EXAMPLE: &'static str = "\"...\"";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        text(value, "a text in quotation marks").map(|text| Text(text.to_owned()))
    }
}

/// In what values are told: a few characters.
pub(super) struct UnitName(pub(super) String);

impl Value for UnitName {
    const EXAMPLE: &'static str = "\"mm\"";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        let unit = text(value, "a unit in quotation marks")?;
        if (1..=16).contains(&unit.chars().count()) && !unit.chars().any(char::is_control) {
            return Ok(UnitName(unit.to_owned()));
        }
        Err(Wrong {
            code: code::RANGE,
            reason: "isn't a unit".to_owned(),
            help: "a unit has 1 to 16 characters, like \"mm\" or \"1/min\"".to_owned(),
            instead: None,
        })
    }
}

impl Value for Name {
    const EXAMPLE: &'static str = "\"...\"";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        let name = text(value, "a name in quotation marks")?;
        if is_name(name) {
            return Ok(Name(name.to_owned()));
        }
        Err(Wrong {
            code: code::NAME,
            reason: "isn't a name".to_owned(),
            help: NAME_RULE.to_owned(),
            instead: None,
        })
    }
}

/// What a name must be.
pub(super) const NAME_RULE: &str = "a name has letters, digits and `_`, at most 64, and starts with no digit";

/// Whether a text is a name.
pub(super) fn is_name(text: &str) -> bool {
    let starts = text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    starts && text.len() <= 64 && text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

impl Value for Path {
    const EXAMPLE: &'static str = "\"...\"";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        let path = text(value, "a path in quotation marks")?;
        if !path.is_empty() && std::path::Path::new(path).is_relative() {
            return Ok(Path(path.to_owned()));
        }
        let reason = "isn't a relative path".to_owned();
        Err(Wrong {
            code: code::RANGE,
            reason,
            help: "write the path as seen from this file's folder".to_owned(),
            instead: None,
        })
    }
}

impl<const MOST: u8> Value for UpTo<MOST> {
    const EXAMPLE: &'static str = "0";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        number(value, 0, MOST.into()).map(|number| UpTo(u8::try_from(number).unwrap_or(MOST)))
    }
}

impl<const LEAST: u16, const MOST: u16> Value for Between<LEAST, MOST> {
    const EXAMPLE: &'static str = "1";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        number(value, LEAST, MOST).map(Between)
    }
}

impl Value for Places {
    const EXAMPLE: &'static str = "8";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        let most = u16::try_from(Journal::MOST).unwrap_or(u16::MAX);
        let number = number(value, 2, most)?;
        match number.is_power_of_two() {
            true => Ok(Places(number.into())),
            false => Err(Wrong {
                code: code::RANGE,
                reason: "isn't a power of two".to_owned(),
                help: format!(
                    "write 2, 4, 8 and so on up to {most}: places are found by the last bits of a count"
                ),
                instead: Some(number.next_power_of_two().to_string()),
            }),
        }
    }
}

impl Value for TypeName {
    const EXAMPLE: &'static str = "\"int\"";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        let text = text(value, "a type in quotation marks, like \"int\" or \"double[4]\"")?;
        type_named(text).map(TypeName)
    }
}

impl Value for Values {
    const EXAMPLE: &'static str = "\"traced\"";

    fn read(value: &DeValue<'_>) -> Result<Values, Wrong> {
        choice(value, &[("traced", Values::Traced), ("untold", Values::Untold)])
    }
}

impl Value for SemaphoreKind {
    const EXAMPLE: &'static str = "\"binary\"";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        choice(value, &[("binary", SemaphoreKind::Binary), ("counting", SemaphoreKind::Counting)])
    }
}

impl Value for Class {
    const EXAMPLE: &'static str = "\"locks\"";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        choice(value, Classes::NAMED).map(Class)
    }
}

impl Value for ProgramCheck {
    const EXAMPLE: &'static str = "\"certificate\"";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        choice(value, &[("any", ProgramCheck::Any), ("certificate", ProgramCheck::Certificate)])
    }
}

impl Value for Order {
    const EXAMPLE: &'static str = "\"urgency\"";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        choice(value, &[("urgency", Order::Urgency), ("arrival", Order::Arrival)])
    }
}

impl Value for Bytes {
    const EXAMPLE: &'static str = "\"1k\"";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        quantity(value, "a size", Bytes::NOTATION, Bytes::read)
    }
}

impl Value for Nanoseconds {
    const EXAMPLE: &'static str = "\"1ms\"";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        quantity(value, "a duration", Nanoseconds::NOTATION, Nanoseconds::read)
    }
}

fn number(value: &DeValue<'_>, least: u16, most: u16) -> Result<u16, Wrong> {
    let number = value.as_integer().ok_or_else(|| wrong_kind(value, "a whole number"))?;
    let number = i64::from_str_radix(number.as_str(), number.radix()).ok();
    number
        .and_then(|number| u16::try_from(number).ok())
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| Wrong {
            code: code::RANGE,
            reason: "is out of range".to_owned(),
            help: format!("write a number from {least} to {most}"),
            instead: Some(least.to_string()),
        })
}

/// The type that a text names, written as in the timing language.
fn type_named(text: &str) -> Result<Type, Wrong> {
    let (name, length) = match text.strip_suffix(']').and_then(|rest| rest.split_once('[')) {
        Some((name, length)) => (name, Some(length)),
        None => (text, None),
    };
    let basic = Basic::named(name).ok_or_else(|| Wrong {
        code: code::UNKNOWN_NAME,
        reason: format!("can't be `{text}`"),
        help: suggestion(name, &Basic::ALL.map(Basic::name), "types"),
        instead: closest(name, &Basic::ALL.map(Basic::name))
            .map(|found| format!("\"{}\"", text.replacen(name, found, 1))),
    })?;
    let Some(length) = length else { return Ok(Type::basic(basic)) };
    let elements = length.parse().ok().filter(|length| (1..=Type::MOST_ELEMENTS).contains(length));
    elements.map(|length| Type::array(basic, length)).ok_or_else(|| Wrong {
        code: code::RANGE,
        reason: format!("can't have `{length}` elements"),
        help: format!("write a number from 1 to {} between the brackets", Type::MOST_ELEMENTS),
        instead: None,
    })
}

pub(super) fn text<'a>(value: &'a DeValue<'_>, expected: &str) -> Result<&'a str, Wrong> {
    value.as_str().ok_or_else(|| wrong_kind(value, expected))
}

pub(super) fn wrong_kind(value: &DeValue<'_>, expected: &str) -> Wrong {
    let found = match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number with a point",
        DeValue::Boolean(_) => "a truth value",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    };
    Wrong {
        code: code::WRONG_KIND,
        reason: format!("is {found}"),
        help: format!("write {expected}"),
        instead: None,
    }
}

fn quantity<T>(
    value: &DeValue<'_>,
    kind: &str,
    notation: &str,
    read: impl Fn(&str) -> Result<T, Misread>,
) -> Result<T, Wrong> {
    let text = text(value, &format!("{kind} in quotation marks: {notation}"))?;
    read(text).map_err(|misread| Wrong {
        code: code::QUANTITY,
        reason: format!("isn't {kind}: {misread}"),
        help: format!("write {notation}"),
        instead: None,
    })
}

pub(super) fn choice<T: Copy>(value: &DeValue<'_>, choices: &[(&str, T)]) -> Result<T, Wrong> {
    let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
    let text = text(value, &format!("one of: {}", names.join(", ")))?;
    choices.iter().find(|(name, _)| *name == text).map(|(_, choice)| *choice).ok_or_else(|| Wrong {
        code: code::UNKNOWN_NAME,
        reason: format!("can't be `{text}`"),
        help: suggestion(text, &names, "choices"),
        instead: closest(text, &names).map(|found| format!("\"{found}\"")),
    })
}

/// A name without what it was checked for.
pub(super) fn name(placed: Placed<Name>) -> Placed<String> {
    Placed::new(placed.value.0, placed.place)
}

/// The same of a path.
pub(super) fn path(placed: Placed<Path>) -> Placed<String> {
    Placed::new(placed.value.0, placed.place)
}
