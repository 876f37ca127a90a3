//! Notifications: "something happened", as bits of a thread's word.
//!
//! Bits that are set while no thread waits stay until one does; setting a bit twice is the same as once. Each
//! call is a system call.

use core::marker::PhantomData;
use core::ops::BitOr;

use beryl_abi::call::{CallError, CallNumber, FOREVER, Operand};

pub use beryl_abi::NotificationId;

use crate::semaphore::{Binary, Held};
use crate::time::Wait;
use crate::{call, platform};

/// Bits of the calling thread's word: events that may happen, or that have.
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

/// The sender's side of a notification.
#[repr(C)]
pub struct Notifier {
    id: NotificationId,
    bits: u32,
    /// A handle is its thread's own.
    _own: PhantomData<*mut ()>,
}

/// The waiting side of a notification.
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

    /// Sets the bits, and wakes their thread if it waits for one of them.
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

    /// Waits for it without a time limit.
    ///
    /// # Errors
    ///
    /// [`CallError::Raised`] inside a ceiling lock.
    #[inline(always)]
    pub fn wait(&mut self) -> Result<(), CallError> {
        wait(NO_INTERRUPT, self.bits, FOREVER).map(drop)
    }

    /// Waits for it for as long as `wait` allows.
    ///
    /// # Errors
    ///
    /// As [`Notification::wait`], and those of [`Wait`].
    #[inline(always)]
    pub fn wait_for(&mut self, wait: Wait) -> Result<(), CallError> {
        self::wait(NO_INTERRUPT, self.bits, wait.word()?).map(drop)
    }

    /// Waits for it as [`Notification::wait`] does, and returns owning `semaphore`: see [`Binary`].
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

/// Waits for any of `bits`, of the calling thread's notifications and interrupts, for as long as `wait`
/// allows. Returns the ones that were set, and takes them.
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
