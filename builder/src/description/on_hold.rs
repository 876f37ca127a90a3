//! `on_hold` of a task or thread: what is done about one that keeps others out for longer than its `hold`, raised by a
//! ceiling lock or as the owner of a semaphore, or a client waiting.

use toml::de::DeValue;

use super::Placed;
use super::diagnostic::Reporter;
use super::section::Section;
use super::value::{Value, Wrong, choice};

/// The key.
pub(super) const KEY: &str = "on_hold";

/// What is done about whoever keeps others waiting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnHold {
    /// Nothing: that it doesn't is believed.
    #[default]
    Believed,
    /// It is stopped, as for a fault.
    Faults,
}

impl Value for OnHold {
    const EXAMPLE: &'static str = "\"fault\"";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        choice(value, &[("believe", OnHold::Believed), ("fault", OnHold::Faults)])
    }
}

/// What a section says.
pub(super) fn on_hold(section: &Section<'_>, reporter: &mut Reporter) -> Option<Placed<OnHold>> {
    section.optional::<OnHold>(KEY, reporter).filter(|reaction| reaction.value == OnHold::Faults)
}
