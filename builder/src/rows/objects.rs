//! The rows of what threads share, and of what wakes them.

use beryl_abi::{Line, ThreadId};
use beryl_kernel::{
    Condition, Endpoint, EventGroup, Interrupt, Mailbox, Notification, Port, Semaphore, SemaphoreKind,
    StateMessage,
};
use beryl_timing::Type;

use super::{Row, thread};
use crate::assembly::CellId;
use crate::assembly::objects::{self, Count};
use crate::project::Project;

/// The rows of objects, table by table, in the order of the system's fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objects {
    /// Semaphores.
    pub semaphores: Vec<Row<Semaphore>>,
    /// Condition variables.
    pub conditions: Vec<Row<Condition>>,
    /// Mailboxes.
    pub mailboxes: Vec<Row<Mailbox>>,
    /// Endpoints.
    pub endpoints: Vec<Row<Endpoint>>,
    /// Notifications.
    pub notifications: Vec<Row<Notification>>,
    /// Interrupts.
    pub interrupts: Vec<Row<Interrupt>>,
    /// State messages that are read by a call or told in the trace.
    pub state_messages: Vec<Row<StateMessage>>,
    /// Event groups.
    pub event_groups: Vec<Row<EventGroup>>,
    /// Ports at which programs look.
    pub ports: Vec<Row<Port>>,
}

impl Objects {
    pub(super) fn of(project: &Project) -> Objects {
        let assembly = &project.assembly;
        let address = |cell: CellId| project.places.address(&assembly.cells, cell);
        let all = &assembly.objects;
        Objects {
            semaphores: rows(&all.semaphores, |row| (&row.name, semaphore(row, address))),
            conditions: rows(&all.conditions, |row| (&row.name, Condition { processes: row.processes })),
            mailboxes: rows(&all.mailboxes, |row| (&row.name, mailbox(row, address))),
            endpoints: rows(&all.endpoints, |row| (&row.name, endpoint(row))),
            notifications: rows(&all.notifications, |row| (&row.name, notification(row))),
            interrupts: rows(&all.interrupts, |row| (&row.name, interrupt(row))),
            state_messages: rows(all.known_states(), |row| (&row.name, state(row, address))),
            event_groups: rows(&all.event_groups, |row| {
                (&row.name, EventGroup { sources: row.sources, waiters: row.waiters })
            }),
            ports: rows(&assembly.ports, |row| {
                (&row.name, Port { address: address(row.cell), holds: assembly.held(row) })
            }),
        }
    }
}

fn rows<'a, A: 'a, R>(
    all: impl IntoIterator<Item = &'a A>,
    row: impl Fn(&'a A) -> (&'a String, R),
) -> Vec<Row<R>> {
    all.into_iter().map(row).map(|(name, row)| Row::new(name, row)).collect()
}

fn semaphore(row: &objects::Semaphore, address: impl Fn(CellId) -> u32) -> Semaphore {
    let kind = match &row.count {
        Count::Counting { initial, most } => SemaphoreKind::Counting { initial: *initial, most: *most },
        Count::Binary { word, .. } => SemaphoreKind::Binary { word: word.map_or(0, address) },
    };
    Semaphore { processes: row.processes, kind }
}

fn mailbox(row: &objects::Mailbox, address: impl Fn(CellId) -> u32) -> Mailbox {
    Mailbox {
        senders: row.senders,
        receivers: row.receivers,
        base: address(row.buffer),
        length: words(&row.kind),
        capacity: row.capacity,
        first_come: row.first_come,
    }
}

fn endpoint(row: &objects::Endpoint) -> Endpoint {
    let [request, reply] = [&row.request, &row.reply].map(words);
    Endpoint { callers: row.callers, server: thread(row.server), request, reply }
}

fn notification(row: &objects::Notification) -> Notification {
    let told = if row.is_bell { ThreadId::NONE } else { thread(row.thread) };
    Notification { senders: row.senders, thread: told, bits: row.bits }
}

fn interrupt(row: &objects::Interrupt) -> Interrupt {
    Interrupt { line: Line(row.line), thread: row.thread.map_or(ThreadId::NONE, thread), bits: row.bits }
}

fn state(row: &objects::State, address: impl Fn(CellId) -> u32) -> StateMessage {
    StateMessage {
        readers: row.slow_readers,
        index: row.index.map_or(0, &address),
        base: address(row.buffers),
        length: u16::try_from(row.stride()).unwrap_or(u16::MAX),
        depth: row.depth,
    }
}

/// The bytes of a message, in whole words. No message is longer than the kernel can say.
fn words(kind: &Type) -> u8 {
    byte(objects::words(kind))
}

fn byte(length: u32) -> u8 {
    u8::try_from(length).unwrap_or(u8::MAX)
}
