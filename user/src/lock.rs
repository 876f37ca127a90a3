//! Ceiling locks: exclusion by raising the thread's own urgency, without a system call.
//!
//! While a thread is inside, no other user of the lock may preempt it: its word holds the lock's ceiling, the
//! highest level of the lock's users. The kernel reads the word when it decides. If a thread has to wait for
//! the word to fall, the kernel writes that thread's level to a second word. So only when the word falls
//! below that level is a call made, however deep locks are nested.
//!
//! The protocol is UPRIO|NPRIO of Zuepke, Bommert and Kaiser ("Fast User Space Priority Switching", OSPERT
//! 2014, section 3), with preemption levels for priorities, so that it also works for threads with deadlines
//! (Baker's stack resource policy).
//!
//! # Cost on a Cortex-M3
//!
//! Lock and unlock together are nine instructions if the ceiling isn't raised already and no thread waits;
//! four more if it is. A lock with one user costs nothing.

use core::marker::PhantomData;

use beryl_abi::CallNumber;
use beryl_abi::call::CallError;

use crate::condition::Condition;
use crate::port::Plain;
use crate::time::Wait;
use crate::{call, memory, platform};

/// A value that threads of one process share under a ceiling lock.
///
/// A thread may neither wait nor yield inside: such calls fail with [`CallError::Raised`]. A thread that ends
/// inside is stopped with a fault.
pub struct Lock<T> {
    /// The thread's two words: its raised level, and the level that waits for it to fall.
    words: u32,
    ceiling: u32,
    value: u32,
    /// A handle is its thread's own.
    _value: PhantomData<*mut T>,
}

impl<T: Plain> Lock<T> {
    /// The lock as one thread knows it: the address of the thread's words, the lock's ceiling (0 if the
    /// thread is its only user) and the address of its value.
    ///
    /// # Safety
    ///
    /// For the builder's glue. The words are the calling thread's. All users of the value reach it through
    /// locks with the same ceiling, which is at least the level of each of them; they belong to one process,
    /// and each has one handle. The value is of type `T`.
    #[must_use]
    #[inline(always)]
    pub const unsafe fn new(words: u32, ceiling: u32, value: u32) -> Lock<T> {
        Lock { words, ceiling, value, _value: PhantomData }
    }

    /// Runs `body` on the value while no other thread touches it. Other locks may be taken inside.
    #[inline(always)]
    pub fn with<R>(&mut self, body: impl FnOnce(&mut T) -> R) -> R {
        if self.ceiling == 0 {
            // SAFETY: this thread is the only user (`new`), by this handle, which is borrowed here.
            return body(unsafe { self.value() });
        }
        let words = self.words();
        let before = self.raise(words);
        // SAFETY: the word is raised.
        let result = body(unsafe { self.value() });
        lower(words, before);
        result
    }

    /// Runs `body` on the value as [`Lock::with`] does, until it returns something. Each time that it
    /// doesn't, gives up the lock and waits for `condition`, for as long as `wait` allows.
    ///
    /// # Errors
    ///
    /// [`CallError::Raised`] inside another lock, which would be given up too; [`CallError::NotOwner`] if it
    /// has to wait and the thread is the lock's only user; the errors of [`Wait`].
    #[inline(always)]
    pub fn with_when<R>(
        &mut self,
        condition: &Condition,
        wait: Wait,
        mut body: impl FnMut(&mut T) -> Option<R>,
    ) -> Result<R, CallError> {
        let timeout = wait.word()?;
        let words = self.words();
        let before = self.raise(words);
        let result = loop {
            if before != 0 {
                break Err(CallError::Raised);
            }
            // SAFETY: the word is raised, by this thread or again by the kernel. Whatever `body` borrowed
            // before the lock was given up is out of its reach.
            if let Some(result) = body(unsafe { self.value() }) {
                break Ok(result);
            }
            memory::fence();
            if let Err(error) = condition.wait_raised(timeout) {
                break Err(error);
            }
            memory::fence();
        };
        lower(words, before);
        result
    }

    /// Raises the word, if the lock has a ceiling; returns what [`Lock::leave`] needs.
    #[inline(always)]
    pub(crate) fn enter(&self) -> u32 {
        if self.ceiling == 0 { 0 } else { self.raise(self.words()) }
    }

    /// Lowers the word again.
    #[inline(always)]
    pub(crate) fn leave(&self, before: u32) {
        if self.ceiling != 0 {
            lower(self.words(), before);
        }
    }

    /// Whether the thread is raised as far as by it, and no less than `before`.
    pub(crate) fn is_left_to(&self, before: u32) -> bool {
        // SAFETY: the thread's own words (`new`).
        let level = unsafe { self.words().read_volatile() };
        self.ceiling == 0 || level >= self.ceiling.max(before)
    }

    /// The address of its value.
    #[inline(always)]
    pub(crate) fn place(&self) -> *mut T {
        memory::shared(self.value)
    }

    #[inline(always)]
    fn words(&self) -> *mut u32 {
        memory::at(platform::opaque(self.words))
    }

    /// Raises the word to the ceiling, unless it is higher already; returns its old value.
    #[inline(always)]
    fn raise(&self, words: *mut u32) -> u32 {
        platform::point();
        // SAFETY: the thread's own words (`new`).
        let before = unsafe { words.read_volatile() };
        let mut level = self.ceiling;
        if before != 0 {
            platform::seldom();
            level = level.max(before);
        }
        // SAFETY: as above.
        unsafe { words.write_volatile(level) };
        memory::fence();
        before
    }

    /// # Safety
    ///
    /// No other code touches the value while it is borrowed.
    #[inline(always)]
    #[expect(clippy::mut_from_ref, reason = "the value isn't in the handle")]
    unsafe fn value(&self) -> &mut T {
        // SAFETY: a value of this type is there (`new`), and the caller keeps others out.
        unsafe { &mut *memory::shared(self.value) }
    }
}

/// Sets the thread's word to `before`, and lets the kernel decide again if that is below the level of a
/// waiting thread. The store comes before the load: the kernel sees a thread that becomes ready after the
/// store, and the load sees one that became ready before. An outdated level only costs a call.
#[inline(always)]
fn lower(words: *mut u32, before: u32) {
    memory::fence();
    platform::point();
    // SAFETY: the thread's own words (`Lock::new`).
    let waiting = unsafe {
        words.write_volatile(before);
        words.add(1).read_volatile()
    };
    if waiting != 0 {
        platform::seldom();
        if waiting > before {
            platform::call(CallNumber::Preempt, call::NONE);
        }
    }
}
