//! Condition variables: waiting, inside a lock, until other threads have changed what the lock protects.

use core::marker::PhantomData;

use beryl_abi::call::{CallError, CallNumber, FOREVER, Operand};

pub use beryl_abi::ConditionId;

use crate::semaphore::Held;
use crate::time::Wait;
use crate::{call, memory, platform};

/// A condition variable. The lock may be a binary semaphore, or a ceiling lock
/// ([`Lock::with_when`](crate::lock::Lock::with_when)).
///
/// Each call is a system call.
#[repr(C)]
pub struct Condition {
    id: ConditionId,
    /// A handle is its thread's own.
    _own: PhantomData<*mut ()>,
}

impl Condition {
    /// The condition variable with this number.
    ///
    /// # Safety
    ///
    /// For the builder's glue: the calling thread may use it.
    #[must_use]
    #[inline(always)]
    pub const unsafe fn new(id: ConditionId) -> Condition {
        Condition { id, _own: PhantomData }
    }

    /// Gives `held` up, waits until the condition is signalled, and takes it again. Giving up and beginning
    /// to wait are one step for all users. Even if the call fails, the semaphore is owned again.
    ///
    /// # Errors
    ///
    /// [`CallError::Raised`] inside a ceiling lock.
    #[inline(always)]
    pub fn wait<T>(&self, held: &mut Held<'_, T>) -> Result<(), CallError> {
        self.wait_with(held, FOREVER)
    }

    /// As [`Condition::wait`], for as long as `wait` allows.
    ///
    /// # Errors
    ///
    /// As [`Condition::wait`], and those of [`Wait`].
    #[inline(always)]
    pub fn wait_for<T>(&self, held: &mut Held<'_, T>, wait: Wait) -> Result<(), CallError> {
        self.wait_with(held, wait.word()?)
    }

    /// Wakes the most urgent thread that waits, if there is one.
    #[inline(always)]
    pub fn signal(&self) {
        platform::call(CallNumber::ConditionSignal, [Some(u32::from(self.id.0)), None, None, None]);
    }

    /// Wakes all threads that wait.
    #[inline(always)]
    pub fn broadcast(&self) {
        platform::call(CallNumber::ConditionBroadcast, [Some(u32::from(self.id.0)), None, None, None]);
    }

    #[inline(always)]
    fn wait_with<T>(&self, held: &mut Held<'_, T>, timeout: u32) -> Result<(), CallError> {
        memory::fence();
        let operand = held.while_waiting_for(self.id.0);
        let answer = self.call(operand, timeout)?;
        memory::fence();
        held.taken_again(answer.owner_died);
        Ok(())
    }

    /// The wait of a thread whose word is raised by a ceiling lock.
    #[inline(always)]
    pub(crate) fn wait_raised(&self, timeout: u32) -> Result<(), CallError> {
        self.call(Operand::object(self.id.0), timeout).map(drop)
    }

    #[inline(always)]
    fn call(&self, operand: Operand, timeout: u32) -> Result<call::Answer, CallError> {
        call::attempt(CallNumber::ConditionWait, [Some(operand.0), None, None, Some(timeout)])
    }
}
