//! `separation` and `early` of an object: the gate before it.

use super::diagnostic::{Problem, Reporter};
use super::section::Section;
use super::value::{Value, Wrong, choice};
use super::{Early, Gate, Gated, Placed, code, tells};
use crate::quantity::Nanoseconds;
use beryl_timing::Help;
use toml::de::DeValue;

/// The keys of a gate.
pub(super) const KEYS: [&str; 3] = ["separation", "early", tells::KEY];

/// What a description may say about early ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Coalesce,
    Queue,
    Drop,
}

impl Value for Word {
    const EXAMPLE: &'static str = "\"drop\"";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        choice(value, &[("coalesce", Word::Coalesce), ("queue", Word::Queue), ("drop", Word::Drop)])
    }
}

/// The gate that a section describes, if any.
pub(super) fn gate(before: Gated, section: &Section<'_>, reporter: &mut Reporter) -> Option<Gate> {
    if !KEYS.iter().any(|key| section.has(key)) {
        return None;
    }
    let separation: Option<Placed<Nanoseconds>> = section.required("separation", reporter);
    let early: Option<Placed<Word>> = section.required("early", reporter);
    let told = tells::tells(section, reporter);
    let early = fitting(before, early?, reporter)?;
    Some(Gate { before, separation: separation?, early, tells: told })
}

/// Bits become one, whatever has an order stands in a queue.
fn fitting(before: Gated, word: Placed<Word>, reporter: &mut Reporter) -> Option<Early> {
    let has_queue = matches!(before, Gated::Mailbox(_) | Gated::Endpoint(_));
    let (why, instead) = match (word.value, has_queue) {
        (Word::Drop, _) => return Some(Early::Dropped),
        (Word::Coalesce, false) | (Word::Queue, true) => return Some(Early::Kept),
        (Word::Coalesce, true) => ("which can't become one", "queue"),
        (Word::Queue, false) => ("which have no queue", "coalesce"),
    };
    let what = match before {
        Gated::Notification(_) => "a notification gets bits",
        Gated::EventGroup(_) => "an event group gets bits",
        Gated::Mailbox(_) => "a mailbox gets messages",
        Gated::Endpoint(_) => "an endpoint gets requests",
    };
    reporter.report(Problem {
        code: code::CONFLICT,
        place: word.place,
        message: format!("{what}, {why}"),
        label: "not here".to_owned(),
        help: Help::from(format!("write `early = \"{instead}\"`, or \"drop\""))
            .or(word.place, format!("\"{instead}\"")),
    });
    None
}
