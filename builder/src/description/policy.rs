//! The policies of bands.

use super::value::{Value, Wrong, choice};
use toml::de::DeValue;

/// Who goes first in a band.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// The earliest deadline.
    Dynamic,
    /// The highest priority.
    Fixed,
    /// Whoever a program says, made of the tasks' periods and execution times.
    Code,
}

impl Value for Policy {
    const EXAMPLE: &'static str = "\"dynamic\"";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        choice(value, &[("dynamic", Policy::Dynamic), ("fixed", Policy::Fixed), ("code", Policy::Code)])
    }
}
