//! The state of a wait for an event.

use beryl_abi::Instant;
use beryl_syscode::Condition;

use crate::machine::schedule::ScheduleId;
use crate::table::Blank;

/// Who waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Waiter {
    /// A trigger, by its place among its program's.
    Trigger(u8),
    /// A thread of S code, whose timeout this is.
    Thread(ScheduleId),
}

/// A trigger or a timeout that waits for something other than time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EventTriggerState {
    /// The event that it waits for; none if nobody does.
    pub(crate) condition: Option<Condition>,
    /// Who waits.
    pub(crate) waiter: Waiter,
    /// The port's value when it was set.
    pub(crate) before: i32,
    /// When it was set.
    pub(crate) since: Instant,
}

impl Blank for EventTriggerState {
    const BLANK: EventTriggerState =
        EventTriggerState { condition: Some(Condition::Clock(0)), ..EventTriggerState::NONE };
}

impl EventTriggerState {
    /// Nobody waits.
    pub(crate) const NONE: EventTriggerState =
        EventTriggerState { condition: None, waiter: Waiter::Trigger(0), before: 0, since: Instant::START };
}
