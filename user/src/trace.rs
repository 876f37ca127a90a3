//! Telling: what an application says to whoever traces the system, and the thread that reads it all.

use core::mem::MaybeUninit;

use beryl_abi::CallNumber;
use beryl_abi::call::CallError;

pub use beryl_abi::Classes;

use crate::{call, memory, message, platform};

/// Bytes of a note in the kernel's buffer.
pub const NOTE_BYTES: usize = 16;
/// The most notes that one call takes.
pub const MOST_NOTES: usize = 4;
const WORDS: usize = MOST_NOTES * NOTE_BYTES / 4;

/// Tells something of an application's own: which kind of event, and a value. Whether anybody listens makes no difference to
/// the caller but the few instructions that a record takes.
#[inline(always)]
pub fn tell(event: u16, value: u32) {
    platform::call(CallNumber::TraceEvent, [Some(event.into()), Some(value), None, None]);
}

/// The buffer for what the kernel and applications tell, as the one thread sees it that reads it.
pub struct Trace {
    /// What is told from the start on.
    first: Classes,
    /// Which image this is; put there when the image is complete.
    image: &'static [u32; 8],
    /// A handle is its thread's own.
    _trace: core::marker::PhantomData<*mut ()>,
}

/// Notes as they came out of the buffer: words of header, low word of kernel time, and two more.
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
        // SAFETY: the kernel has filled so many words from the first on, and bytes may be anything.
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

    /// Which image this is: a hash of it.
    #[must_use]
    pub fn image(&self) -> [u8; 32] {
        memory::identity(self.image)
    }

    /// Chooses what is told from now on.
    ///
    /// # Errors
    ///
    /// None, where the builder made the handle.
    pub fn choose(&mut self, classes: Classes) -> Result<(), CallError> {
        call::attempt(CallNumber::TraceClasses, [Some(classes.0.into()), None, None, None]).map(drop)
    }

    /// Takes the oldest notes out, [`MOST_NOTES`] at most; none if there are none.
    ///
    /// # Errors
    ///
    /// None, where the builder made the handle.
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
