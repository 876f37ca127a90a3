//! A trigger: where it leads, and its order among its program's.

use beryl_abi::ProgramId;

use crate::table::Blank;

/// How many pending triggers of the same program were set before this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SetOrder(u8);

impl SetOrder {
    /// There is no such trigger.
    pub const FREE: SetOrder = SetOrder(u8::MAX);

    pub const FIRST: SetOrder = SetOrder(0);

    /// One more was set before it.
    pub fn next(self) -> SetOrder {
        SetOrder(self.0.saturating_add(1))
    }

    /// One fewer was set before it.
    pub fn previous(self) -> SetOrder {
        SetOrder(self.0.saturating_sub(1))
    }
}

/// Where a trigger leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TriggerState {
    /// Its program.
    pub(crate) program: ProgramId,
    /// The address at which the program goes on.
    pub(crate) address: u16,
    /// Its order among its program's triggers.
    pub(crate) order: SetOrder,
}

impl Blank for TriggerState {
    const BLANK: TriggerState = TriggerState { program: ProgramId(0), address: 0, order: SetOrder::FIRST };
}

impl TriggerState {
    /// There is no such trigger.
    pub(crate) const NONE: TriggerState = TriggerState { order: SetOrder::FREE, ..TriggerState::BLANK };
}
