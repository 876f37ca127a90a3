//! `waits` of a task or periodic thread: whether a job may wait for something to happen.

use beryl_timing::Help;
use toml::de::DeValue;

use super::diagnostic::{Problem, Reporter};
use super::section::Section;
use super::value::{Value, Wrong, choice};
use super::{Placed, Use, code};

/// The key.
pub(super) const KEY: &str = "waits";

/// What jobs may wait for. Each forbids more than the one before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Waits {
    /// What their code likes.
    #[default]
    Freely,
    /// Their turns only: the kernel refuses all else.
    Turns,
    /// Nothing.
    Never,
}

impl Value for Waits {
    const EXAMPLE: &'static str = "\"never\"";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        choice(value, &[("freely", Waits::Freely), ("turns", Waits::Turns), ("never", Waits::Never)])
    }
}

/// What a section says. A server does nothing but wait for requests, and who calls one waits for its reply.
pub(super) fn waits(section: &Section<'_>, uses: &[Placed<Use>], reporter: &mut Reporter) -> Waits {
    let Some(waits) = section.optional::<Waits>(KEY, reporter) else { return Waits::Freely };
    let conflict = |used: &&Placed<Use>| match used.value {
        Use::Serve(_) => waits.value != Waits::Freely,
        Use::Call(_) => waits.value == Waits::Never,
        _ => false,
    };
    if let Some(used) = uses.iter().find(conflict) {
        let (message, help) = match (&used.value, waits.value) {
            (Use::Serve(_), Waits::Turns) => {
                ("who waits for its turns only can't serve: a server waits for requests", "leave out `waits`")
            }
            (Use::Serve(_), _) => {
                ("who never waits can't serve: a server waits for requests", "leave out `waits`")
            }
            _ => (
                "who never waits can't call a server: a client waits for its reply",
                "leave out `waits`, or write `waits = \"turns\"`",
            ),
        };
        reporter.report(Problem {
            code: code::CONFLICT,
            place: used.place,
            message: message.to_owned(),
            label: "waits here".to_owned(),
            help: section.without(Help::from(help), KEY, reporter),
        });
    }
    waits.value
}
