//! State messages: the latest value of one writer, for any number of readers, without a system call.
//!
//! A value is written to the next of a ring of buffers and then announced; readers take the newest announced
//! value. No thread waits. A value of one word needs no ring.
//!
//! The builder makes the ring one deeper than the most writes that can be under way during a reading. Then a
//! reader always gets the newest value, and whole. If writes come faster than declared, it gets an error
//! ([`Overrun`]) instead of parts of two values. Readers that are too slow for a ring of sensible depth read
//! by a call ([`SlowReader`]).
//!
//! After EMERALDS, section 7.4, which neither looks for overruns nor counts a write that is under way when
//! reading begins. Every not-a-number is written as the same one.
//!
//! # Cost on a Cortex-M3
//!
//! With eight bytes: eight instructions to write, nine to read with the check.

#[cfg(test)]
mod interleavings;
mod protocol;

use core::marker::PhantomData;

use beryl_abi::call::{CallError, CallNumber};

pub use beryl_abi::StateMessageId;
pub use protocol::Overrun;

use crate::message::{self, Words};
use crate::port::Plain;
use crate::{call, memory, platform};
use protocol::{Access, Ring};

/// The only writer of a state message.
pub struct Writer<T> {
    ring: Ring,
    /// A handle is its thread's own.
    _value: PhantomData<*mut T>,
}

/// A reader that finishes within the window for which the ring was made.
pub struct Reader<T> {
    ring: Ring,
    /// A handle is its thread's own.
    _value: PhantomData<*mut T>,
}

/// A reader that may take any time: the kernel makes the copy. Each reading is a system call.
pub struct SlowReader<T> {
    id: StateMessageId,
    /// A handle is its thread's own.
    _value: PhantomData<*mut T>,
}

impl<T: Plain> Writer<T> {
    /// The state message with the word at `index` as its count of writes, and `depth` buffers from `base` on.
    /// A base right behind the index is cheapest. If the value is one word, the depth is 1, and it lies at
    /// `base`.
    ///
    /// # Safety
    ///
    /// For the builder's glue. The depth is a power of two, and 1 only for one word. All of that memory is
    /// the state message's, the calling thread may write it, and no other thread does. The buffer that the
    /// index names has a value of type `T`.
    #[must_use]
    #[inline(always)]
    pub const unsafe fn new(index: u32, base: u32, depth: u32) -> Writer<T> {
        Writer { ring: Ring { index, base, depth }, _value: PhantomData }
    }

    /// Makes `value` the newest.
    #[inline(always)]
    pub fn write(&mut self, value: &T) {
        let mut words = Words::new();
        words.fill(value);
        self.announce(&words);
    }

    /// Makes the value whose bytes are at any address the newest.
    ///
    /// # Safety
    ///
    /// So many bytes are there.
    #[inline(always)]
    pub(crate) unsafe fn write_from(&mut self, at: *const u8) {
        let mut words = Words::new();
        // SAFETY: as the caller says.
        unsafe { words.take(at) };
        self.announce(&words);
    }

    /// Makes the value of words that are all set the newest.
    #[inline(always)]
    fn announce(&self, words: &Words<T>) {
        // SAFETY: `fill` and `take` set all words.
        match unsafe { words.filled() } {
            [word] => Memory.store(self.ring.base, *word),
            words => self.ring.write(Memory, words),
        }
    }
}

impl<T: Plain> Reader<T> {
    /// The state message; the arguments are those of [`Writer::new`].
    ///
    /// # Safety
    ///
    /// For the builder's glue: as [`Writer::new`], and the calling thread may read that memory.
    #[must_use]
    #[inline(always)]
    pub const unsafe fn new(index: u32, base: u32, depth: u32) -> Reader<T> {
        Reader { ring: Ring { index, base, depth }, _value: PhantomData }
    }

    /// The newest value.
    ///
    /// # Errors
    ///
    /// [`Overrun`] if it was overwritten meanwhile, because writes came faster or this took longer than
    /// declared. Never for a value of one word.
    #[inline(always)]
    pub fn read(&mut self) -> Result<T, Overrun> {
        if Words::<T>::COUNT > 1 {
            return self.ring.read(Memory);
        }
        let mut words = Words::new();
        words.words().iter_mut().for_each(|word| _ = word.write(Memory.load(self.ring.base)));
        // SAFETY: the only word has been read.
        Ok(unsafe { words.value() })
    }
}

impl<T: Plain> SlowReader<T> {
    /// The state message with this number.
    ///
    /// # Safety
    ///
    /// For the builder's glue: its values are of type `T`, and the calling thread may read it.
    #[must_use]
    #[inline(always)]
    pub const unsafe fn new(id: StateMessageId) -> SlowReader<T> {
        SlowReader { id, _value: PhantomData }
    }

    /// The newest value.
    ///
    /// # Errors
    ///
    /// None for a thread that the builder lets read. It may also be called inside a ceiling lock.
    #[inline(always)]
    pub fn read(&mut self) -> Result<T, CallError> {
        let mut words = Words::new();
        platform::with_buffer(message::bytes(words.words()), 0, |address| {
            let arguments = [Some(u32::from(self.id.0)), Some(address), None, None];
            call::attempt(CallNumber::StateMessageRead, arguments)
        })?;
        // SAFETY: the kernel has put a whole value there.
        Ok(unsafe { words.value() })
    }
}

/// The system's memory. Each access happens once and in order.
#[derive(Clone, Copy)]
struct Memory;

impl Access for Memory {
    #[inline(always)]
    fn load(self, address: u32) -> u32 {
        platform::point();
        // SAFETY: a word of a state message that this thread may read (`Reader::new`).
        unsafe { memory::at::<u32>(address).read_volatile() }
    }

    #[inline(always)]
    fn store(self, address: u32, word: u32) {
        platform::point();
        // SAFETY: a word of a state message that only this thread writes (`Writer::new`).
        unsafe { memory::at::<u32>(address).write_volatile(word) }
    }

    #[inline(always)]
    fn near(self, address: u32) -> u32 {
        platform::opaque(address)
    }

    #[inline(always)]
    fn load_two(self, address: u32) -> [u32; 2] {
        platform::point();
        // SAFETY: as in `load`.
        unsafe { platform::load_two(memory::at(address)) }
    }

    #[inline(always)]
    fn store_two(self, address: u32, words: [u32; 2]) {
        platform::point();
        // SAFETY: as in `store`.
        unsafe { platform::store_two(memory::at(address), words) }
    }
}
