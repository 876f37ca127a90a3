//! Values, and their bytes in a port.

use std::fmt;

/// One value of a basic type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    /// `boolean`
    Boolean(bool),
    /// `byte`
    Byte(i8),
    /// `short`
    Short(i16),
    /// `int`
    Int(i32),
    /// `long`
    Long(i64),
    /// `char`
    Char(u8),
    /// `float`, never NaN or infinite
    Float(f32),
    /// `double`, never NaN or infinite
    Double(f64),
}

impl Scalar {
    fn append(self, bytes: &mut Vec<u8>) {
        match self {
            Scalar::Boolean(value) => bytes.push(u8::from(value)),
            Scalar::Byte(value) => bytes.extend(value.to_le_bytes()),
            Scalar::Short(value) => bytes.extend(value.to_le_bytes()),
            Scalar::Int(value) => bytes.extend(value.to_le_bytes()),
            Scalar::Long(value) => bytes.extend(value.to_le_bytes()),
            Scalar::Char(value) => bytes.push(value),
            Scalar::Float(value) => bytes.extend(value.to_le_bytes()),
            Scalar::Double(value) => bytes.extend(value.to_le_bytes()),
        }
    }
}

/// A value of a port.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A value of a basic type.
    Scalar(Scalar),
    /// The elements of an array, or the fields of a record, in order.
    List(Vec<Value>),
}

impl Value {
    /// The layout in a port: little-endian, without padding, as long as the type's size.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.append(&mut bytes);
        bytes
    }

    fn append(&self, bytes: &mut Vec<u8>) {
        match self {
            Value::Scalar(scalar) => scalar.append(bytes),
            Value::List(parts) => parts.iter().for_each(|part| part.append(bytes)),
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Boolean(value) => write!(out, "{value}"),
            Scalar::Byte(value) => write!(out, "{value}"),
            Scalar::Short(value) => write!(out, "{value}"),
            Scalar::Int(value) => write!(out, "{value}"),
            Scalar::Long(value) => write!(out, "{value}"),
            Scalar::Char(value) => write!(out, "{value}"),
            Scalar::Float(value) => write!(out, "{value:?}"),
            Scalar::Double(value) => write!(out, "{value:?}"),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Scalar(scalar) => scalar.fmt(out),
            Value::List(parts) => {
                let parts: Vec<_> = parts.iter().map(Value::to_string).collect();
                write!(out, "{{{}}}", parts.join(", "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_endian_without_padding() {
        let bytes = |scalar| Value::Scalar(scalar).bytes();
        assert_eq!(bytes(Scalar::Boolean(true)), [1]);
        assert_eq!(bytes(Scalar::Byte(-2)), [0xfe]);
        assert_eq!(bytes(Scalar::Short(0x0102)), [2, 1]);
        assert_eq!(bytes(Scalar::Int(-2)), [0xfe, 0xff, 0xff, 0xff]);
        assert_eq!(bytes(Scalar::Long(1)), [1, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(bytes(Scalar::Char(200)), [200]);
        assert_eq!(bytes(Scalar::Float(1.0)), [0, 0, 0x80, 0x3f]);
        assert_eq!(bytes(Scalar::Double(1.0)), [0, 0, 0, 0, 0, 0, 0xf0, 0x3f]);
        let array = Value::List([1, -1].map(Scalar::Short).map(Value::Scalar).to_vec());
        assert_eq!(array.bytes(), [1, 0, 0xff, 0xff]);
        let record = Value::List(vec![array, Value::Scalar(Scalar::Char(7))]);
        assert_eq!(record.bytes(), [1, 0, 0xff, 0xff, 7]);
    }
}
