//! What can be wrong with values of the same instant, in words.

use std::collections::BTreeSet;

use super::{Found, section_of};
use crate::description::{self, Description, Placed, Problem, code};

/// Why a task can't read another one's output at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Apart {
    /// Something else than time releases one of them.
    Asynchronous {
        /// Whether that is who writes.
        is_writer: bool,
    },
    /// They are in different modules.
    Modules,
    /// Other programs may take over their module.
    Slot,
    /// They are in different bands.
    Bands,
    /// Their band doesn't go by priorities.
    NoPriorities,
    /// Nobody knows which of them goes first.
    SameUrgency,
    /// The reader goes first.
    ReaderFirst,
    /// A late job of one of them goes on.
    GoesOn {
        /// Whether that is one of who writes.
        is_writer: bool,
    },
    /// Other values take the place of those of a late job.
    ValuesInstead,
    /// The writer may wait in the middle of a job.
    Waits,
}

impl Apart {
    /// Which of the two is to be looked at, why, and what can be done about it.
    fn say(self, writer: &str, reader: &str, outputs: &str) -> (bool, String, String) {
        let delay = format!("write `delayed = [{outputs}]` for `{reader}`");
        match self {
            Apart::Asynchronous { is_writer } => {
                let who = if is_writer { writer } else { reader };
                let reason = format!("no mode invokes `{who}`, so nobody knows which of its jobs is meant");
                (is_writer, reason, delay)
            }
            Apart::Modules => (
                false,
                "they are in different modules, whose modes and instants are their own".to_owned(),
                format!("{delay}, or put both into one module"),
            ),
            Apart::Slot => (
                false,
                "programs that arrive may take over their module".to_owned(),
                format!("{delay}, or leave out the module's slot"),
            ),
            Apart::Bands => (
                false,
                "they are in different bands".to_owned(),
                format!("put both into one band, with the higher priority for `{writer}`, or {delay}"),
            ),
            Apart::NoPriorities => (
                false,
                "their band has no priorities, so the reader may begin first".to_owned(),
                format!(
                    "give the band `policy = \"fixed\"`, with the higher priority for `{writer}`, or {delay}"
                ),
            ),
            Apart::SameUrgency => (
                false,
                "they have the same priority, so nobody knows which goes first".to_owned(),
                format!("give `{writer}` a higher priority, or {delay}"),
            ),
            Apart::ReaderFirst => (
                false,
                "the reader is more urgent and so goes first".to_owned(),
                format!("give `{writer}` a higher priority than `{reader}`, or {delay}"),
            ),
            Apart::GoesOn { is_writer } => {
                let who = if is_writer { writer } else { reader };
                let reason = format!("a late job of `{who}` goes on, and so isn't done at its next release");
                (is_writer, reason, format!("let `on_miss` of `{who}` stop the job, or {delay}"))
            }
            Apart::ValuesInstead => (
                true,
                format!(
                    "`on_miss` of `{writer}` gives its outputs their initial values, which only others see"
                ),
                format!("leave `outputs` out of it, or {delay}"),
            ),
            Apart::Waits => (
                true,
                format!("a job of `{writer}` may wait for something, and the reader begin meanwhile"),
                format!("write `waits = \"never\"` for `{writer}`, or {delay}"),
            ),
        }
    }
}

impl Found {
    /// A task, then one that can't read these outputs of it at once.
    pub fn not_at_once(
        &mut self,
        description: &Description,
        [writer, reader]: &[String; 2],
        outputs: &BTreeSet<String>,
        apart: Apart,
    ) {
        let (is_writer, reason, help) = apart.say(writer, reader, &listed(outputs));
        let message =
            format!("task `{reader}` can't read values of the same instant from `{writer}`: {reason}");
        self.at_task(description, if is_writer { writer } else { reader }, message, help);
    }

    /// Tasks each of which reads the next one's output at once, and the last the first one's; and the outputs of the second that
    /// the first reads.
    pub fn goes_round(&mut self, description: &Description, tasks: &[String], outputs: &BTreeSet<String>) {
        let Some(first) = tasks.first() else { return };
        let all = tasks.join("` reads `");
        let message = format!("values of one instant go round: `{all}` reads `{first}`");
        let help =
            format!("let one of them read with a delay: `delayed = [{}]` for `{first}`", listed(outputs));
        self.at_task(description, first, message, help);
    }

    pub fn delays_nothing(
        &mut self,
        description: &Description,
        task: &Placed<String>,
        delayed: &Placed<String>,
        known: &BTreeSet<String>,
    ) {
        let known: Vec<_> = known.iter().map(String::as_str).collect();
        let help = match known.is_empty() {
            true => "it reads no outputs of tasks: leave `delayed` out".to_owned(),
            false => description::suggestion(&delayed.value, &known, "outputs that it reads"),
        };
        self.in_description(
            description,
            Problem {
                code: code::UNKNOWN_NAME,
                place: delayed.place,
                message: format!("task `{}` doesn't read `{}`", task.value, delayed.value),
                label: "a delay of nothing".to_owned(),
                help: help.into(),
            },
        );
    }

    /// Something about a task, at its section.
    fn at_task(&mut self, description: &Description, task: &str, message: String, help: String) {
        let row = section_of(description, task);
        let place = row.map_or(description.system.name.place, |row| row.name.place);
        self.in_description(
            description,
            Problem {
                code: code::CONFLICT,
                place,
                message,
                label: "this task".to_owned(),
                help: help.into(),
            },
        );
    }
}

/// Names as a list of the description has them.
fn listed(names: &BTreeSet<String>) -> String {
    names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
}
