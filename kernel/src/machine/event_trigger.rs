//! The state of an event trigger.

use beryl_abi::Instant;
use beryl_syscode::Condition;

use crate::table::Blank;

/// A trigger that waits for something other than time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EventTriggerState {
    /// The event that it waits for; none if there is no such trigger.
    pub(crate) condition: Option<Condition>,
    /// Its place among its program's triggers.
    pub(crate) trigger: u8,
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
    /// There is no such trigger.
    pub(crate) const NONE: EventTriggerState =
        EventTriggerState { condition: None, trigger: 0, before: 0, since: Instant::START };
}
