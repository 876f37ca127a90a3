//! Objects with their places in the kernel's tables and in memory.

use beryl_abi::call::LONGEST_MESSAGE;
use beryl_abi::{Classes, Duration, StateMessageId};
use beryl_kernel::LEAST_LINES;
use beryl_timing::Type;

use super::CellId;
use crate::description::Use;

/// The processes that may name an object: a bit each, the first process in the lowest bit.
pub type Processes = u32;

/// All objects. Their positions are those of the description, which `uses` name, and their numbers in the kernel.
#[derive(Clone, Debug, Default)]
pub struct Objects {
    /// Ceiling locks; the kernel knows only their ceilings.
    pub locks: Vec<Lock>,
    /// Semaphores.
    pub semaphores: Vec<Semaphore>,
    /// Condition variables.
    pub conditions: Vec<Condition>,
    /// Mailboxes.
    pub mailboxes: Vec<Mailbox>,
    /// Endpoints.
    pub endpoints: Vec<Endpoint>,
    /// Event groups.
    pub event_groups: Vec<EventGroup>,
    /// Notifications.
    pub notifications: Vec<Notification>,
    /// Interrupts, by line.
    pub interrupts: Vec<Interrupt>,
    /// State messages. The kernel knows those that are read by a call.
    pub states: Vec<State>,
    /// Shared regions.
    pub regions: Vec<Region>,
    /// Slots of modules.
    pub slots: Vec<Slot>,
    /// The buffer for what the system tells of itself.
    pub trace: Option<Trace>,
    /// Threads whose priorities may change.
    pub priorities: Vec<usize>,
    /// Processes that can be replaced.
    pub replaceable: Vec<Replaceable>,
    /// Gates before interrupts that threads serve and before objects.
    pub gates: Vec<Gate>,
    /// Limits of clients.
    pub limits: Vec<Limit>,
}

/// A process that can be replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replaceable {
    /// Its position.
    pub process: usize,
    /// The processes that may replace it.
    pub writers: Processes,
    /// The bytes of each of its two rooms.
    pub size: u32,
}

/// How much a client may ask of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// The object's name.
    pub name: String,
    /// How the client uses it.
    pub of: Use,
    /// The client: the position of a process.
    pub client: usize,
    /// The most messages or requests in any stretch of this length.
    pub requests: u8,
    /// The length of the stretch.
    pub within: Duration,
}

/// A gate.
#[derive(Clone, Debug)]
pub struct Gate {
    /// The name of what it stands before.
    pub name: String,
    /// By what is used what it stands before, on the side that waits.
    pub before: Use,
    /// How far apart what it lets through is at least.
    pub separation: Duration,
    /// Whether what comes too early is refused.
    pub drops: bool,
    /// Who is told of that.
    pub tells: Option<String>,
}

/// A ceiling lock.
#[derive(Clone, Debug)]
pub struct Lock {
    /// Its name.
    pub name: String,
    /// What it protects, if that lies with it.
    pub value: Option<Value>,
    /// The level to which it raises who holds it: the highest of its users' and of those that may lend a user
    /// their place; 0 if there is only one user.
    pub ceiling: u8,
    /// How long each user holds it, where it says nothing else.
    pub hold: Option<Duration>,
}

/// A value that is protected by a lock or semaphore.
#[derive(Clone, Debug)]
pub struct Value {
    /// Its type.
    pub kind: Type,
    /// Where it lies.
    pub cell: CellId,
}

/// A semaphore.
#[derive(Clone, Debug)]
pub struct Semaphore {
    /// Its name.
    pub name: String,
    /// Who may name it.
    pub processes: Processes,
    /// What it counts.
    pub count: Count,
    /// How long an owner holds it, where it says nothing else.
    pub hold: Option<Duration>,
}

impl Semaphore {
    /// Whether it is a binary one.
    #[must_use]
    pub fn has_owner(&self) -> bool {
        matches!(self.count, Count::Binary { .. })
    }
}

/// What a semaphore counts.
#[derive(Clone, Debug)]
pub enum Count {
    /// An owner.
    Binary {
        /// The word by which threads of its only process take it without the kernel.
        word: Option<CellId>,
        /// What it protects, if that lies with it.
        value: Option<Value>,
    },
    /// Units.
    Counting {
        /// At the start.
        initial: u16,
        /// At most.
        most: u16,
    },
}

/// A condition variable.
#[derive(Clone, Debug)]
pub struct Condition {
    /// Its name.
    pub name: String,
    /// Who may name it.
    pub processes: Processes,
}

/// A mailbox.
#[derive(Clone, Debug)]
pub struct Mailbox {
    /// Its name.
    pub name: String,
    /// Who may send.
    pub senders: Processes,
    /// Who may receive.
    pub receivers: Processes,
    /// A message.
    pub kind: Type,
    /// How many it holds.
    pub capacity: u8,
    /// Whether those who wait are served in the order in which they came.
    pub first_come: bool,
    /// Where they lie.
    pub buffer: CellId,
}

/// An endpoint.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// Its name.
    pub name: String,
    /// Who may call.
    pub callers: Processes,
    /// Index of the thread that serves it.
    pub server: usize,
    /// A request.
    pub request: Type,
    /// A reply.
    pub reply: Type,
    /// How long the server works from one answer to the next, where a client says nothing else.
    pub hold: Option<Duration>,
}

/// An event group.
#[derive(Clone, Debug)]
pub struct EventGroup {
    /// Its name.
    pub name: String,
    /// Who may set and clear its bits.
    pub sources: Processes,
    /// Who may wait for them.
    pub waiters: Processes,
}

/// A notification.
#[derive(Clone, Debug)]
pub struct Notification {
    /// Its name.
    pub name: String,
    /// Who may set its bit.
    pub senders: Processes,
    /// Index of the thread whose word it is.
    pub thread: usize,
    /// Its bit.
    pub bits: u32,
    /// It is a doorbell at another core, of which this is the bit; no thread here has it in its word.
    pub is_bell: bool,
}

/// An interrupt.
#[derive(Clone, Debug)]
pub struct Interrupt {
    /// Its name.
    pub name: String,
    /// Its line.
    pub line: u16,
    /// Index of the thread that serves it; nothing if it releases a task.
    pub thread: Option<usize>,
    /// The bit of the thread's word that it sets.
    pub bits: u32,
    /// It never comes.
    pub is_silent: bool,
    /// It is a doorbell that another core rings.
    pub is_bell: bool,
}

/// A state message.
#[derive(Clone, Debug)]
pub struct State {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: Type,
    /// Index of the thread that writes it.
    pub writer: usize,
    /// The processes that read it, by a call or without.
    pub readers: Processes,
    /// Those that read it by a call.
    pub slow_readers: Processes,
    /// Its number in the kernel, if it is read by a call or told in the trace.
    pub id: Option<StateMessageId>,
    /// The word that counts writes; none where the value is one word, which needs no buffer.
    pub index: Option<CellId>,
    /// The buffers, or the value.
    pub buffers: CellId,
    /// Number of buffers: a power of two; 1 where the value is one word.
    pub depth: u8,
    /// The longest that a read without the kernel may take; zero where there is none.
    pub window: Duration,
    /// Whether its values are told in the trace.
    pub is_traced: bool,
}

/// A shared region.
#[derive(Clone, Debug)]
pub struct Region {
    /// Its name.
    pub name: String,
    /// Its size in bytes.
    pub size: u32,
    /// The processes that read and write it.
    pub processes: Processes,
}

/// A slot.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Its module's name.
    pub name: String,
    /// Who may write it.
    pub processes: Processes,
    /// Bytes a room; it has two.
    pub size: u32,
    /// The first byte of its rooms.
    pub base: u32,
    /// It takes programs with a certificate only.
    pub certified_only: bool,
    /// The band whose tasks its programs may take over.
    pub offers: Option<usize>,
}

/// The buffer for what the system tells of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trace {
    /// How many notes it holds.
    pub notes: u32,
    /// What is told from the start on.
    pub classes: Classes,
    /// The thread that reads it.
    pub reader: usize,
}

impl Objects {
    /// Whether all slots take programs with a certificate only.
    #[must_use]
    pub fn certified_only(&self) -> bool {
        self.slots.iter().all(|slot| slot.certified_only)
    }

    /// The bytes of all rooms of slots.
    #[must_use]
    pub fn rooms(&self) -> u32 {
        self.slots.last().map_or(0, |slot| slot.base + 2 * slot.size)
    }

    /// The length of the kernel's table of lines.
    #[must_use]
    pub fn lines(&self) -> usize {
        let used = self.interrupts.iter().map(|interrupt| usize::from(interrupt.line) + 1);
        used.max().unwrap_or(0).next_power_of_two().max(LEAST_LINES)
    }

    /// How many of them the kernel knows.
    #[must_use]
    pub fn count(&self) -> usize {
        let states = self.known_states().count();
        self.queues() + self.notifications.len() + self.interrupts.len() + states
    }

    /// How many of them have a queue of threads that wait.
    #[must_use]
    pub fn queues(&self) -> usize {
        let binding = self.semaphores.len() + self.conditions.len() + self.endpoints.len();
        binding + self.mailboxes.len() + self.event_groups.len()
    }

    /// The state messages that the kernel knows, in the order of their numbers: those that are read by a call or
    /// told in the trace.
    pub fn known_states(&self) -> impl Iterator<Item = &State> {
        self.states.iter().filter(|state| state.id.is_some())
    }

    /// Whether there are none at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let has_memory = !self.locks.is_empty() || !self.states.is_empty() || !self.regions.is_empty();
        self.count() == 0 && !has_memory && self.slots.is_empty() && self.trace.is_none()
    }
}

impl State {
    /// The buffers of a state message that is read by calls only: nobody writes while the kernel copies, so
    /// there is the newest value, and the one that may be half written.
    pub const DEPTH_BY_CALLS: u8 = 2;

    /// In how many steps the kernel copies a value.
    #[must_use]
    pub fn pieces(&self) -> u32 {
        self.stride().div_ceil(LONGEST_MESSAGE)
    }

    /// Bytes of its buffers and their index, if it has so many buffers.
    #[must_use]
    pub fn bytes(&self, depth: u8) -> u32 {
        self.stride().saturating_mul(depth.into()).saturating_add(if self.index.is_some() { 4 } else { 0 })
    }

    /// Bytes from one buffer to the next.
    #[must_use]
    pub fn stride(&self) -> u32 {
        words(&self.kind)
    }
}

/// Bytes of a value in whole words.
#[must_use]
pub fn words(kind: &Type) -> u32 {
    kind.size().next_multiple_of(4)
}
