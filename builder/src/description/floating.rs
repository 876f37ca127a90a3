//! `floating` of a process: whether its numbers with a floating point are computed by the processor or by code.

use toml::de::DeValue;

use super::value::{Value, Wrong, choice};

/// The key.
pub(super) const KEY: &str = "floating";

/// What computes with floating point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Floating {
    /// The compiler's library.
    #[default]
    Software,
    /// The processor.
    Hardware,
}

impl Value for Floating {
    const EXAMPLE: &'static str = "\"hardware\"";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        choice(value, &[("software", Floating::Software), ("hardware", Floating::Hardware)])
    }
}
