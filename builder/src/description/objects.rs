//! The objects by which threads and tasks work together, and who uses which.

use super::Placed;
use crate::quantity::{Bytes, Nanoseconds};
use beryl_abi::Classes;
use beryl_timing::Type;

/// All objects of a system, each kind in the order of the text, interrupts in the order of their lines. Names are
/// unique among all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Objects {
    /// Ceiling locks.
    pub locks: Vec<Lock>,
    /// Semaphores.
    pub semaphores: Vec<Semaphore>,
    /// Condition variables: nothing but names.
    pub conditions: Vec<Placed<String>>,
    /// Mailboxes.
    pub mailboxes: Vec<Mailbox>,
    /// Endpoints of synchronous calls.
    pub endpoints: Vec<Endpoint>,
    /// Event groups: nothing but names.
    pub event_groups: Vec<Placed<String>>,
    /// Notifications: nothing but names.
    pub notifications: Vec<Placed<String>>,
    /// Doorbells between cores. Each is among the notifications, too, or among the interrupts.
    pub doorbells: Vec<Doorbell>,
    /// Interrupts that threads serve.
    pub interrupts: Vec<Interrupt>,
    /// State messages.
    pub states: Vec<State>,
    /// Memory that processes share.
    pub regions: Vec<Region>,
    /// Slots of modules.
    pub slots: Vec<Slot>,
    /// The buffer for what the system tells of itself.
    pub trace: Option<Trace>,
    /// Threads whose priorities may change: nothing but names.
    pub priorities: Vec<Placed<String>>,
    /// Processes that can be replaced: nothing but names.
    pub replaceable: Vec<Placed<String>>,
    /// Gates before objects, in the order of the kinds above. An interrupt that a thread serves has its own.
    pub gates: Vec<Gate>,
    /// Limits of clients, in the order of the kinds above.
    pub limits: Vec<Limit>,
}

/// A gate before an object: what it lets through is at least so far apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gate {
    /// What it stands before.
    pub before: Gated,
    /// How long it stays closed behind whatever it has let through; positive.
    pub separation: Placed<Nanoseconds>,
    /// What is done about whatever comes too early.
    pub early: Early,
    /// Who is told of what is refused.
    pub tells: Option<Placed<String>>,
}

/// An object that has a gate: its position among those of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gated {
    /// A mailbox.
    Mailbox(usize),
    /// An endpoint.
    Endpoint(usize),
    /// An event group.
    EventGroup(usize),
    /// A notification.
    Notification(usize),
}

/// What is done about whatever comes too early to a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Early {
    /// It waits: bits become one, all else stands in a queue.
    Kept,
    /// It is refused and counted.
    Dropped,
}

/// How much a client may ask of an object in any stretch of some length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// The object.
    pub of: Limited,
    /// The client: the name of a process.
    pub client: Placed<String>,
    /// The most messages or requests; positive. At least one of this and the next is there.
    pub requests: Option<Placed<u16>>,
    /// The most bytes of them.
    pub bytes: Option<Placed<Bytes>>,
    /// The length of the stretch; positive.
    pub within: Placed<Nanoseconds>,
}

/// An object whose clients may have limits: its position among those of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limited {
    /// A mailbox.
    Mailbox(usize),
    /// An endpoint.
    Endpoint(usize),
}

impl Limit {
    /// Bytes of a message or request, if there is such an object.
    #[must_use]
    pub fn size(&self, objects: &Objects) -> Option<u32> {
        let kind = match self.of {
            Limited::Mailbox(index) => &objects.mailboxes.get(index)?.kind,
            Limited::Endpoint(index) => &objects.endpoints.get(index)?.request,
        };
        Some(kind.size().max(1))
    }

    /// The most messages or requests: as many as are declared, and no more than their bytes allow.
    #[must_use]
    pub fn credits(&self, objects: &Objects) -> u8 {
        let by_bytes = self.bytes.zip(self.size(objects)).map(|(bytes, size)| bytes.get() / size);
        let by_number = self.requests.map(|requests| requests.value.into());
        let least = by_bytes.into_iter().chain(by_number).min().unwrap_or(1);
        u8::try_from(least.max(1)).unwrap_or(u8::MAX)
    }
}

/// A ceiling lock, taken without the kernel by threads of one process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lock {
    /// Its name.
    pub name: Placed<String>,
    /// What it protects, if that lies with it.
    pub kind: Option<Type>,
    /// How long each of its users holds it at most, where the user says nothing else.
    pub hold: Option<Placed<Nanoseconds>>,
}

/// A semaphore.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Semaphore {
    /// Its name.
    pub name: Placed<String>,
    /// What it counts.
    pub count: Count,
    /// If it has an owner: how long one holds it at most, where the user says nothing else.
    pub hold: Option<Placed<Nanoseconds>>,
}

/// What a semaphore counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Count {
    /// Nothing: it has one owner or none, and a thread that waits lends its urgency to the owner.
    Binary {
        /// What it protects, if that lies with it.
        kind: Option<Type>,
    },
    /// Units without owner.
    Counting {
        /// Units at the start.
        initial: u16,
        /// The most that there can be; positive.
        most: u16,
    },
}

/// A mailbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mailbox {
    /// Its name.
    pub name: Placed<String>,
    /// Its messages, at most 64 bytes.
    pub kind: Type,
    /// How many messages it holds; positive.
    pub capacity: u8,
    /// In which order waiting threads are served.
    pub order: Order,
}

/// In which order those who wait are served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The most urgent first.
    #[default]
    Urgency,
    /// In the order in which they came.
    Arrival,
}

/// An endpoint of synchronous calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// Its name.
    pub name: Placed<String>,
    /// What a client sends, at most 64 bytes.
    pub request: Type,
    /// What the server answers, at most 64 bytes.
    pub reply: Type,
    /// How long the server works at most from one answer to the next, where a client says nothing else.
    pub hold: Option<Placed<Nanoseconds>>,
}

/// An interrupt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interrupt {
    /// Its name.
    pub name: Placed<String>,
    /// The board's line.
    pub line: Placed<u16>,
    /// How soon after it has come it may come again: the line stays masked until then. Where it releases a task:
    /// how soon after each release it is looked at again.
    pub separation: Option<Placed<Nanoseconds>>,
    /// It never comes on the board that this is for, where nothing is on its line.
    pub is_silent: bool,
    /// It is a doorbell that another core rings.
    pub is_bell: bool,
}

/// A doorbell, by which threads of a core tell a thread of another that something has happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doorbell {
    /// Its name.
    pub name: Placed<String>,
    /// How soon after it has been heard it may be heard again.
    pub separation: Placed<Nanoseconds>,
    /// What of it is here.
    pub side: Side,
}

/// What of a doorbell is in a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// All of it: the description is whole.
    Both,
    /// Who rings it: its bit there ([`beryl_abi::doorbell`]).
    Rings(u32),
    /// Who hears it: its line there.
    Hears(u16),
}

impl Objects {
    /// The bell that a notification is at another core, if it is one: its bit.
    #[must_use]
    pub fn bell(&self, notification: &str) -> Option<u32> {
        let bell = self.doorbells.iter().find(|bell| bell.name.value == notification)?;
        if let Side::Rings(bit) = bell.side { Some(bit) } else { None }
    }
}

/// A state message: the latest value of one writer, for many readers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Its name.
    pub name: Placed<String>,
    /// What it holds.
    pub kind: Type,
    /// How its writer writes, where that doesn't follow from the writer's own period.
    pub rhythm: Option<Rhythm>,
    /// The longest that a read may take, for readers without a deadline.
    pub read_within: Option<Placed<Nanoseconds>>,
    /// Whether its values are told in the trace.
    pub is_traced: bool,
}

impl State {
    /// The most bytes of a value that is told in the trace.
    pub const MOST_TRACED: u32 = 256;
}

/// How often a writer writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rhythm {
    /// From one write's earliest instant to the next one's; positive.
    pub period: Placed<Nanoseconds>,
    /// How much later than that a write may end.
    pub jitter: Nanoseconds,
    /// How many writes may be made up for in a row, when the writer is late.
    pub catch_up: u8,
}

/// Memory that several processes read and write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// Its name.
    pub name: Placed<String>,
    /// Its size; a positive multiple of four.
    pub size: Placed<Bytes>,
}

/// A slot: a module that may get other programs while the system runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The module's name.
    pub name: Placed<String>,
    /// Bytes of each of its two rooms; a positive multiple of four, at most 32k.
    pub size: Placed<Bytes>,
    /// Files of other programs for the module, whose drivers and tasks the image has, too.
    pub programs: Vec<Placed<String>>,
    /// How it checks the time of programs.
    pub check: ProgramCheck,
    /// The band whose tasks its programs may take over.
    pub offers: Option<Placed<String>>,
    /// Outputs for which its programs may wait.
    pub ports: Vec<Placed<String>>,
}

/// The buffer for what the system tells of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Its name in `uses`: `trace`.
    pub name: Placed<String>,
    /// Its size: a power of two, at least 32 bytes.
    pub buffer: Placed<Bytes>,
    /// What is told from the start on.
    pub classes: Classes,
}

/// How a slot checks the time of programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgramCheck {
    /// By their certificate; those that carry none by carrying them out.
    Any,
    /// By their certificate only.
    Certificate,
}

/// How long a thread or task holds something that it uses, at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hold {
    /// A lock, a binary semaphore, or a call.
    pub used: Use,
    /// From taking it to giving it back, in execution time.
    pub time: Placed<Nanoseconds>,
}

/// What a thread or task does with an object: the object's position among those of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Use {
    /// Takes a ceiling lock.
    Lock(usize),
    /// Takes and gives a semaphore.
    Semaphore(usize),
    /// Waits for a condition and signals it.
    Condition(usize),
    /// Sends to a mailbox.
    Send(usize),
    /// Receives from a mailbox.
    Receive(usize),
    /// Calls an endpoint.
    Call(usize),
    /// Serves an endpoint.
    Serve(usize),
    /// Sets and clears bits of an event group.
    Set(usize),
    /// Waits for bits of an event group.
    AwaitBits(usize),
    /// Sets the bit of a notification.
    Notify(usize),
    /// Waits for a notification.
    Await(usize),
    /// Serves an interrupt.
    Interrupt(usize),
    /// Writes a state message.
    Write(usize),
    /// Reads a state message without the kernel.
    Read(usize),
    /// Reads a state message by a call.
    ReadSlow(usize),
    /// Reads and writes a shared region.
    Region(usize),
    /// Writes programs into a slot.
    Slot(usize),
    /// Reads what the system tells of itself.
    Trace,
    /// Changes the priority of a thread.
    Priority(usize),
    /// Replaces a process.
    Replace(usize),
}
