//! Mathematics with the same bits on every machine: one software implementation, pinned.
//!
//! The methods of `f32` and `f64` in the standard library use whatever the machine has; these functions
//! don't. The basic operations and comparisons are exact everywhere and need no help.

pub use libm::{
    acos, acosf, asin, asinf, atan, atan2, atan2f, atanf, cbrt, cbrtf, ceil, ceilf, copysign, copysignf, cos,
    cosf, cosh, coshf, exp, exp2, exp2f, expf, fabs, fabsf, floor, floorf, fma, fmaf, fmax, fmaxf, fmin,
    fminf, fmod, fmodf, hypot, hypotf, log, log2, log2f, log10, log10f, logf, pow, powf, round, roundf, sin,
    sincos, sincosf, sinf, sinh, sinhf, sqrt, sqrtf, tan, tanf, tanh, tanhf, trunc, truncf,
};
