//! Binary semaphores: exclusion for sections in which a thread may wait.
//!
//! A thread that waits for one lends its urgency to the owner, through chains of owners that wait themselves.
//!
//! If all users are threads of one process, they take a free semaphore, and give back one without waiters,
//! through a word of their own, without the kernel: 0, or one more than the owner's number. The kernel marks
//! the word when a thread begins to wait, and then both sides call it.
//!
//! # Cost on a Cortex-M3
//!
//! Through the word, taking and giving back are thirteen instructions together and no system call. Through
//! the kernel each is a system call.

use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};
use core::sync::atomic::{AtomicU32, Ordering};

use beryl_abi::call::{CallError, CallNumber, FOREVER, Operand, POLL};
use beryl_abi::{SemaphoreId, ThreadId};

use crate::port::Plain;
use crate::time::Wait;
use crate::{call, memory, platform};

/// A binary semaphore and the value that it protects; `()` if it protects something else.
///
/// Calls of other handles whose names end in `then` take one when their wait is over: the kernel takes it for
/// the thread before it wakes it, or lends the thread's urgency to the owner until it can, so that the thread
/// isn't woken only to wait again. (EMERALDS, section 6.2, where the woken thread is told what to wait for
/// next; here it gets it.)
#[repr(C)]
pub struct Binary<T> {
    id: SemaphoreId,
    /// The word of its users, or 0.
    word: u32,
    /// The word's value while this thread is the owner.
    mine: u32,
    value: u32,
    /// A handle is its thread's own.
    _value: PhantomData<*mut T>,
}

impl<T> Binary<T> {
    /// The semaphore as one thread knows it: its number, the address of its users' word (0 if there is none),
    /// the thread's number and the address of its value.
    ///
    /// # Safety
    ///
    /// For the builder's glue. The semaphore is a binary one with this word, which the calling thread `me`
    /// may use. All users of the value reach it through this semaphore, one handle each, and a value of type
    /// `T` is there.
    #[must_use]
    #[inline(always)]
    pub const unsafe fn new(id: SemaphoreId, word: u32, me: ThreadId, value: u32) -> Binary<T> {
        Binary { id, word, mine: me.0 as u32 + 1, value, _value: PhantomData }
    }

    /// Takes it, and waits for it without a time limit.
    ///
    /// # Errors
    ///
    /// [`CallError::Deadlock`] if its owner waits, perhaps through others, for the caller;
    /// [`CallError::Raised`] inside a ceiling lock, unless it is free and needs no system call.
    #[inline(always)]
    pub fn wait(&mut self) -> Result<Held<'_, T>, CallError> {
        self.take(FOREVER)
    }

    /// Takes it, and waits for it for as long as `wait` allows.
    ///
    /// # Errors
    ///
    /// As [`Binary::wait`], and those of [`Wait`].
    #[inline(always)]
    pub fn wait_for(&mut self, wait: Wait) -> Result<Held<'_, T>, CallError> {
        self.take(wait.word()?)
    }

    /// Takes it if it is free.
    ///
    /// # Errors
    ///
    /// [`CallError::WouldBlock`] if it isn't; [`CallError::Raised`] as [`Binary::wait`].
    #[inline(always)]
    pub fn try_wait(&mut self) -> Result<Held<'_, T>, CallError> {
        self.take(POLL)
    }

    #[inline(always)]
    pub(crate) fn take(&mut self, timeout: u32) -> Result<Held<'_, T>, CallError> {
        let word = platform::opaque(self.word);
        if self.exchange(word, 0, self.mine) {
            memory::fence();
            return Ok(Held { semaphore: self, word, owner_died: false });
        }
        let arguments = [Some(u32::from(self.id.0)), None, None, Some(timeout)];
        let answer = call::attempt(CallNumber::SemaphoreWait, arguments)?;
        Ok(self.taken(&answer))
    }

    #[inline(always)]
    fn give_back(&self, word: u32) {
        // The only possible error is that this thread isn't the owner. Then there is nothing to give back.
        let _ = self.give(word);
    }

    /// Gives it back through the word of its users, or the kernel.
    ///
    /// # Errors
    ///
    /// [`CallError::NotOwner`] if this thread isn't the owner.
    #[inline(always)]
    fn give(&self, word: u32) -> Result<(), CallError> {
        memory::fence();
        if self.exchange(word, self.mine, 0) {
            return Ok(());
        }
        let arguments = [Some(u32::from(self.id.0)), None, None, None];
        call::attempt(CallNumber::SemaphoreSignal, arguments).map(drop)
    }

    /// Gives it back, if the thread owns it.
    ///
    /// # Errors
    ///
    /// [`CallError::NotOwner`] if it doesn't.
    pub(crate) fn signal(&mut self) -> Result<(), CallError> {
        self.give(platform::opaque(self.word))
    }

    /// Changes the users' word, which is at `word`, if its value is `from`. Returns whether it did. An
    /// exception in between is enough for a no; then the kernel does it instead, so there is no loop.
    #[inline(always)]
    fn exchange(&self, word: u32, from: u32, to: u32) -> bool {
        if self.word == 0 {
            return false;
        }
        platform::point();
        // SAFETY: the word is there as long as the system runs (`new`); its users change it in this way, the
        // kernel only while none of them runs.
        let word: &AtomicU32 = unsafe { &*memory::at(word) };
        // The fences around it are for the compiler only: all users run on one processor.
        let done = word.compare_exchange_weak(from, to, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        if !done {
            platform::seldom();
        }
        done
    }

    /// The operand of a call about `object` that is to return owning the semaphore.
    #[inline(always)]
    pub(crate) const fn after(&self, object: u8) -> Operand {
        Operand::then(object, self.id)
    }

    /// The handle of a semaphore that the thread owns already.
    #[inline(always)]
    pub(crate) fn held(&mut self) -> Held<'_, T> {
        let word = platform::opaque(self.word);
        Held { semaphore: self, word, owner_died: false }
    }

    /// The address of its value.
    #[inline(always)]
    pub(crate) fn place(&self) -> *mut T {
        memory::shared(self.value)
    }

    /// The handle of a semaphore that a call has taken.
    #[inline(always)]
    pub(crate) fn taken(&mut self, answer: &call::Answer) -> Held<'_, T> {
        memory::fence();
        let word = self.word;
        Held { semaphore: self, word, owner_died: answer.owner_died }
    }
}

/// An owned semaphore: gives access to the value. It is given back when this is dropped.
#[must_use = "it is given back at once"]
pub struct Held<'a, T> {
    semaphore: &'a mut Binary<T>,
    /// The word's address: made once, since an address costs two instructions.
    word: u32,
    owner_died: bool,
}

impl<T> Held<'_, T> {
    /// Whether the last owner stopped while it owned the semaphore: the value may be half changed.
    #[must_use]
    #[inline(always)]
    pub const fn owner_died(&self) -> bool {
        self.owner_died
    }

    /// The operand of a wait for `condition` that gives the semaphore up meanwhile.
    #[inline(always)]
    pub(crate) const fn while_waiting_for(&self, condition: u8) -> Operand {
        self.semaphore.after(condition)
    }

    /// Notes that the semaphore was given up and taken again.
    #[inline(always)]
    pub(crate) fn taken_again(&mut self, owner_died: bool) {
        self.owner_died |= owner_died;
    }
}

impl<T: Plain> Deref for Held<'_, T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: a value of this type is there, and its users keep out while the semaphore is owned
        // (`Binary::new`).
        unsafe { &*memory::shared(self.semaphore.value) }
    }
}

impl<T: Plain> DerefMut for Held<'_, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as in `deref`; this borrows the only handle of the owner.
        unsafe { &mut *memory::shared(self.semaphore.value) }
    }
}

impl<T> Drop for Held<'_, T> {
    #[inline(always)]
    fn drop(&mut self) {
        // A thread that panics stops with everything that it owns.
        if !platform::is_panicking() {
            self.semaphore.give_back(self.word);
        }
    }
}
