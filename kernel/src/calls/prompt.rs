//! Threads that mayn't wait: whatever would have one wait fails, as if it had only asked.
//!
//! A job that waits runs later than its proof says, and what comes late comes on top of the next. So who is declared not
//! to wait can't, whatever its code does. Who waits for its turns only (a binary semaphore, a server's reply) is counted
//! by how long others hold them, and they may hold them for longer; who waits for nothing at all hasn't even that to fear.

use beryl_abi::CallError;
use beryl_abi::call::POLL;

use crate::event::Machine;
use crate::kernel::Kernel;
use crate::rows::waits::Waits;
use crate::sizes::Sizes;

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// How long the running thread may wait for something to happen that would wait so long.
    #[inline(always)]
    pub(crate) fn granted(&self, timeout: u32) -> u32 {
        if !S::WAITS.is_empty() && self.may_wait_for() >= Waits::Turns { POLL } else { timeout }
    }

    /// Refuses to wait for an instant.
    #[inline(always)]
    pub(crate) fn must_be_patient(&self) -> Result<(), CallError> {
        if !S::WAITS.is_empty() && self.may_wait_for() >= Waits::Turns {
            return Err(CallError::WouldBlock);
        }
        Ok(())
    }

    /// Refuses to wait for a turn.
    #[inline(always)]
    pub(crate) fn must_take_turns(&self) -> Result<(), CallError> {
        if !S::WAITS.is_empty() && self.may_wait_for() == Waits::Never {
            return Err(CallError::WouldBlock);
        }
        Ok(())
    }

    /// What the running thread may wait for.
    #[inline(always)]
    fn may_wait_for(&self) -> Waits {
        S::WAITS.get(self.state.running().index()).copied().unwrap_or(Waits::Freely)
    }
}
