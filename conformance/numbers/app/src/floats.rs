//! What singles and doubles do by themselves: sums, products, comparisons, signs. What both machines compute exactly.

use beryl_user::math;

use crate::operation::{Operation, operations};

/// All of them.
pub const ALL: &[&[Operation]] = &[SINGLES[0], DOUBLES[0], ROOTS[0]];

macro_rules! floats {
    ($kind:ident, $type:ident, $bits:ident) => {
        operations!($kind, [$type], {
            "add" => |a, b, _c| a + b;
            "sub" => |a, b, _c| a - b;
            "mul" => |a, b, _c| a * b;
            "div" => |a, b, _c| a / b;
            "rem" => |a, b, _c| a % b;
            "neg" => |a, _b, _c| -a;
            "product_and_sum" => |a, b, c| a * b + c;
            "sum_of_three" => |a, b, c| a + b + c;
            "abs" => |a, _b, _c| a.abs();
            "signum" => |a, _b, _c| a.signum();
            "copysign" => |a, b, _c| a.copysign(if b.is_nan() { 1.0 } else { b });
            "recip" => |a, _b, _c| a.recip();
            "to_degrees" => |a, _b, _c| a.to_degrees();
            "to_radians" => |a, _b, _c| a.to_radians();
            "less" => |a, b, _c| a < b;
            "at_most" => |a, b, _c| a <= b;
            "equal" => |a, b, _c| a == b;
            "unequal" => |a, b, _c| a != b;
            "partial_cmp" => |a, b, _c| a.partial_cmp(&b);
            "total_cmp" => |a, b, _c| a.total_cmp(&b);
            "is_nan" => |a, _b, _c| a.is_nan();
            "is_subnormal" => |a, _b, _c| a.is_subnormal();
            // Of two zeros either may be the answer of the methods; these always have the same.
            "min" => |a, b, _c| if a < b { a } else { b };
            "max" => |a, b, _c| if a > b { a } else { b };
            "clamp" => |a, b, c| if b <= c { a.clamp(b, c) } else { a };
            "bits" => |a, _b, _c| $bits::from(a.to_bits());
        })
    };
}

const SINGLES: &[&[Operation]] = floats!(Singles, f32, u32);
const DOUBLES: &[&[Operation]] = floats!(Doubles, f64, u64);

/// Where rounding shows most: a root, and what is left of it.
const ROOTS: &[&[Operation]] = operations!(Doubles, [f64], {
    "what_a_root_leaves" => |a, _b, _c| {
        let root = math::sqrt(a);
        a - root * root
    };
});
