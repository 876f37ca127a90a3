//! Conditions of the timing program as expressions in Rust.

use beryl_timing::{Basic, Condition, Scalar, Side, Type};

use super::c;
use crate::assembly::Assembly;

/// The expression; `port` is where an argument is. The recursion is as deep as the parentheses of the text.
pub fn source(assembly: &Assembly, condition: &Condition, port: &dyn Fn(usize) -> String) -> String {
    let joined = |parts: &[Condition], operator: &str| {
        let parts = parts.iter().map(|part| format!("({})", source(assembly, part, port)));
        parts.collect::<Vec<_>>().join(operator)
    };
    match condition {
        Condition::Native { function, arguments, .. } => {
            let arguments = arguments.iter().map(|number| format!("&*{}", port(*number)));
            format!(
                "{}::{function}({})",
                c::home(assembly, function),
                arguments.collect::<Vec<_>>().join(", ")
            )
        }
        Condition::Value(number) => format!("*{} != 0", port(*number)),
        Condition::Compared { left, comparison, right, kind } => {
            let [left, right] = [left, right].map(|side| value(side, kind, port));
            format!("{left} {} {right}", comparison.word())
        }
        Condition::Not(inner) => format!("!({})", source(assembly, inner, port)),
        Condition::All(parts) => joined(parts, " && "),
        Condition::Any(parts) => joined(parts, " || "),
    }
}

/// A boolean is a byte that another process may have written: any but zero is true, as for native functions.
fn value(side: &Side, kind: &Type, port: &dyn Fn(usize) -> String) -> String {
    match side {
        Side::Argument(number) if *kind == Type::basic(Basic::Boolean) => {
            format!("(*{} != 0)", port(*number))
        }
        Side::Argument(number) => format!("*{}", port(*number)),
        Side::Constant(scalar) => literal(*scalar),
    }
}

/// Floating values by their bits: what the text says has been rounded already.
fn literal(scalar: Scalar) -> String {
    match scalar {
        Scalar::Boolean(value) => value.to_string(),
        Scalar::Byte(value) => format!("{value}_i8"),
        Scalar::Short(value) => format!("{value}_i16"),
        Scalar::Int(value) => format!("{value}_i32"),
        Scalar::Long(value) => format!("{value}_i64"),
        Scalar::Char(value) => format!("{value}_u8"),
        Scalar::Float(value) => format!("f32::from_bits({:#010x})", value.to_bits()),
        Scalar::Double(value) => format!("f64::from_bits({:#018x})", value.to_bits()),
    }
}
