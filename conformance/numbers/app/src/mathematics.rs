//! All functions of `beryl_user::math`; `every_function_of_the_library_is_in_the_corpus` compares the lists.

use beryl_user::math::*;

use crate::operation::{Operation, operations};

/// All of them.
pub const ALL: &[&[Operation]] = &[DOUBLES[0], SINGLES[0]];

const DOUBLES: &[&[Operation]] = operations!(Doubles, [f64], {
    "acos" => |a, _b, _c| acos(a);
    "asin" => |a, _b, _c| asin(a);
    "atan" => |a, _b, _c| atan(a);
    "atan2" => |a, b, _c| atan2(a, b);
    "cbrt" => |a, _b, _c| cbrt(a);
    "ceil" => |a, _b, _c| ceil(a);
    "math_copysign" => |a, b, _c| copysign(a, b);
    "cos" => |a, _b, _c| cos(a);
    "cosh" => |a, _b, _c| cosh(a);
    "exp" => |a, _b, _c| exp(a);
    "exp2" => |a, _b, _c| exp2(a);
    "fabs" => |a, _b, _c| fabs(a);
    "floor" => |a, _b, _c| floor(a);
    "fma" => |a, b, c| fma(a, b, c);
    "fmax" => |a, b, _c| fmax(a, b);
    "fmin" => |a, b, _c| fmin(a, b);
    "fmod" => |a, b, _c| fmod(a, b);
    "hypot" => |a, b, _c| hypot(a, b);
    "log" => |a, _b, _c| log(a);
    "log2" => |a, _b, _c| log2(a);
    "log10" => |a, _b, _c| log10(a);
    "pow" => |a, b, _c| pow(a, b);
    "round" => |a, _b, _c| round(a);
    "sin" => |a, _b, _c| sin(a);
    "sincos" => |a, _b, _c| sincos(a);
    "sinh" => |a, _b, _c| sinh(a);
    "sqrt" => |a, _b, _c| sqrt(a);
    "tan" => |a, _b, _c| tan(a);
    "tanh" => |a, _b, _c| tanh(a);
    "trunc" => |a, _b, _c| trunc(a);
});

const SINGLES: &[&[Operation]] = operations!(Singles, [f32], {
    "acos" => |a, _b, _c| acosf(a);
    "asin" => |a, _b, _c| asinf(a);
    "atan" => |a, _b, _c| atanf(a);
    "atan2" => |a, b, _c| atan2f(a, b);
    "cbrt" => |a, _b, _c| cbrtf(a);
    "ceil" => |a, _b, _c| ceilf(a);
    "math_copysign" => |a, b, _c| copysignf(a, b);
    "cos" => |a, _b, _c| cosf(a);
    "cosh" => |a, _b, _c| coshf(a);
    "exp" => |a, _b, _c| expf(a);
    "exp2" => |a, _b, _c| exp2f(a);
    "fabs" => |a, _b, _c| fabsf(a);
    "floor" => |a, _b, _c| floorf(a);
    "fma" => |a, b, c| fmaf(a, b, c);
    "fmax" => |a, b, _c| fmaxf(a, b);
    "fmin" => |a, b, _c| fminf(a, b);
    "fmod" => |a, b, _c| fmodf(a, b);
    "hypot" => |a, b, _c| hypotf(a, b);
    "log" => |a, _b, _c| logf(a);
    "log2" => |a, _b, _c| log2f(a);
    "log10" => |a, _b, _c| log10f(a);
    "pow" => |a, b, _c| powf(a, b);
    "round" => |a, _b, _c| roundf(a);
    "sin" => |a, _b, _c| sinf(a);
    "sincos" => |a, _b, _c| sincosf(a);
    "sinh" => |a, _b, _c| sinhf(a);
    "sqrt" => |a, _b, _c| sqrtf(a);
    "tan" => |a, _b, _c| tanf(a);
    "tanh" => |a, _b, _c| tanhf(a);
    "trunc" => |a, _b, _c| truncf(a);
});
