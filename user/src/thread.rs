//! Threads of the caller's own process whose priority may change, within the range that the system
//! description declares for each.

use core::marker::PhantomData;

use beryl_abi::call::{CallError, CallNumber};

pub use beryl_abi::ThreadId;

use crate::call;

/// A thread whose priority the handle's owner may change; it may be the owner itself.
pub struct Thread {
    id: ThreadId,
    /// A handle is its thread's own.
    _own: PhantomData<*mut ()>,
}

impl Thread {
    /// The thread with this number.
    ///
    /// # Safety
    ///
    /// For the builder's glue: the calling thread may change its priority.
    #[must_use]
    #[inline(always)]
    pub const unsafe fn new(id: ThreadId) -> Thread {
        Thread { id, _own: PhantomData }
    }

    /// Gives the thread another priority from now on; 31 is the most urgent. It goes behind the threads that
    /// already have it, in its band and in the queue where it waits. If its priority doesn't change, it keeps
    /// its turn. If its place is lent, the thread that runs there moves along.
    ///
    /// # Errors
    ///
    /// [`CallError::OutOfRange`] for a priority that isn't among its `priorities`: then nothing has changed.
    #[inline(always)]
    pub fn set_priority(&mut self, priority: u8) -> Result<(), CallError> {
        let arguments = [Some(self.id.0.into()), Some(priority.into()), None, None];
        call::attempt(CallNumber::SetPriority, arguments).map(|_| ())
    }
}
