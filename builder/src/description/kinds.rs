//! The kinds of objects: what each is called, what can be done with it, and where its names are. There is one row for
//! each kind, and names in `uses`, messages and limits follow from it.

use super::{Objects, Placed, Use};

/// A role: its name, and the use that it makes of an object by the object's position.
pub(super) type Role = (&'static str, fn(usize) -> Use);

/// A kind of object.
pub(super) struct Kind {
    /// For sentences.
    pub(super) name: &'static str,
    /// The same of several.
    pub(super) many: &'static str,
    /// The table of the file: `[condition.name]`.
    pub(super) table: &'static str,
    /// What can be done with one. Without a name: the object is used by its own name alone.
    pub(super) roles: &'static [Role],
    /// Their names, in the order of the text.
    pub(super) names: fn(&Objects) -> Vec<&Placed<String>>,
    /// Whether calls name one by a byte.
    pub(super) is_called: bool,
}

/// All kinds, in the order in which they are listed.
pub(super) static KINDS: [Kind; 14] = [
    Kind {
        name: "lock",
        many: "locks",
        table: "lock",
        roles: &[("", Use::Lock)],
        names: |all| all.locks.iter().map(|row| &row.name).collect(),
        is_called: false,
    },
    Kind {
        name: "semaphore",
        many: "semaphores",
        table: "semaphore",
        roles: &[("", Use::Semaphore)],
        names: |all| all.semaphores.iter().map(|row| &row.name).collect(),
        is_called: true,
    },
    Kind {
        name: "condition",
        many: "conditions",
        table: "condition",
        roles: &[("", Use::Condition)],
        names: |all| all.conditions.iter().collect(),
        is_called: true,
    },
    Kind {
        name: "mailbox",
        many: "mailboxes",
        table: "mailbox",
        roles: &[("send", Use::Send), ("receive", Use::Receive)],
        names: |all| all.mailboxes.iter().map(|row| &row.name).collect(),
        is_called: true,
    },
    Kind {
        name: "endpoint",
        many: "endpoints",
        table: "endpoint",
        roles: &[("call", Use::Call), ("serve", Use::Serve)],
        names: |all| all.endpoints.iter().map(|row| &row.name).collect(),
        is_called: true,
    },
    Kind {
        name: "event group",
        many: "event groups",
        table: "event_group",
        roles: &[("set", Use::Set), ("wait", Use::AwaitBits)],
        names: |all| all.event_groups.iter().collect(),
        is_called: true,
    },
    Kind {
        name: "notification",
        many: "notifications",
        table: "notification",
        roles: &[("notify", Use::Notify), ("wait", Use::Await)],
        names: |all| all.notifications.iter().collect(),
        is_called: true,
    },
    Kind {
        name: "interrupt",
        many: "interrupts",
        table: "interrupt",
        roles: &[("", Use::Interrupt)],
        names: |all| all.interrupts.iter().map(|row| &row.name).collect(),
        is_called: true,
    },
    Kind {
        name: "state message",
        many: "state messages",
        table: "state",
        roles: &[("write", Use::Write), ("read", Use::Read), ("read_slow", Use::ReadSlow)],
        names: |all| all.states.iter().map(|row| &row.name).collect(),
        is_called: true,
    },
    Kind {
        name: "region",
        many: "regions",
        table: "region",
        roles: &[("", Use::Region)],
        names: |all| all.regions.iter().map(|row| &row.name).collect(),
        is_called: false,
    },
    Kind {
        name: "slot",
        many: "slots",
        table: "slot",
        roles: &[("", Use::Slot)],
        names: |all| all.slots.iter().map(|row| &row.name).collect(),
        is_called: false,
    },
    Kind {
        name: "trace",
        many: "traces",
        table: "trace",
        roles: &[("", |_| Use::Trace)],
        names: |all| all.trace.iter().map(|row| &row.name).collect(),
        is_called: false,
    },
    Kind {
        name: "thread",
        many: "threads",
        table: "thread",
        roles: &[("priority", Use::Priority)],
        names: |all| all.priorities.iter().collect(),
        is_called: false,
    },
    Kind {
        name: "process",
        many: "processes",
        table: "process",
        roles: &[("replace", Use::Replace)],
        names: |all| all.replaceable.iter().collect(),
        is_called: false,
    },
];

impl Kind {
    /// What an object is, with its article.
    pub(super) fn with_article(&self) -> String {
        let article = if self.name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        format!("{article} {}", self.name)
    }
}

/// What an object of a table is called in sentences.
pub(super) fn called(table: &str) -> &str {
    KINDS.iter().find(|kind| kind.table == table).map_or(table, |kind| kind.name)
}
