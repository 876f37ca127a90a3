//! Integers of all widths: what wraps, what is checked, what saturates, and bits.

use crate::operation::{Operation, operations};

/// All of them.
pub const ALL: &[&[Operation]] = operations!(Integers, [i8 i16 i32 i64 u8 u16 u32 u64], {
    "wrapping_add" => |a, b, _c| a.wrapping_add(b);
    "wrapping_sub" => |a, b, _c| a.wrapping_sub(b);
    "wrapping_mul" => |a, b, _c| a.wrapping_mul(b);
    "wrapping_neg" => |a, _b, _c| a.wrapping_neg();
    "wrapping_shl" => |a, b, _c| a.wrapping_shl(b as u32);
    "wrapping_shr" => |a, b, _c| a.wrapping_shr(b as u32);
    "wrapping_pow" => |a, b, _c| a.wrapping_pow(b as u32 & 63);
    "checked_add" => |a, b, _c| a.checked_add(b);
    "checked_sub" => |a, b, _c| a.checked_sub(b);
    "checked_mul" => |a, b, _c| a.checked_mul(b);
    "checked_div" => |a, b, _c| a.checked_div(b);
    "checked_rem" => |a, b, _c| a.checked_rem(b);
    "checked_div_euclid" => |a, b, _c| a.checked_div_euclid(b);
    "checked_rem_euclid" => |a, b, _c| a.checked_rem_euclid(b);
    "checked_shl" => |a, b, _c| a.checked_shl(b as u32);
    "checked_pow" => |a, b, _c| a.checked_pow(b as u32 & 63);
    "checked_neg" => |a, _b, _c| a.checked_neg();
    "saturating_add" => |a, b, _c| a.saturating_add(b);
    "saturating_sub" => |a, b, _c| a.saturating_sub(b);
    "saturating_mul" => |a, b, _c| a.saturating_mul(b);
    "saturating_pow" => |a, b, _c| a.saturating_pow(b as u32 & 63);
    "and" => |a, b, _c| a & b;
    "or" => |a, b, _c| a | b;
    "xor" => |a, b, _c| a ^ b;
    "not" => |a, _b, _c| !a;
    "rotate_left" => |a, b, _c| a.rotate_left(b as u32);
    "leading_zeros" => |a, _b, _c| a.leading_zeros();
    "trailing_zeros" => |a, _b, _c| a.trailing_zeros();
    "count_ones" => |a, _b, _c| a.count_ones();
    "swap_bytes" => |a, _b, _c| a.swap_bytes();
    "abs_diff" => |a, b, _c| a.abs_diff(b);
    "less" => |a, b, _c| a < b;
    "equal" => |a, b, _c| a == b;
    "compare" => |a, b, _c| a.cmp(&b);
    "min" => |a, b, _c| a.min(b);
    "max" => |a, b, _c| a.max(b);
    "isqrt" => |a, _b, _c| a.checked_ilog2().map(|_| a.isqrt());
});
