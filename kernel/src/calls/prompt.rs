//! Threads that never wait: whatever would have one wait for something to happen fails, as if it had only asked.
//!
//! A job that waits runs later than its proof says, and what comes late comes on top of the next. So who is declared never
//! to wait can't, whatever its code does. Waiting for its turn, at a lock, a binary semaphore or a server, is no such wait:
//! that is counted by how long others hold them.

use beryl_abi::CallError;
use beryl_abi::call::POLL;

use crate::event::Machine;
use crate::kernel::Kernel;
use crate::sizes::Sizes;

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// How long the running thread may wait that would wait so long.
    #[inline(always)]
    pub(crate) fn granted(&self, timeout: u32) -> u32 {
        if !S::PROMPT.is_empty() && self.is_prompt() { POLL } else { timeout }
    }

    /// Refuses to wait for an instant.
    #[inline(always)]
    pub(crate) fn must_be_patient(&self) -> Result<(), CallError> {
        if self.is_prompt() { Err(CallError::WouldBlock) } else { Ok(()) }
    }

    /// Whether the running thread never waits.
    #[inline(always)]
    fn is_prompt(&self) -> bool {
        S::PROMPT.get(self.state.running().index()).is_some_and(|is_prompt| *is_prompt)
    }
}
