//! Tracing for applications: telling events, and the thread that reads all notes.

#[cfg(test)]
mod interleavings;
mod protocol;
pub mod wrong;

use core::mem::MaybeUninit;
use core::sync::atomic::{AtomicU32, Ordering};

use beryl_abi::call::CallError;
use beryl_abi::{CallNumber, Journal};

pub use beryl_abi::{Classes, log};

use crate::{call, memory, message, platform};
use protocol::Access;

/// Bytes of a note in the kernel's buffer.
pub const NOTE_BYTES: usize = 16;
/// The most notes that one call takes.
pub const MOST_NOTES: usize = 4;
const WORDS: usize = MOST_NOTES * NOTE_BYTES / 4;

/// Tells an event of an application: its kind and a value. The caller sees no difference whether anybody
/// listens, except for a few instructions.
///
/// In a process with a journal, the thread writes the event down itself and calls the kernel, which reads the
/// journal, only if there is no room. In other processes each event is a system call.
///
/// # Cost on a Cortex-M3
///
/// Some 25 instructions into a journal, and some 50 more when the kernel is entered next; by a call over 110.
/// If nobody listens, 5 and 80.
#[inline(always)]
pub fn tell(event: u16, value: u32) {
    let Some(journal) = platform::journal() else { return tell_at_once(event, value) };
    platform::point();
    if !protocol::write(Memory, journal, [event.into(), value]) {
        platform::seldom();
        if Memory.load(journal.wrapping_add(Journal::CALLS)) != 0 {
            tell_at_once(event, value);
        }
    }
}

/// As [`tell`], but always by a call: the kernel knows the event when this returns.
#[inline(always)]
pub fn tell_at_once(event: u16, value: u32) {
    platform::call(CallNumber::TraceEvent, [Some(event.into()), Some(value), None, None]);
}

/// The process's memory. Each access happens once and in order.
#[derive(Clone, Copy)]
struct Memory;

impl Access for Memory {
    #[inline(always)]
    fn load(self, address: u32) -> u32 {
        // SAFETY: a word of the process's journal (`platform::journal`).
        unsafe { memory::at::<u32>(address).read_volatile() }
    }

    #[inline(always)]
    fn load_two(self, address: u32) -> [u32; 2] {
        // SAFETY: as in `load`.
        unsafe { platform::load_two(memory::at(address)) }
    }

    #[inline(always)]
    fn store(self, address: u32, word: u32) {
        // SAFETY: as in `load`. If the process has corrupted the address, it is at worst another word of its
        // own.
        unsafe { memory::at::<u32>(address).write_volatile(word) }
    }

    #[inline(always)]
    fn advance(self, address: u32, from: u32, to: u32) -> bool {
        memory::fence();
        // SAFETY: as in `load`; threads change this word by this function only.
        let word = unsafe { AtomicU32::from_ptr(memory::at(address)) };
        word.compare_exchange_weak(from, to, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    #[inline(always)]
    fn moment(self) -> u32 {
        platform::moment()
    }
}

/// The trace buffer of the kernel and applications, as its only reader sees it.
pub struct Trace {
    /// The classes that are told from the start.
    first: Classes,
    /// The image's identity; put there when the image is complete.
    image: &'static [u32; 8],
    /// A handle is its thread's own.
    _trace: core::marker::PhantomData<*mut ()>,
}

/// Notes as they came out of the buffer: header, low word of kernel time, and two more words.
pub struct Notes {
    words: [MaybeUninit<u32>; WORDS],
    count: usize,
}

impl Notes {
    /// The notes, the oldest first.
    #[must_use]
    pub fn bytes(&mut self) -> &[u8] {
        let length = self.count.min(MOST_NOTES) * NOTE_BYTES;
        let bytes: *const u8 = self.words.as_ptr().cast();
        // SAFETY: the kernel has filled this many words from the first on, and any bytes are valid.
        unsafe { core::slice::from_raw_parts(bytes, length) }
    }
}

impl Trace {
    /// The buffer of an image with this identity.
    ///
    /// # Safety
    ///
    /// For the builder's glue: the calling thread is the one that the kernel's tables name as reader.
    #[must_use]
    #[inline(always)]
    pub const unsafe fn new(first: Classes, image: &'static [u32; 8]) -> Trace {
        Trace { first, image, _trace: core::marker::PhantomData }
    }

    /// The classes that the system description asks for.
    #[must_use]
    pub const fn first(&self) -> Classes {
        self.first
    }

    /// The image's identity, a hash of it.
    #[must_use]
    pub fn image(&self) -> [u8; 32] {
        memory::identity(self.image)
    }

    /// Chooses the classes that are told from now on.
    ///
    /// # Errors
    ///
    /// None, if the builder made the handle.
    pub fn choose(&mut self, classes: Classes) -> Result<(), CallError> {
        call::attempt(CallNumber::TraceClasses, [Some(classes.0.into()), None, None, None]).map(drop)
    }

    /// Takes out the oldest notes, at most [`MOST_NOTES`]; none if there are none.
    ///
    /// # Errors
    ///
    /// None, if the builder made the handle.
    pub fn take(&mut self) -> Result<Notes, CallError> {
        let mut notes = Notes { words: [MaybeUninit::new(0); WORDS], count: 0 };
        let bytes = message::bytes(&mut notes.words);
        let length = bytes.len();
        let answer = platform::with_buffer(bytes, 0, |address| {
            let arguments = [None, Some(address), Some(length as u32), None];
            call::attempt(CallNumber::TraceRead, arguments)
        })?;
        let [count, _] = answer.values;
        notes.count = count as usize;
        Ok(notes)
    }
}
