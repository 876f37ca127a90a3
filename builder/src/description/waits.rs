//! `waits` of a task or periodic thread: whether a job may wait for something to happen.

use beryl_timing::Help;
use toml::de::DeValue;

use super::diagnostic::{Problem, Reporter};
use super::section::Section;
use super::value::{Value, Wrong, choice};
use super::{Placed, Use, code};

/// The key.
pub(super) const KEY: &str = "waits";

/// Whether jobs may wait for anything else than their turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Waits {
    /// As their code likes.
    #[default]
    Freely,
    /// Never: the kernel refuses.
    Never,
}

impl Value for Waits {
    const EXAMPLE: &'static str = "\"never\"";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        choice(value, &[("freely", Waits::Freely), ("never", Waits::Never)])
    }
}

/// What a section says. A server does nothing but wait for requests.
pub(super) fn waits(section: &Section<'_>, uses: &[Placed<Use>], reporter: &mut Reporter) -> Waits {
    let Some(waits) = section.optional::<Waits>(KEY, reporter) else { return Waits::Freely };
    let serves = uses.iter().find(|used| matches!(used.value, Use::Serve(_)));
    if let Some(serves) = serves.filter(|_| waits.value == Waits::Never) {
        reporter.report(Problem {
            code: code::CONFLICT,
            place: serves.place,
            message: "who never waits can't serve: a server waits for requests".to_owned(),
            label: "waits here".to_owned(),
            help: section.without(Help::from("leave out `waits`"), KEY, reporter),
        });
    }
    waits.value
}
