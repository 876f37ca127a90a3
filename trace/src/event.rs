//! Events: the records of a trace, together with their values, as owned data.

use beryl_abi::{DecodedNote, Instant};

/// One entry of a trace.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    /// The kernel time at which it was written: physical time.
    pub time: Instant,
    /// What happened.
    pub happening: Happening,
}

impl Event {
    /// Whether it is a part of a crash record, which says nothing by itself.
    #[must_use]
    pub fn is_part_of_crash(&self) -> bool {
        matches!(self.happening, Happening::Note(DecodedNote::Crash { .. }))
    }
}

/// Anything that can happen: a [`beryl_abi::Record`] with the driver's value instead of its address, or the
/// content of a note. Instants are logical.
pub type Happening = beryl_abi::Happening<Vec<u8>, DecodedNote>;
