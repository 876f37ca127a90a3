//! Constant rows of the schema: state messages whose values are told.

use beryl_abi::{StateMessageId, ThreadId};

/// A state message that is followed: whoever listens is told what is written there. Those of one writer stand side by
/// side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Followed {
    /// Its writer.
    pub writer: ThreadId,
    /// The message.
    pub message: StateMessageId,
}
