//! The environment: the water meter's pipe, with another tap.
#![forbid(unsafe_code)]

use std::path::Path;

pub use meter_pipe::Pipe;

/// How far the tap is open, in per mille, from when on, in ns.
const TAP: [(u64, i32); 5] =
    [(0, 0), (100_000_000, 400), (1_300_000_000, 600), (8_400_000_000, 0), (8_700_000_000, 600)];

/// The pipe; seed and folder make no difference.
///
/// # Errors
/// None.
pub fn environment(_seed: u64, _folder: &Path) -> Result<Pipe, std::convert::Infallible> {
    Ok(Pipe::with(&TAP))
}
