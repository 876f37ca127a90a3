//! Conversions between all widths, and between integers and numbers with a point: what doesn't fit saturates,
//! no number is 0.

use crate::operation::{Operation, operations};

macro_rules! conversions {
    ($kind:ident, [$($from:ident)*]) => {
        operations!($kind, [$($from)*], {
            "as_i8" => |a, _b, _c| a as i8;
            "as_i16" => |a, _b, _c| a as i16;
            "as_i32" => |a, _b, _c| a as i32;
            "as_i64" => |a, _b, _c| a as i64;
            "as_u8" => |a, _b, _c| a as u8;
            "as_u16" => |a, _b, _c| a as u16;
            "as_u32" => |a, _b, _c| a as u32;
            "as_u64" => |a, _b, _c| a as u64;
            "as_f32" => |a, _b, _c| a as f32;
            "as_f64" => |a, _b, _c| a as f64;
        })
    };
}

const INTEGERS: &[&[Operation]] = conversions!(Integers, [i8 i16 i32 i64 u8 u16 u32 u64]);
const SINGLES: &[&[Operation]] = conversions!(Singles, [f32]);
const DOUBLES: &[&[Operation]] = conversions!(Doubles, [f64]);

/// All of them.
pub const ALL: &[&[Operation]] = &[
    INTEGERS[0],
    INTEGERS[1],
    INTEGERS[2],
    INTEGERS[3],
    INTEGERS[4],
    INTEGERS[5],
    INTEGERS[6],
    INTEGERS[7],
    SINGLES[0],
    DOUBLES[0],
];
