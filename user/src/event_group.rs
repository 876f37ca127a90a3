//! Event groups: 32 bits that threads set and clear, and other threads wait for, any or all of them.
//!
//! The users decide what each bit means. All waiters see the bits as they were just after a set, and all that
//! wanted to take a bit get it at once. Each call is a system call.

use core::marker::PhantomData;

use beryl_abi::call::{CallError, CallNumber, FOREVER, Operand};

pub use beryl_abi::{EventGroupId, Wanted};

use crate::semaphore::{Binary, Held};
use crate::time::Wait;
use crate::{call, platform};

/// The side of an event group that sets and clears bits.
#[repr(C)]
pub struct Source {
    id: EventGroupId,
    /// A handle is its thread's own.
    _own: PhantomData<*mut ()>,
}

/// The side of an event group that waits for bits.
#[repr(C)]
pub struct Waiter {
    id: EventGroupId,
    /// A handle is its thread's own.
    _own: PhantomData<*mut ()>,
}

/// Any of these bits.
#[must_use]
#[inline(always)]
pub const fn any(bits: u32) -> Wanted {
    Wanted { bits, how: 0 }
}

/// All of these bits.
#[must_use]
#[inline(always)]
pub const fn all(bits: u32) -> Wanted {
    Wanted { bits, how: Wanted::ALL }
}

impl Source {
    /// The event group with this number.
    ///
    /// # Safety
    ///
    /// For the builder's glue: the calling thread may set its bits.
    #[must_use]
    #[inline(always)]
    pub const unsafe fn new(id: EventGroupId) -> Source {
        Source { id, _own: PhantomData }
    }

    /// Sets bits, and wakes all threads that waited for them.
    #[inline(always)]
    pub fn set(&mut self, bits: u32) {
        platform::call(CallNumber::EventGroupSet, [Some(self.id.0.into()), Some(bits), None, None]);
    }

    /// Clears bits. Returns all bits as they were.
    #[inline(always)]
    pub fn clear(&mut self, bits: u32) -> u32 {
        let arguments = [Some(self.id.0.into()), Some(bits), None, None];
        platform::call(CallNumber::EventGroupClear, arguments)[1]
    }
}

impl Waiter {
    /// The event group with this number.
    ///
    /// # Safety
    ///
    /// For the builder's glue: the calling thread may wait for its bits.
    #[must_use]
    #[inline(always)]
    pub const unsafe fn new(id: EventGroupId) -> Waiter {
        Waiter { id, _own: PhantomData }
    }

    /// Waits for bits ([`any`] or [`all`] of some) without a time limit. Returns all bits as they were then,
    /// before any were taken.
    ///
    /// # Errors
    ///
    /// [`CallError::Raised`] inside a ceiling lock; [`CallError::NoBits`] if none are wanted.
    #[inline(always)]
    pub fn wait(&mut self, wanted: Wanted) -> Result<u32, CallError> {
        self.ask(Operand::object(self.id.0), wanted, FOREVER).map(|answer| answer.values[0])
    }

    /// Waits for bits for as long as `wait` allows.
    ///
    /// # Errors
    ///
    /// As [`Waiter::wait`], and those of [`Wait`].
    #[inline(always)]
    pub fn wait_for(&mut self, wanted: Wanted, wait: Wait) -> Result<u32, CallError> {
        self.ask(Operand::object(self.id.0), wanted, wait.word()?).map(|answer| answer.values[0])
    }

    /// Waits for bits as [`Waiter::wait`] does, and returns owning `semaphore`: see [`Binary`].
    ///
    /// # Errors
    ///
    /// As [`Waiter::wait`], and [`CallError::Deadlock`] if the semaphore's owner waits for the caller. Then
    /// the semaphore isn't owned, but the wanted bits are still taken.
    #[inline(always)]
    pub fn wait_then<'a, T>(
        &mut self,
        wanted: Wanted,
        semaphore: &'a mut Binary<T>,
    ) -> Result<(u32, Held<'a, T>), CallError> {
        let answer = self.ask(semaphore.after(self.id.0), wanted, FOREVER)?;
        Ok((answer.values[0], semaphore.taken(&answer)))
    }

    #[inline(always)]
    fn ask(&self, operand: Operand, wanted: Wanted, timeout: u32) -> Result<call::Answer, CallError> {
        let Wanted { bits, how } = wanted;
        call::attempt(CallNumber::EventGroupWait, [Some(operand.0), Some(bits), Some(how), Some(timeout)])
    }
}
