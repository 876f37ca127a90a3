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

/// Anything that can happen: a [`beryl_abi::Record`] with the driver's value instead of its address, or the
/// content of a note. Instants are logical.
pub type Happening = beryl_abi::Happening<Vec<u8>, DecodedNote>;
