//! `delayed` of a task: the outputs that it reads as they were, where values are synchronous.

use super::diagnostic::{Problem, Reporter};
use super::readable::Parts;
use super::{Outputs, code};

/// The key.
pub(super) const KEY: &str = "delayed";

/// All that is read is delayed unless values are synchronous.
pub(super) fn check(parts: &Parts, reporter: &mut Reporter) {
    if parts.system.as_ref().is_none_or(|system| system.outputs == Outputs::Synchronous) {
        return;
    }
    for delayed in parts.tasks.iter().flat_map(|task| &task.delayed) {
        reporter.report(Problem {
            code: code::CONFLICT,
            place: delayed.place,
            message: "only synchronous values can be read with a delay".to_owned(),
            label: "as all are".to_owned(),
            help: "add `outputs = \"synchronous\"` to [system], or leave `delayed` out".into(),
        });
    }
}
