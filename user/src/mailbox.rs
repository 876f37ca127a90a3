//! Mailboxes: bounded queues of messages, also between processes.
//!
//! Each call is a system call. Messages of up to 8 bytes travel in registers; longer ones, up to 64, are
//! copied once on each side. Every not-a-number is sent as the same one.

use core::marker::PhantomData;

use beryl_abi::call::{CallError, CallNumber, FOREVER, Operand, POLL};

pub use beryl_abi::MailboxId;

use crate::message::{self, Words};
use crate::port::Plain;
use crate::semaphore::{Binary, Held};
use crate::time::Wait;
use crate::{call, platform};

/// The sender's side of a mailbox.
#[repr(C)]
pub struct Sender<T> {
    id: MailboxId,
    /// A handle is its thread's own.
    _message: PhantomData<*mut T>,
}

/// The receiver's side of a mailbox.
#[repr(C)]
pub struct Receiver<T> {
    id: MailboxId,
    /// A handle is its thread's own.
    _message: PhantomData<*mut T>,
}

impl<T: Plain> Sender<T> {
    /// The mailbox with this number.
    ///
    /// # Safety
    ///
    /// For the builder's glue: its messages are of type `T`, and the calling thread may send.
    #[must_use]
    #[inline(always)]
    pub const unsafe fn new(id: MailboxId) -> Sender<T> {
        Sender { id, _message: PhantomData }
    }

    /// Sends `message`, and waits for room without a time limit.
    ///
    /// # Errors
    ///
    /// [`CallError::Raised`] inside a ceiling lock; [`CallError::OverLimit`] if the sender's process has sent as
    /// much as its limit lets it.
    #[inline(always)]
    pub fn send(&mut self, message: &T) -> Result<(), CallError> {
        self.put(message, FOREVER)
    }

    /// Sends `message` if there is room.
    ///
    /// # Errors
    ///
    /// [`CallError::WouldBlock`] if the mailbox is full, and those of [`Sender::send`].
    #[inline(always)]
    pub fn try_send(&mut self, message: &T) -> Result<(), CallError> {
        self.put(message, POLL)
    }

    /// Sends `message`, and waits for room for as long as `wait` allows.
    ///
    /// # Errors
    ///
    /// As [`Sender::send`], and those of [`Wait`].
    #[inline(always)]
    pub fn send_for(&mut self, message: &T, wait: Wait) -> Result<(), CallError> {
        self.put(message, wait.word()?)
    }

    #[inline(always)]
    pub(crate) fn put(&self, message: &T, timeout: u32) -> Result<(), CallError> {
        if message::is_short::<T>() {
            let [first, second] = message::registers(message);
            return self.put_words(first, Some(second), timeout);
        }
        let mut words = Words::new();
        words.fill(message);
        let bytes = message::bytes(words.words());
        let filled = bytes.len();
        platform::with_buffer(bytes, filled, |address| self.put_words(address, None, timeout))
    }

    /// Sends a short message, or one in whole words at an address.
    #[inline(always)]
    pub(crate) fn put_words(&self, first: u32, second: Option<u32>, timeout: u32) -> Result<(), CallError> {
        let arguments = [Some(u32::from(self.id.0)), Some(first), second, Some(timeout)];
        call::attempt(CallNumber::MailboxSend, arguments).map(drop)
    }
}

impl<T: Plain> Receiver<T> {
    /// The mailbox with this number.
    ///
    /// # Safety
    ///
    /// For the builder's glue: its messages are of type `T`, and the calling thread may receive.
    #[must_use]
    #[inline(always)]
    pub const unsafe fn new(id: MailboxId) -> Receiver<T> {
        Receiver { id, _message: PhantomData }
    }

    /// Takes the oldest message, and waits for one without a time limit.
    ///
    /// # Errors
    ///
    /// [`CallError::Raised`] inside a ceiling lock.
    #[inline(always)]
    pub fn receive(&mut self) -> Result<T, CallError> {
        self.take(Operand::object(self.id.0), FOREVER).map(|(message, _)| message)
    }

    /// Takes the oldest message, if there is one.
    ///
    /// # Errors
    ///
    /// [`CallError::WouldBlock`] if there is none; [`CallError::Raised`] inside a ceiling lock.
    #[inline(always)]
    pub fn try_receive(&mut self) -> Result<T, CallError> {
        self.take(Operand::object(self.id.0), POLL).map(|(message, _)| message)
    }

    /// Takes the oldest message, and waits for one for as long as `wait` allows.
    ///
    /// # Errors
    ///
    /// As [`Receiver::receive`], and those of [`Wait`].
    #[inline(always)]
    pub fn receive_for(&mut self, wait: Wait) -> Result<T, CallError> {
        self.take_for(wait.word()?)
    }

    #[inline(always)]
    pub(crate) fn take_for(&self, timeout: u32) -> Result<T, CallError> {
        self.take(Operand::object(self.id.0), timeout).map(|(message, _)| message)
    }

    /// Takes the oldest message, which is no short one, to an address.
    #[inline(always)]
    pub(crate) fn take_to(&self, address: u32, timeout: u32) -> Result<(), CallError> {
        let operand = Operand::object(self.id.0).0;
        let arguments = [Some(operand), Some(address), None, Some(timeout)];
        call::attempt(CallNumber::MailboxReceive, arguments).map(drop)
    }

    /// Takes the oldest message as [`Receiver::receive`] does, and returns owning `semaphore`: see
    /// [`Binary`].
    ///
    /// # Errors
    ///
    /// As [`Receiver::receive`], and [`CallError::Deadlock`]; then the semaphore isn't owned.
    #[inline(always)]
    pub fn receive_then<'a, U>(
        &mut self,
        semaphore: &'a mut Binary<U>,
    ) -> Result<(T, Held<'a, U>), CallError> {
        let (message, answer) = self.take(semaphore.after(self.id.0), FOREVER)?;
        Ok((message, semaphore.taken(&answer)))
    }

    #[inline(always)]
    fn take(&self, operand: Operand, timeout: u32) -> Result<(T, call::Answer), CallError> {
        let call =
            |first| call::attempt(CallNumber::MailboxReceive, [Some(operand.0), first, None, Some(timeout)]);
        if message::is_short::<T>() {
            let answer = call(None)?;
            return Ok((message::from_registers(answer.values), answer));
        }
        let mut words = Words::new();
        let answer = platform::with_buffer(message::bytes(words.words()), 0, |address| call(Some(address)))?;
        // SAFETY: the kernel has put a whole message there.
        Ok((unsafe { words.value() }, answer))
    }
}
