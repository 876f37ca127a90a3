//! The types of driver values, written as in the timing language; they make bytes readable.

mod leaves;

pub use leaves::{Leaf, Number};

use std::fmt;

use serde::{Deserialize, Serialize};

/// A type of the timing language. Written `float`, `double[3]`, `{ float x; float y; }`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum ValueType {
    /// One byte, 0 or 1.
    Boolean,
    /// Eight bits, signed.
    Byte,
    /// Sixteen bits, signed.
    Short,
    /// Thirty-two bits, signed.
    Int,
    /// Sixty-four bits, signed.
    Long,
    /// Eight bits, unsigned.
    Char,
    /// IEEE, 32 bits.
    Float,
    /// IEEE, 64 bits.
    Double,
    /// This many of one type.
    Array(Box<ValueType>, u32),
    /// Named fields, one after the other without padding.
    Record(Vec<(String, ValueType)>),
}

/// A text that isn't a type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a type; types are boolean, byte, short, int, long, char, float, double, arrays and records of them"
)]
pub struct NotAType(String);

const BASIC: [(&str, ValueType); 8] = [
    ("boolean", ValueType::Boolean),
    ("byte", ValueType::Byte),
    ("short", ValueType::Short),
    ("int", ValueType::Int),
    ("long", ValueType::Long),
    ("char", ValueType::Char),
    ("float", ValueType::Float),
    ("double", ValueType::Double),
];

/// Types nest no deeper than this, so that a text can't exhaust the stack.
const DEPTH: usize = 16;

impl ValueType {
    /// The value in `bytes`; the bytes themselves if their number doesn't fit this type.
    #[must_use]
    pub fn describe(&self, bytes: &[u8]) -> String {
        let mut text = String::new();
        match self.read(self.own(bytes), &mut text) {
            Some([]) => text,
            _ => hex(bytes),
        }
    }

    /// The bytes of a value without the padding: drivers copy whole words, so other bytes may follow it.
    #[must_use]
    pub fn own<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        let size = self.size();
        let copied = size.and_then(|size| size.checked_next_multiple_of(4));
        match size.filter(|_| copied == Some(bytes.len())) {
            Some(size) => &bytes[..size],
            None => bytes,
        }
    }

    /// The size of a value in bytes; `None` if it overflows.
    fn size(&self) -> Option<usize> {
        match self {
            ValueType::Boolean | ValueType::Byte | ValueType::Char => Some(1),
            ValueType::Short => Some(2),
            ValueType::Int | ValueType::Float => Some(4),
            ValueType::Long | ValueType::Double => Some(8),
            ValueType::Array(element, count) => element.size()?.checked_mul(usize::try_from(*count).ok()?),
            ValueType::Record(fields) => {
                fields.iter().try_fold(0_usize, |sum, (_, kind)| sum.checked_add(kind.size()?))
            }
        }
    }

    /// The value at the start of `bytes`; `None` if they are too few.
    #[must_use]
    pub fn describe_first(&self, bytes: &[u8]) -> Option<String> {
        let mut text = String::new();
        self.read(bytes, &mut text).map(|_| text)
    }

    /// How values are written, with `#` for each number.
    #[must_use]
    pub fn form(&self) -> String {
        match self {
            ValueType::Array(element, count) => {
                let count = if element.is_empty() { 0 } else { usize::try_from(*count).unwrap_or_default() };
                format!("[{}]", vec![element.form(); count].join(", "))
            }
            ValueType::Record(fields) => {
                let fields: Vec<String> =
                    fields.iter().map(|(name, kind)| format!("{name}: {}", kind.form())).collect();
                format!("{{{}}}", fields.join(", "))
            }
            _ => "#".to_owned(),
        }
    }

    /// Writes the value at the start of `bytes` and returns the rest; `None` if they are too few.
    fn read<'a>(&self, bytes: &'a [u8], text: &mut String) -> Option<&'a [u8]> {
        match self {
            ValueType::Boolean => one(bytes, text, |[byte]| match byte {
                0 => "false".to_owned(),
                1 => "true".to_owned(),
                other => format!("true ({other})"),
            }),
            ValueType::Byte => one(bytes, text, |bytes| i8::from_le_bytes(bytes).to_string()),
            ValueType::Char => one(bytes, text, |bytes| u8::from_le_bytes(bytes).to_string()),
            ValueType::Short => one(bytes, text, |bytes| i16::from_le_bytes(bytes).to_string()),
            ValueType::Int => one(bytes, text, |bytes| i32::from_le_bytes(bytes).to_string()),
            ValueType::Long => one(bytes, text, |bytes| i64::from_le_bytes(bytes).to_string()),
            ValueType::Float => one(bytes, text, |bytes| f32::from_le_bytes(bytes).to_string()),
            ValueType::Double => one(bytes, text, |bytes| f64::from_le_bytes(bytes).to_string()),
            ValueType::Array(element, count) => {
                // A long array of an empty type would loop for nothing.
                let count = if element.is_empty() { 0 } else { *count };
                let elements = (0..count).map(|_| (None, element.as_ref()));
                several(elements, ['[', ']'], bytes, text)
            }
            ValueType::Record(fields) => {
                let fields = fields.iter().map(|(name, kind)| (Some(name.as_str()), kind));
                several(fields, ['{', '}'], bytes, text)
            }
        }
    }

    fn is_empty(&self) -> bool {
        match self {
            ValueType::Array(element, count) => *count == 0 || element.is_empty(),
            ValueType::Record(fields) => fields.iter().all(|(_, kind)| kind.is_empty()),
            _ => false,
        }
    }

    fn parse(text: &str, depth: usize) -> Option<ValueType> {
        let text = text.trim();
        let deeper = depth.checked_sub(1)?;
        if let Some(rest) = text.strip_suffix(']') {
            let (element, count) = rest.rsplit_once('[')?;
            let element = ValueType::parse(element, deeper)?;
            return Some(ValueType::Array(Box::new(element), count.trim().parse().ok()?));
        }
        if let Some(inside) = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
            return fields(inside)?
                .into_iter()
                .map(|field| parse_field(field, deeper))
                .collect::<Option<_>>()
                .map(ValueType::Record);
        }
        BASIC.into_iter().find(|(name, _)| *name == text).map(|(_, basic)| basic)
    }
}

/// Splits `float x; { float y; } z;` at the semicolons outside of nested records.
fn fields(text: &str) -> Option<Vec<&str>> {
    let mut depth = 0_usize;
    let mut start = 0;
    let mut fields = Vec::new();
    for (at, character) in text.char_indices() {
        match character {
            '{' => depth = depth.checked_add(1)?,
            '}' => depth = depth.checked_sub(1)?,
            ';' if depth == 0 => {
                fields.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    text[start..].trim().is_empty().then_some(fields)
}

fn parse_field(field: &str, depth: usize) -> Option<(String, ValueType)> {
    let field = field.trim();
    let kind = field.trim_end_matches(|character: char| character.is_alphanumeric() || character == '_');
    let name = field.strip_prefix(kind).filter(|name| !name.is_empty())?;
    Some((name.to_owned(), ValueType::parse(kind, depth)?))
}

fn one<'a, const SIZE: usize>(
    bytes: &'a [u8],
    text: &mut String,
    describe: impl Fn([u8; SIZE]) -> String,
) -> Option<&'a [u8]> {
    let (value, rest) = bytes.split_first_chunk::<SIZE>()?;
    text.push_str(&describe(*value));
    Some(rest)
}

fn several<'a, 't>(
    parts: impl Iterator<Item = (Option<&'t str>, &'t ValueType)>,
    [open, close]: [char; 2],
    mut bytes: &'a [u8],
    text: &mut String,
) -> Option<&'a [u8]> {
    text.push(open);
    for (index, (name, kind)) in parts.enumerate() {
        text.push_str(if index == 0 { "" } else { ", " });
        if let Some(name) = name {
            text.push_str(name);
            text.push_str(": ");
        }
        bytes = kind.read(bytes, text)?;
    }
    text.push(close);
    Some(bytes)
}

/// Bytes as pairs of hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl TryFrom<String> for ValueType {
    type Error = NotAType;

    fn try_from(text: String) -> Result<ValueType, NotAType> {
        ValueType::parse(&text, DEPTH).ok_or(NotAType(text))
    }
}

impl From<ValueType> for String {
    fn from(value_type: ValueType) -> String {
        value_type.to_string()
    }
}

impl fmt::Display for ValueType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueType::Array(element, count) => write!(formatter, "{element}[{count}]"),
            ValueType::Record(fields) => {
                formatter.write_str("{ ")?;
                fields.iter().try_for_each(|(name, kind)| write!(formatter, "{kind} {name}; "))?;
                formatter.write_str("}")
            }
            basic => {
                let name = BASIC.iter().find(|(_, other)| other == basic).map_or("", |(name, _)| name);
                formatter.write_str(name)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<ValueType, NotAType> {
        ValueType::try_from(text.to_owned())
    }

    #[test]
    fn types_are_read_as_they_are_written() {
        for text in
            ["float", "boolean", "double[3]", "int[2][4]", "{ float x; double[2] y; { char c; }[2] z; }"]
        {
            assert_eq!(parsed(text).expect("a type").to_string(), text);
        }
    }

    #[test]
    fn other_texts_are_refused() {
        let deep = format!("{}float{}", "{ ".repeat(50_000), " a; }".repeat(50_000));
        for text in
            ["", "real", "float[", "float[-1]", "float]", "{ float }", "{ float x }", "{ float; }", &deep]
        {
            assert_eq!(parsed(text), Err(NotAType(text.to_owned())));
        }
    }

    #[test]
    fn forms_have_a_place_for_each_number() {
        let form = |text| parsed(text).expect("a type").form();
        assert_eq!(form("{ char a; int[2] b; { } c; }"), "{a: #, b: [#, #], c: {}}");
        assert_eq!((form("double"), form("{ }[4000000000]")), ("#".to_owned(), "[]".to_owned()));
    }

    #[test]
    fn values_are_readable() {
        let cases: [(&str, &[u8], &str); 13] = [
            ("boolean", &[1], "true"),
            ("byte", &[0xFF], "-1"),
            ("float", &0.1_f32.to_le_bytes(), "0.1"),
            ("short[2]", &[1, 0, 2, 0], "[1, 2]"),
            ("{ char a; int[1] b; }", &[7, 1, 0, 0, 0], "{a: 7, b: [1]}"),
            ("float", &[1, 2], "0102"),
            ("char", &[1, 2], "0102"),
            ("{ }[4000000000]", &[], "[]"),
            // Drivers copy whole words.
            ("boolean", &[0, 0xAA, 0xAA, 0xAA], "false"),
            ("char[5]", &[1, 2, 3, 4, 5, 9, 9, 9], "[1, 2, 3, 4, 5]"),
            (
                "{ short a; boolean b; byte c; short d; }",
                &[1, 0, 1, 0xFE, 2, 0, 9, 9],
                "{a: 1, b: true, c: -2, d: 2}",
            ),
            ("boolean", &[1, 0, 0, 0, 0, 0, 0, 0], "0100000000000000"),
            ("long[4000000000]", &[0, 0, 0, 0], "00000000"),
        ];
        for (kind, bytes, text) in cases {
            assert_eq!(parsed(kind).expect("a type").describe(bytes), text, "{kind}");
        }
    }
}
