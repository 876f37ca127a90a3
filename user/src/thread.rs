//! Threads of one's own process whose priority may change, within what the system description declares for each.

use core::marker::PhantomData;

use beryl_abi::call::{CallError, CallNumber};

pub use beryl_abi::ThreadId;

use crate::call;

/// A thread whose priority its holder may change; it may be the holder itself.
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

    /// Gives the thread another priority from now on, 31 being the most urgent. It stands behind those that have it already, in its band and
    /// where it waits; with the priority that it has it keeps its turn. A place that it lends, and whoever runs there, goes along.
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
