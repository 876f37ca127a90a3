//! Threads of system code: their numbers and their states.

use beryl_abi::{Instant, ThreadId};

use crate::table::Blank;

/// A thread of system code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScheduleId(pub u8);

impl ScheduleId {
    /// No thread.
    pub const NONE: ScheduleId = ScheduleId(u8::MAX);

    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }

    #[inline(always)]
    pub(crate) fn is_some(self) -> bool {
        self != ScheduleId::NONE
    }
}

/// The state of a thread of system code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ScheduleState {
    /// The instant from which its times count.
    pub(crate) reference: Instant,
    /// The task that it has dispatched.
    pub(crate) task: ThreadId,
    /// The task whose release ends its wait.
    pub(crate) awaited: ThreadId,
    /// Where it goes on when its task is complete.
    pub(crate) then: u16,
    /// Where it goes on when it has waited long enough.
    pub(crate) otherwise: u16,
    /// Whether there is such a thread.
    pub(crate) lives: bool,
    /// Whether its task is complete, and it goes on at once.
    pub(crate) is_done: bool,
}

impl ScheduleState {
    /// There is no such thread.
    pub(crate) const NONE: ScheduleState = ScheduleState {
        reference: Instant::START,
        task: ThreadId::NONE,
        awaited: ThreadId::NONE,
        then: 0,
        otherwise: 0,
        lives: false,
        is_done: false,
    };
}

impl Blank for ScheduleState {
    const BLANK: ScheduleState =
        ScheduleState { task: ThreadId(0), awaited: ThreadId(0), ..ScheduleState::NONE };
}
