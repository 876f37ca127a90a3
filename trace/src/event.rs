//! Events: the records of a trace with their values, owned.

use beryl_abi::{DecodedNote, Instant};

/// One entry of a trace.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    /// The kernel time at which it was written: physical time.
    pub time: Instant,
    /// What happened.
    pub happening: Happening,
}

/// What can happen: a [`beryl_abi::Record`] with the driver's value instead of where it lay, and what a note tells. Instants are logical.
pub type Happening = beryl_abi::Happening<Vec<u8>, DecodedNote>;
