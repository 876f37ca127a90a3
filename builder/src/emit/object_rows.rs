//! The rows of objects in `tables.rs`.

use beryl_abi::ThreadId;

use crate::assembly::objects::{
    Condition, Count, Endpoint, EventGroup, Interrupt, Mailbox, Notification, Objects, Semaphore, State,
    words,
};
use crate::assembly::{Assembly, Places};

/// A table of objects: its name in the system, what fills it up, and its rows.
pub(super) struct ObjectTable {
    pub(super) name: &'static str,
    pub(super) filler: &'static str,
    pub(super) rows: Vec<String>,
}

/// All tables of objects, in the order of the system's fields.
pub(super) fn object_tables(assembly: &Assembly, places: &Places) -> Vec<ObjectTable> {
    let Objects {
        semaphores, conditions, mailboxes, endpoints, event_groups, notifications, interrupts, ..
    } = &assembly.objects;
    let table = |name, filler, rows: Vec<String>| ObjectTable { name, filler, rows };
    let rows = Rows { assembly, places };
    let states = assembly.objects.slow_states();
    vec![
        table("semaphores", "Semaphore::NONE", semaphores.iter().map(|row| rows.semaphore(row)).collect()),
        table("conditions", "Condition::NONE", conditions.iter().map(condition).collect()),
        table("mailboxes", "Mailbox::NONE", mailboxes.iter().map(|row| rows.mailbox(row)).collect()),
        table("endpoints", "Endpoint::NONE", endpoints.iter().map(endpoint).collect()),
        table("notifications", "Notification::NONE", notifications.iter().map(notification).collect()),
        table("interrupts", "Interrupt::NONE", interrupts.iter().map(interrupt).collect()),
        table("state_messages", "StateMessage::NONE", states.map(|row| rows.state(row)).collect()),
        table("event_groups", "EventGroup::NONE", event_groups.iter().map(event_group).collect()),
    ]
}

struct Rows<'a> {
    assembly: &'a Assembly,
    places: &'a Places,
}

impl Rows<'_> {
    fn semaphore(&self, row: &Semaphore) -> String {
        let kind = match &row.count {
            Count::Counting { initial, most } => format!("Counting {{ initial: {initial}, most: {most} }}"),
            Count::Binary { word, .. } => {
                let word = word.map_or(0, |word| self.places.address(&self.assembly.cells, word));
                format!("Binary {{ word: {word:#010x} }}")
            }
        };
        format!(
            "/* {} */ Semaphore {{ processes: {:#x}, kind: SemaphoreKind::{kind} }}",
            row.name, row.processes
        )
    }

    fn mailbox(&self, row: &Mailbox) -> String {
        format!(
            "/* {} */ Mailbox {{ senders: {:#x}, receivers: {:#x}, base: {:#010x}, length: {}, capacity: {}, \
             first_come: {} }}",
            row.name,
            row.senders,
            row.receivers,
            self.places.address(&self.assembly.cells, row.buffer),
            words(&row.kind),
            row.capacity,
            row.first_come,
        )
    }

    fn state(&self, row: &State) -> String {
        let address = |cell| self.places.address(&self.assembly.cells, cell);
        format!(
            "/* {} */ StateMessage {{ readers: {:#x}, index: {:#010x}, base: {:#010x}, length: {}, depth: {} }}",
            row.name,
            row.slow_readers,
            row.index.map_or(0, address),
            address(row.buffers),
            row.stride(),
            row.depth,
        )
    }
}

fn condition(row: &Condition) -> String {
    format!("/* {} */ Condition {{ processes: {:#x} }}", row.name, row.processes)
}

fn endpoint(row: &Endpoint) -> String {
    format!(
        "/* {} */ Endpoint {{ callers: {:#x}, server: {}, request: {}, reply: {} }}",
        row.name,
        row.callers,
        thread(row.server),
        words(&row.request),
        words(&row.reply),
    )
}

fn event_group(row: &EventGroup) -> String {
    format!("/* {} */ EventGroup {{ sources: {:#x}, waiters: {:#x} }}", row.name, row.sources, row.waiters)
}

fn notification(row: &Notification) -> String {
    format!(
        "/* {} */ Notification {{ senders: {:#x}, thread: {}, bits: {:#x} }}",
        row.name,
        row.senders,
        thread(row.thread),
        row.bits,
    )
}

fn interrupt(row: &Interrupt) -> String {
    format!(
        "/* {} */ Interrupt {{ line: Line({}), thread: {}, bits: {:#x} }}",
        row.name,
        row.line,
        row.thread.map_or_else(|| "ThreadId::NONE".to_owned(), thread),
        row.bits,
    )
}

fn thread(index: usize) -> String {
    format!("ThreadId({})", u8::try_from(index).unwrap_or(ThreadId::NONE.0))
}
