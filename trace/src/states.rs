//! State messages that are traced: their names, and the values that were written.

use beryl_abi::{Instant, StateMessageId};
use serde::{Deserialize, Serialize};

use crate::event::{Event, Happening};
use crate::names::Names;
use crate::value::ValueType;

/// A traced state message's name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateName {
    /// Its number in the kernel.
    pub number: u8,
    /// Its name.
    pub name: String,
    /// The type of its values.
    pub value: ValueType,
}

/// A value that was found in a state message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found<'a> {
    /// The index of the message in the names.
    pub state: usize,
    /// When the kernel found it there: its writer had written it since it last got the processor.
    pub time: Instant,
    /// As laid out in memory, perhaps only the first of its bytes.
    pub bytes: &'a [u8],
}

impl Names {
    /// The value of a state message that an event tells, if any.
    #[must_use]
    pub fn found<'a>(&self, event: &'a Event) -> Option<Found<'a>> {
        let Happening::State { message, value, .. } = &event.happening else { return None };
        let StateMessageId(number) = *message;
        let state = self.states.iter().position(|known| known.number == number)?;
        let bytes = self.states.get(state)?.value.own(value);
        Some(Found { state, time: event.time, bytes })
    }
}
