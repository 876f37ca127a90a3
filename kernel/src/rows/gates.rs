//! Constant rows of gates.

use beryl_abi::{EndpointId, EventGroupId, Line, MailboxId, NotificationId};

/// A gate before an object: what it lets through is at least so far apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Gate {
    /// What it stands before.
    pub before: Gated,
    /// How long it stays closed behind whatever it has let through, in ticks: 1 to [`Gate::LONGEST`].
    pub separation: u32,
    /// What is done about whatever comes too early.
    pub early: OnEarly,
}

/// What a gate may stand before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gated {
    /// Nothing: the row isn't used.
    Nothing,
    /// A thread's interrupt: its line.
    Line(Line),
    /// A notification: bits that are set.
    Notification(NotificationId),
    /// A mailbox: messages on the way to receivers, or, if early ones are dropped, from senders.
    Mailbox(MailboxId),
    /// An endpoint: requests.
    Endpoint(EndpointId),
    /// An event group: bits that are set.
    EventGroup(EventGroupId),
}

/// What is done about whatever comes too early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OnEarly {
    /// It waits before the gate: bits become one, messages and clients stand in their queue, a line stays masked.
    Keep,
    /// It is refused and counted.
    Drop,
}

/// Names a gate; it is an index into the table of gates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GateId(pub(crate) u8);

impl GateId {
    /// No gate.
    pub const NONE: GateId = GateId(u8::MAX);

    /// Its row.
    #[inline(always)]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Gate {
    /// A row that isn't used.
    pub const NONE: Gate = Gate { before: Gated::Nothing, separation: 1, early: OnEarly::Keep };
    /// The longest separation: as far as a timer reaches.
    pub const LONGEST: u32 = beryl_abi::call::LONGEST_WAIT;
}
