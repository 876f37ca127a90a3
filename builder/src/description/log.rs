//! Which log statements are compiled: `log` of the system.

use toml::de::DeValue;

use super::value::{Value, Wrong, choice};

/// From which level on statements of the crate `defmt` are compiled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Log(Option<&'static str>);

/// If nothing is said: what matters in a run, and not each step.
const USUALLY: &str = "info";

impl Log {
    /// As the crate is told.
    #[must_use]
    pub fn filter(self) -> &'static str {
        self.0.unwrap_or(USUALLY)
    }
}

impl Value for Log {
    const EXAMPLE: &'static str = "\"debug\"";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        let choices = ["off", "error", "warn", "info", "debug", "trace"].map(|level| (level, level));
        choice(value, &choices).map(|level| Log(Some(level)))
    }
}
