//! Types: eight basic ones, records, and arrays of them.

use std::fmt;
use std::sync::Arc;

/// A type that holds one number, character or truth value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Basic {
    /// Zero or one in one byte.
    Boolean,
    /// Signed, one byte.
    Byte,
    /// Signed, two bytes.
    Short,
    /// Signed, four bytes.
    Int,
    /// Signed, eight bytes.
    Long,
    /// Unsigned, one byte.
    Char,
    /// IEEE 754 binary32.
    Float,
    /// IEEE 754 binary64.
    Double,
}

impl Basic {
    /// Every basic type.
    pub const ALL: [Basic; 8] = [
        Basic::Boolean,
        Basic::Byte,
        Basic::Short,
        Basic::Int,
        Basic::Long,
        Basic::Char,
        Basic::Float,
        Basic::Double,
    ];

    /// Its word in the timing language.
    pub fn name(self) -> &'static str {
        match self {
            Basic::Boolean => "boolean",
            Basic::Byte => "byte",
            Basic::Short => "short",
            Basic::Int => "int",
            Basic::Long => "long",
            Basic::Char => "char",
            Basic::Float => "float",
            Basic::Double => "double",
        }
    }

    /// The basic type with this word.
    pub fn named(name: &str) -> Option<Basic> {
        Basic::ALL.into_iter().find(|basic| basic.name() == name)
    }

    /// Its size in a port, in bytes.
    pub fn width(self) -> u32 {
        match self {
            Basic::Boolean | Basic::Byte | Basic::Char => 1,
            Basic::Short => 2,
            Basic::Int | Basic::Float => 4,
            Basic::Long | Basic::Double => 8,
        }
    }

    /// The Rust type of the same layout. A boolean is a `u8`, because another process may write any byte to a
    /// port, and Rust's `bool` doesn't allow that.
    pub fn rust_name(self) -> &'static str {
        match self {
            Basic::Boolean | Basic::Char => "u8",
            Basic::Byte => "i8",
            Basic::Short => "i16",
            Basic::Int => "i32",
            Basic::Long => "i64",
            Basic::Float => "f32",
            Basic::Double => "f64",
        }
    }
}

/// The type of a single value, or of each element of an array.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    /// A number, character or truth value.
    Basic(Basic),
    /// A record.
    Record(Arc<Record>),
}

/// Values of several types in sequence, without padding.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Record {
    /// The same record in the whole system, including native code.
    pub name: String,
    /// At least one, in text order, each aligned.
    pub fields: Vec<Field>,
    size: u32,
    alignment: u32,
    depth: u32,
}

/// A field of a record.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// Unique in its record.
    pub name: String,
    /// Of basic type, a record that comes before this one, or an array of either.
    pub kind: Type,
}

/// The type of a port, sensor or actuator.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    /// Of the value, or of each element.
    pub element: Element,
    /// The number of array elements, 1 to [`Type::MOST_ELEMENTS`]; `None` for a single value.
    pub length: Option<u32>,
}

impl Record {
    /// How deep records may nest, including the outermost. Values, and types in traces, nest twice as deep.
    pub const MOST_DEPTH: u32 = 6;

    /// A record with these fields.
    #[must_use]
    pub fn new(name: String, fields: Vec<Field>) -> Record {
        let kinds = || fields.iter().map(|field| &field.kind);
        let size = kinds().map(Type::size).fold(0, u32::saturating_add);
        let alignment = kinds().map(Type::alignment).max().unwrap_or(1);
        let depth = kinds().map(Type::depth).max().unwrap_or(0).saturating_add(1);
        Record { name, fields, size, alignment, depth }
    }

    /// Its size in a port, in bytes.
    #[must_use]
    pub fn size(&self) -> u32 {
        self.size
    }

    /// How deep records nest here, including this one.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.depth
    }
}

impl Element {
    /// The size of one element in bytes.
    #[must_use]
    pub fn size(&self) -> u32 {
        match self {
            Element::Basic(basic) => basic.width(),
            Element::Record(record) => record.size,
        }
    }

    fn alignment(&self) -> u32 {
        match self {
            Element::Basic(basic) => basic.width(),
            Element::Record(record) => record.alignment,
        }
    }

    fn name(&self) -> &str {
        match self {
            Element::Basic(basic) => basic.name(),
            Element::Record(record) => &record.name,
        }
    }
}

impl Type {
    /// The longest array: 32 kB of `double`, all the memory of the smallest machine.
    pub const MOST_ELEMENTS: u32 = 4096;

    /// A single value of a basic type.
    #[must_use]
    pub const fn basic(basic: Basic) -> Type {
        Type { element: Element::Basic(basic), length: None }
    }

    /// An array of a basic type, of 1 to [`Type::MOST_ELEMENTS`] elements.
    #[must_use]
    pub const fn array(basic: Basic, length: u32) -> Type {
        Type { element: Element::Basic(basic), length: Some(length) }
    }

    /// Its size in a port, in bytes; there is no padding.
    #[must_use]
    pub fn size(&self) -> u32 {
        self.element.size().saturating_mul(self.length.unwrap_or(1))
    }

    /// How deep records nest in it.
    pub(crate) fn depth(&self) -> u32 {
        match &self.element {
            Element::Basic(_) => 0,
            Element::Record(record) => record.depth,
        }
    }

    /// Alignment in bytes, a power of two.
    #[must_use]
    pub fn alignment(&self) -> u32 {
        self.element.alignment()
    }

    /// The Rust type of the same layout, for example `f32` or `[f32; 3]`; for a record, the application's own
    /// type.
    #[must_use]
    pub fn rust_name(&self) -> String {
        let element = match &self.element {
            Element::Basic(basic) => basic.rust_name().to_owned(),
            Element::Record(record) => format!("application::{}", record.name),
        };
        match self.length {
            None => element,
            Some(length) => format!("[{element}; {length}]"),
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.length {
            None => out.write_str(self.element.name()),
            Some(length) => write!(out, "{}[{length}]", self.element.name()),
        }
    }
}
