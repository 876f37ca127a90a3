//! Constant rows of objects that threads share, and of their wake-ups.

use beryl_abi::{Line, ThreadId};

use crate::rows::processes::Processes;

/// A semaphore's constant row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Semaphore {
    /// The processes that may name it.
    pub processes: Processes,
    /// What it counts.
    pub kind: SemaphoreKind,
}

/// What a semaphore counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SemaphoreKind {
    /// Nothing: it has an owner or none. A thread that waits for it lends its urgency to the owner. `word`,
    /// if it isn't 0, is the address of a word by which the threads of its only process take it and give it
    /// back without the kernel while no thread waits: 0 if it is free, one more than the owner's number, and
    /// bit 31 if a thread waits.
    Binary {
        /// The address of the user's word, or 0.
        word: u32,
    },
    /// Units. There is no owner, so no inheritance.
    Counting {
        /// Units at the start.
        initial: u16,
        /// The most units that there can be.
        most: u16,
    },
}

/// A condition variable's constant row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Condition {
    /// The processes that may name it.
    pub processes: Processes,
}

/// A mailbox's constant row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mailbox {
    /// The processes that may send.
    pub senders: Processes,
    /// The processes that may receive.
    pub receivers: Processes,
    /// The address of its messages, each in whole words (at least two), in memory that only the kernel
    /// touches.
    pub base: u32,
    /// Bytes for each message, a multiple of four: 4 to [`beryl_abi::call::LONGEST_MESSAGE`].
    pub length: u8,
    /// How many messages fit, at least one.
    pub capacity: u8,
    /// Whether waiters are served first come, first served, instead of by urgency.
    pub first_come: bool,
}

/// An endpoint's constant row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Endpoint {
    /// The processes that may call.
    pub callers: Processes,
    /// The only thread that receives and replies.
    pub server: ThreadId,
    /// Bytes of a request, a multiple of four: 4 to [`beryl_abi::call::LONGEST_MESSAGE`].
    pub request: u8,
    /// Bytes of a reply, likewise.
    pub reply: u8,
}

/// An event group's constant row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EventGroup {
    /// The processes that may set and clear its bits.
    pub sources: Processes,
    /// The processes that may wait for them.
    pub waiters: Processes,
}

/// A notification's constant row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Notification {
    /// The processes that may set its bits.
    pub senders: Processes,
    /// The thread whose word it is; none if it is a doorbell at another core.
    pub thread: ThreadId,
    /// The bits that may be set, or the [bell](beryl_abi::doorbell) that may be rung.
    pub bits: u32,
}

/// An interrupt's constant row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interrupt {
    /// Its line. Rows are in the order of their lines.
    pub line: Line,
    /// The thread that serves it.
    pub thread: ThreadId,
    /// The bits of the thread's word that it sets.
    pub bits: u32,
}

/// A state message's constant row, for readers that use a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StateMessage {
    /// The processes that may read.
    pub readers: Processes,
    /// The word that counts the writes; 0 if the value is one word without a buffer.
    pub index: u32,
    /// The first buffer, or the value.
    pub base: u32,
    /// Bytes of a value, a multiple of four, at most 65,532; buffers follow each other.
    pub length: u16,
    /// Number of buffers: a power of two; 1 if the value is one word without a buffer.
    pub depth: u8,
}

impl Semaphore {
    /// A row that nobody may name.
    pub const NONE: Semaphore = Semaphore { processes: 0, kind: SemaphoreKind::Binary { word: 0 } };
}

impl Condition {
    /// A row that nobody may name.
    pub const NONE: Condition = Condition { processes: 0 };
}

impl Mailbox {
    /// A row that nobody may name.
    pub const NONE: Mailbox =
        Mailbox { senders: 0, receivers: 0, base: 0, length: 4, capacity: 1, first_come: false };
}

impl Endpoint {
    /// A row that nobody may name.
    pub const NONE: Endpoint = Endpoint { callers: 0, server: ThreadId::NONE, request: 4, reply: 4 };
}

impl EventGroup {
    /// A row that nobody may name.
    pub const NONE: EventGroup = EventGroup { sources: 0, waiters: 0 };
}

impl Notification {
    /// A row that nobody may name.
    pub const NONE: Notification = Notification { senders: 0, thread: ThreadId::NONE, bits: 0 };
}

impl Interrupt {
    /// A row that names no line.
    pub const NONE: Interrupt = Interrupt { line: Line(u16::MAX), thread: ThreadId::NONE, bits: 0 };
}

impl StateMessage {
    /// A row that nobody may name.
    pub const NONE: StateMessage = StateMessage { readers: 0, index: 0, base: 0, length: 4, depth: 1 };
}
