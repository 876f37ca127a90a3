//! Periods: how a periodic thread ends a job and waits for its next release.

use core::marker::PhantomData;

use beryl_abi::call::{CallError, CallNumber, Operand};

use crate::call;
use crate::semaphore::{Binary, Held};

/// How many releases came while the previous job was still at work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missed(pub u32);

/// A periodic thread's releases.
///
/// Each call is a system call. The kernel keeps the releases a period apart, whenever the thread calls.
pub struct Period {
    /// A handle is its thread's own.
    _own: PhantomData<*mut ()>,
}

impl Period {
    /// The calling thread's period.
    ///
    /// # Safety
    ///
    /// For the builder's glue: the calling thread is a periodic one.
    #[must_use]
    #[inline(always)]
    pub const unsafe fn new() -> Period {
        Period { _own: PhantomData }
    }

    /// Ends the job; returns when the next one is released. That is at once if releases were missed and the
    /// thread catches up with them.
    ///
    /// # Panics
    ///
    /// Inside a ceiling lock: a job doesn't end there.
    #[inline(always)]
    pub fn wait(&mut self) -> Missed {
        self.end_job().unwrap_or_else(|_| inside_a_lock())
    }

    /// As [`Period::wait`], without a panic.
    #[inline(always)]
    pub(crate) fn end_job(&mut self) -> Result<Missed, CallError> {
        self.call(Operand::object(Operand::NO_OBJECT)).map(|answer| Missed(answer.values[0]))
    }

    /// Ends the job; returns when the next one is released, owning `semaphore`: see [`Binary`].
    ///
    /// # Errors
    ///
    /// [`CallError::Raised`] inside a ceiling lock; [`CallError::Deadlock`] if the next job has begun, but
    /// the semaphore's owner waits for the caller.
    #[inline(always)]
    pub fn wait_then<'a, T>(
        &mut self,
        semaphore: &'a mut Binary<T>,
    ) -> Result<(Missed, Held<'a, T>), CallError> {
        let answer = self.call(semaphore.after(Operand::NO_OBJECT))?;
        Ok((Missed(answer.values[0]), semaphore.taken(&answer)))
    }

    #[inline(always)]
    fn call(&self, operand: Operand) -> Result<call::Answer, CallError> {
        call::attempt(CallNumber::WaitPeriod, [Some(operand.0), None, None, None])
    }
}

#[cold]
#[inline(never)]
fn inside_a_lock() -> ! {
    panic!("a periodic thread's job ends inside a ceiling lock")
}
