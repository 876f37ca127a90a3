//! A trigger: where it leads, and which of its program's it is.

use beryl_abi::ProgramId;

use crate::table::Blank;

/// How many triggers of its program were set before a trigger and still wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SetOrder(u8);

impl SetOrder {
    /// There is no such trigger.
    pub const FREE: SetOrder = SetOrder(u8::MAX);

    pub const FIRST: SetOrder = SetOrder(0);

    /// One more was set before.
    pub fn next(self) -> SetOrder {
        SetOrder(self.0.saturating_add(1))
    }

    /// One less was.
    pub fn previous(self) -> SetOrder {
        SetOrder(self.0.saturating_sub(1))
    }
}

/// Where a trigger leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TriggerState {
    /// Whose it is.
    pub(crate) program: ProgramId,
    /// Where that goes on.
    pub(crate) address: u16,
    /// Which of its program's it is.
    pub(crate) order: SetOrder,
}

impl Blank for TriggerState {
    const BLANK: TriggerState = TriggerState { program: ProgramId(0), address: 0, order: SetOrder::FIRST };
}

impl TriggerState {
    /// There is no such trigger.
    pub(crate) const NONE: TriggerState = TriggerState { order: SetOrder::FREE, ..TriggerState::BLANK };
}
