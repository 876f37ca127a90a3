//! Constant rows of what threads share, and of what wakes them.

use beryl_abi::{Line, ThreadId};

use crate::rows::processes::Processes;

/// A semaphore's constant row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Semaphore {
    /// Who may name it.
    pub processes: Processes,
    /// What it counts.
    pub kind: SemaphoreKind,
}

/// What a semaphore counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SemaphoreKind {
    /// Nothing: it has an owner or none. Who waits for it lends its urgency to the owner. `word`, if it
    /// isn't 0, is the address of the word by which threads of its only process take it and give it
    /// back without the kernel as long as nobody waits: 0 where it is free, one more than the owner's
    /// number, and bit 31 where somebody waits.
    Binary {
        /// The address of the user's word, or 0.
        word: u32,
    },
    /// Units without owner, so nobody inherits anything.
    Counting {
        /// Units at the start.
        initial: u16,
        /// The most that there can be.
        most: u16,
    },
}

/// A condition variable's constant row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Condition {
    /// Who may name it.
    pub processes: Processes,
}

/// A mailbox's constant row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mailbox {
    /// Who may send.
    pub senders: Processes,
    /// Who may receive.
    pub receivers: Processes,
    /// Where its messages are, each in whole words (two at least), in memory that only the kernel touches.
    pub base: u32,
    /// Bytes a message, a multiple of four: 4 to [`beryl_abi::call::LONGEST_MESSAGE`].
    pub length: u8,
    /// How many messages it holds, at least one.
    pub capacity: u8,
    /// Whether those who wait are served in the order in which they came, not by urgency.
    pub first_come: bool,
}

/// An endpoint's constant row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Endpoint {
    /// Who may call.
    pub callers: Processes,
    /// The only thread that receives and replies.
    pub server: ThreadId,
    /// Bytes a request, a multiple of four: 4 to [`beryl_abi::call::LONGEST_MESSAGE`].
    pub request: u8,
    /// Bytes a reply, likewise.
    pub reply: u8,
}

/// An event group's constant row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EventGroup {
    /// Who may set and clear its bits.
    pub sources: Processes,
    /// Who may wait for them.
    pub waiters: Processes,
}

/// A notification's constant row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Notification {
    /// Who may set its bits.
    pub senders: Processes,
    /// Whose word it is.
    pub thread: ThreadId,
    /// The bits that may be set by it.
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
    /// Who may read.
    pub readers: Processes,
    /// The word that counts the writes; 0 where the value is one word without a buffer.
    pub index: u32,
    /// The first buffer, or the value.
    pub base: u32,
    /// Bytes a value, a multiple of four, at most 65,532; buffers follow each other.
    pub length: u16,
    /// Number of buffers: a power of two; 1 where the value is one word without a buffer.
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
