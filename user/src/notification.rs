//! Notifications: "something happened", as bits of a thread's word.
//!
//! Bits that are set while nobody waits stay until somebody does; a bit that is set twice is one. Each
//! call is a system call.

use core::marker::PhantomData;
use core::ops::BitOr;

use beryl_abi::call::{CallError, CallNumber, FOREVER, Operand};

pub use beryl_abi::NotificationId;

use crate::semaphore::{Binary, Held};
use crate::time::Wait;
use crate::{call, platform};

/// Bits of the calling thread's word: what can happen, or what has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits(pub(crate) u32);

impl Bits {
    /// Whether one of `other` is among them.
    #[must_use]
    #[inline(always)]
    pub const fn has(self, other: Bits) -> bool {
        self.0 & other.0 != 0
    }
}

impl BitOr for Bits {
    type Output = Bits;

    #[inline(always)]
    fn bitor(self, other: Bits) -> Bits {
        Bits(self.0 | other.0)
    }
}

/// The side of a notification that says that something happened.
#[repr(C)]
pub struct Notifier {
    id: NotificationId,
    bits: u32,
    /// A handle is its thread's own.
    _own: PhantomData<*mut ()>,
}

/// The side of a notification that waits for it.
#[repr(C)]
pub struct Notification {
    bits: u32,
    /// A handle is its thread's own.
    _own: PhantomData<*mut ()>,
}

impl Notifier {
    /// The notification with this number, and the bits to set.
    ///
    /// # Safety
    ///
    /// For the builder's glue: they are the notification's bits, and the calling thread may set them.
    #[must_use]
    #[inline(always)]
    pub const unsafe fn new(id: NotificationId, bits: u32) -> Notifier {
        Notifier { id, bits, _own: PhantomData }
    }

    /// Sets the bits, and wakes the thread whose they are if it waits for one of them.
    #[inline(always)]
    pub fn notify(&mut self) {
        platform::call(CallNumber::Notify, [Some(u32::from(self.id.0)), Some(self.bits), None, None]);
    }
}

impl Notification {
    /// The notification that sets these bits of the calling thread's word.
    ///
    /// # Safety
    ///
    /// For the builder's glue: no other handle of the thread has these bits.
    #[must_use]
    #[inline(always)]
    pub const unsafe fn new(bits: u32) -> Notification {
        Notification { bits, _own: PhantomData }
    }

    /// Its bits, for [`wait_any`].
    #[must_use]
    #[inline(always)]
    pub const fn bits(&self) -> Bits {
        Bits(self.bits)
    }

    /// Waits for it as long as it takes.
    ///
    /// # Errors
    ///
    /// [`CallError::Raised`] inside a ceiling lock.
    #[inline(always)]
    pub fn wait(&mut self) -> Result<(), CallError> {
        wait(NO_INTERRUPT, self.bits, FOREVER).map(drop)
    }

    /// Waits for it as long as `wait` says.
    ///
    /// # Errors
    ///
    /// As [`Notification::wait`], and those of [`Wait`].
    #[inline(always)]
    pub fn wait_for(&mut self, wait: Wait) -> Result<(), CallError> {
        self::wait(NO_INTERRUPT, self.bits, wait.word()?).map(drop)
    }

    /// Waits for it as [`Notification::wait`] does, and comes back owning `semaphore`: see [`Binary`].
    ///
    /// # Errors
    ///
    /// As [`Notification::wait`], and [`CallError::Deadlock`]; then the semaphore isn't owned.
    #[inline(always)]
    pub fn wait_then<'a, T>(&mut self, semaphore: &'a mut Binary<T>) -> Result<Held<'a, T>, CallError> {
        let answer = wait(semaphore.after(Operand::NO_OBJECT), self.bits, FOREVER)?;
        Ok(semaphore.taken(&answer))
    }
}

/// Waits for any of `bits`, of the calling thread's notifications and interrupts, as long as `wait` says.
/// Answers which have been set, and takes them.
///
/// # Errors
///
/// As [`Notification::wait_for`].
#[inline(always)]
pub fn wait_any(bits: Bits, wait: Wait) -> Result<Bits, CallError> {
    self::wait(NO_INTERRUPT, bits.0, wait.word()?).map(|answer| Bits(answer.values[0]))
}

/// The operand of a wait that acknowledges no interrupt.
const NO_INTERRUPT: Operand = Operand::object(Operand::NO_OBJECT);

#[inline(always)]
pub(crate) fn wait(operand: Operand, bits: u32, timeout: u32) -> Result<call::Answer, CallError> {
    call::attempt(CallNumber::NotificationWait, [Some(operand.0), Some(bits), None, Some(timeout)])
}
