//! Counting semaphores: units that any thread may take or give back.

use core::marker::PhantomData;

use beryl_abi::SemaphoreId;
use beryl_abi::call::{CallError, CallNumber, FOREVER, Operand};

use super::{Binary, Held};
use crate::call;
use crate::time::Wait;

/// A number of units. They have no owner, so a thread that waits for one lends its urgency to no other.
///
/// Each call is a system call.
#[repr(C)]
pub struct Counting {
    id: SemaphoreId,
    /// A handle is its thread's own.
    _own: PhantomData<*mut ()>,
}

impl Counting {
    /// The semaphore with this number.
    ///
    /// # Safety
    ///
    /// For the builder's glue: it is a counting one, which the calling thread may use.
    #[must_use]
    #[inline(always)]
    pub const unsafe fn new(id: SemaphoreId) -> Counting {
        Counting { id, _own: PhantomData }
    }

    /// Takes a unit, and waits for one without a time limit.
    ///
    /// # Errors
    ///
    /// [`CallError::Raised`] inside a ceiling lock.
    #[inline(always)]
    pub fn wait(&mut self) -> Result<(), CallError> {
        self.take(Operand::object(self.id.0), FOREVER).map(drop)
    }

    /// Takes a unit, and waits for one for as long as `wait` allows.
    ///
    /// # Errors
    ///
    /// As [`Counting::wait`], and those of [`Wait`].
    #[inline(always)]
    pub fn wait_for(&mut self, wait: Wait) -> Result<(), CallError> {
        self.take(Operand::object(self.id.0), wait.word()?).map(drop)
    }

    /// Takes a unit as [`Counting::wait`] does, and returns owning `semaphore`: see [`Binary`].
    ///
    /// # Errors
    ///
    /// As [`Counting::wait`], and [`CallError::Deadlock`]; then the semaphore isn't owned.
    #[inline(always)]
    pub fn wait_then<'a, T>(&mut self, semaphore: &'a mut Binary<T>) -> Result<Held<'a, T>, CallError> {
        let answer = self.take(semaphore.after(self.id.0), FOREVER)?;
        Ok(semaphore.taken(&answer))
    }

    /// Gives a unit back.
    ///
    /// # Errors
    ///
    /// [`CallError::Overflow`] if there are already as many as there may be.
    #[inline(always)]
    pub fn signal(&mut self) -> Result<(), CallError> {
        let arguments = [Some(u32::from(self.id.0)), None, None, None];
        call::attempt(CallNumber::SemaphoreSignal, arguments).map(drop)
    }

    #[inline(always)]
    fn take(&self, operand: Operand, timeout: u32) -> Result<call::Answer, CallError> {
        call::attempt(CallNumber::SemaphoreWait, [Some(operand.0), None, None, Some(timeout)])
    }
}
