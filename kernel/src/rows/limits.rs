//! Constant rows of limits: how much a client may ask of an object.

use beryl_abi::{EndpointId, MailboxId, ProcessId};

/// What a process may ask of an object in any stretch of a certain length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limit {
    /// The object.
    pub of: Asked,
    /// The client.
    pub client: ProcessId,
    /// The first of its credits in the table of credits.
    pub first: u16,
    /// How many credits it has: the most requests in a stretch. At least one.
    pub requests: u8,
    /// The length of the stretch, in ticks.
    pub within: u32,
}

/// What a client may have a limit for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Asked {
    /// Nothing: the row isn't used.
    Nothing,
    /// A mailbox: messages that are sent.
    Mailbox(MailboxId),
    /// An endpoint: requests.
    Endpoint(EndpointId),
}

/// Names a limit; it is an index into the table of limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LimitId(pub(crate) u8);

impl LimitId {
    /// No limit.
    pub const NONE: LimitId = LimitId(u8::MAX);

    /// Its row.
    #[inline(always)]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Limit {
    /// A row that isn't used.
    pub const NONE: Limit =
        Limit { of: Asked::Nothing, client: ProcessId(0), first: 0, requests: 1, within: 1 };
    /// The longest stretch: as long as the longest wait.
    pub const LONGEST: u32 = beryl_abi::call::LONGEST_WAIT;
}
