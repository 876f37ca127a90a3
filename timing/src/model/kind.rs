//! Types: eight basic ones, and arrays of them.

use std::fmt;

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

    /// Bytes in a port.
    pub fn width(self) -> u32 {
        match self {
            Basic::Boolean | Basic::Byte | Basic::Char => 1,
            Basic::Short => 2,
            Basic::Int | Basic::Float => 4,
            Basic::Long | Basic::Double => 8,
        }
    }

    /// The Rust type of the same layout. A boolean is a `u8`, because a port that another process wrote may hold
    /// any byte, and Rust's `bool` may not.
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

/// The type of a port, sensor or actuator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    /// Of the value, or of each element.
    pub basic: Basic,
    /// Elements of an array, 1 to [`Type::MOST_ELEMENTS`]; `None` for a single value.
    pub length: Option<u32>,
}

impl Type {
    /// The longest array: 32 kB of `double`, all that the smallest machine has.
    pub const MOST_ELEMENTS: u32 = 4096;

    /// Bytes in a port; there is no padding.
    pub fn size(self) -> u32 {
        self.basic.width() * self.length.unwrap_or(1)
    }

    /// Alignment in bytes, a power of two.
    pub fn alignment(self) -> u32 {
        self.basic.width()
    }

    /// The Rust type of the same layout, for example `f32` or `[f32; 3]`.
    pub fn rust_name(self) -> String {
        match self.length {
            None => self.basic.rust_name().to_owned(),
            Some(length) => format!("[{}; {length}]", self.basic.rust_name()),
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.length {
            None => out.write_str(self.basic.name()),
            Some(length) => write!(out, "{}[{length}]", self.basic.name()),
        }
    }
}
