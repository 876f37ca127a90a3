//! Interrupts as a device server sees them: something to wait for.
//!
//! The kernel masks the line when the interrupt comes, so it can't come again before the server has served
//! the device and waits for the next, which is one system call. An interrupt that came earlier ends the wait
//! at once, and its line stays masked: the device still has to be served.

use core::marker::PhantomData;

use beryl_abi::call::{CallError, CallNumber, FOREVER, Operand};

pub use beryl_abi::InterruptId;

use crate::notification::{self, Bits};
use crate::platform;
use crate::semaphore::{Binary, Held};
use crate::time::Wait;

/// An interrupt that the calling thread serves.
#[repr(C)]
pub struct Interrupt {
    id: InterruptId,
    bits: u32,
    /// A handle is its thread's own.
    _own: PhantomData<*mut ()>,
}

impl Interrupt {
    /// The interrupt with this number, which sets these bits of the calling thread's word.
    ///
    /// # Safety
    ///
    /// For the builder's glue: the calling thread serves it, and no other handle of it has these bits. It has none if it never comes.
    #[must_use]
    #[inline(always)]
    pub const unsafe fn new(id: InterruptId, bits: u32) -> Interrupt {
        Interrupt { id, bits, _own: PhantomData }
    }

    /// Its bits, for [`wait_any`](notification::wait_any). It must be acknowledged before that.
    #[must_use]
    #[inline(always)]
    pub const fn bits(&self) -> Bits {
        Bits(self.bits)
    }

    /// Whether it never comes on this board, as the description says of it. Nobody should wait for it then: the device is
    /// asked instead.
    #[must_use]
    #[inline(always)]
    pub const fn is_silent(&self) -> bool {
        self.bits == 0
    }

    /// Unmasks it.
    #[inline(always)]
    pub fn acknowledge(&mut self) {
        platform::call(CallNumber::Acknowledge, [Some(u32::from(self.id.0)), None, None, None]);
    }

    /// Waits for it without a time limit, and unmasks it meanwhile.
    ///
    /// # Errors
    ///
    /// [`CallError::Raised`] inside a ceiling lock.
    #[inline(always)]
    pub fn wait(&mut self) -> Result<(), CallError> {
        notification::wait(Operand::object(self.id.0), self.bits, FOREVER).map(drop)
    }

    /// Waits for it for as long as `wait` allows, and unmasks it meanwhile. [`Wait::Poll`] doesn't unmask it:
    /// a thread that only polls calls [`Interrupt::acknowledge`].
    ///
    /// # Errors
    ///
    /// As [`Interrupt::wait`], and those of [`Wait`].
    #[inline(always)]
    pub fn wait_for(&mut self, wait: Wait) -> Result<(), CallError> {
        notification::wait(Operand::object(self.id.0), self.bits, wait.word()?).map(drop)
    }

    /// Waits for it as [`Interrupt::wait`] does, and returns owning `semaphore`: see [`Binary`].
    ///
    /// # Errors
    ///
    /// As [`Interrupt::wait`], and [`CallError::Deadlock`]; then the semaphore isn't owned.
    #[inline(always)]
    pub fn wait_then<'a, T>(&mut self, semaphore: &'a mut Binary<T>) -> Result<Held<'a, T>, CallError> {
        let answer = notification::wait(semaphore.after(self.id.0), self.bits, FOREVER)?;
        Ok(semaphore.taken(&answer))
    }
}
