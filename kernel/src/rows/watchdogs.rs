//! Constant rows of watchdogs: within which time supervisors come back for what they are told.

use beryl_abi::{MailboxId, ThreadId};

/// The watchdog of a supervisor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Watchdog {
    /// Who is watched: a thread without jobs.
    pub thread: ThreadId,
    /// The mailbox to which it has to come back: one of the kernel's own.
    pub mailbox: MailboxId,
    /// How long it may stay away while there is something for it, in ticks: 1 to [`Watchdog::LONGEST`].
    pub within: u32,
}

/// Names a watchdog; it is an index into the table of watchdogs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WatchdogId(pub(crate) u8);

impl WatchdogId {
    /// No watchdog.
    pub const NONE: WatchdogId = WatchdogId(u8::MAX);

    /// Its row.
    #[inline(always)]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether it is one.
    #[inline(always)]
    pub(crate) const fn is_some(self) -> bool {
        self.0 != WatchdogId::NONE.0
    }
}

impl Watchdog {
    /// A row that isn't used.
    pub const NONE: Watchdog = Watchdog { thread: ThreadId::NONE, mailbox: MailboxId(0), within: 1 };
    /// The longest time: as far as a timer reaches.
    pub const LONGEST: u32 = beryl_abi::call::LONGEST_WAIT;
}

/// The watchdog of the supervisor that is told by each mailbox.
///
/// # Panics
///
/// If there is no such mailbox. For a builder's tables that is a compile-time error.
#[must_use]
pub const fn watchdogs_of<const N: usize>(watchdogs: &[Watchdog]) -> [WatchdogId; N] {
    let mut of = [WatchdogId::NONE; N];
    let mut index = 0;
    // bound: the length of the table of watchdogs
    while index < watchdogs.len() {
        if watchdogs[index].thread.is_some() {
            of[watchdogs[index].mailbox.0 as usize] = WatchdogId(index as u8);
        }
        index += 1;
    }
    of
}
