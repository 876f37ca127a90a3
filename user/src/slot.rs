//! Program slots: giving a module another program while the system runs.
//!
//! The kernel distrusts what it is given: it copies the program, checks it step by step in memory that no
//! user code can write, and lets it take over only at the end of a period. The program's origin is for the
//! caller to check: a loader verifies a signature before it writes.

use core::mem::MaybeUninit;

use beryl_abi::call::{CallError, CallNumber, LONGEST_PART};

pub use beryl_abi::{Progress, SlotId};

use crate::{call, memory, message, platform};

/// The most words in one part of a program.
const WORDS: usize = LONGEST_PART as usize / 4;

/// A module's slot.
pub struct Slot {
    id: SlotId,
    /// The image's identity; put there when the image is complete.
    image: &'static [u32; 8],
    /// The image's own program.
    program: &'static [u8],
    /// A handle is its thread's own.
    _slot: core::marker::PhantomData<*mut ()>,
}

impl Slot {
    /// The slot with this number, in the image with this identity, and its module's own program in its
    /// container, if new programs are made from it.
    ///
    /// # Safety
    ///
    /// For the builder's glue: the calling thread's process may write it.
    #[must_use]
    #[inline(always)]
    pub const unsafe fn new(id: SlotId, image: &'static [u32; 8], program: &'static [u8]) -> Slot {
        Slot { id, image, program, _slot: core::marker::PhantomData }
    }

    /// Its number: an order for a swap names it.
    #[must_use]
    #[inline(always)]
    pub const fn number(&self) -> u8 {
        self.id.0
    }

    /// The image's identity, a hash of it. An order for another image isn't meant for this slot.
    #[must_use]
    pub fn image(&self) -> [u8; 32] {
        memory::identity(self.image)
    }

    /// The module's own program in its container. Empty if no tasks are offered to the slot's programs.
    #[must_use]
    pub const fn program(&self) -> &'static [u8] {
        self.program
    }

    /// Has the next whole period of the module recorded, in the spare room. [`Slot::recording`] fetches it.
    ///
    /// # Errors
    ///
    /// [`CallError::WouldBlock`] while a program is being checked or waits to take over, or another slot's
    /// module is being recorded; [`CallError::NoSuchObject`] if no tasks are offered to the slot's programs.
    pub fn record(&mut self) -> Result<(), CallError> {
        call::attempt(CallNumber::SlotRecord, [Some(u32::from(self.id.0)), None, None, None]).map(drop)
    }

    /// Fetches the words of the recording, as `beryl_syscode::generate::Recording` reads them. The recording
    /// stays in the room until something is written there.
    ///
    /// # Errors
    ///
    /// [`CallError::WouldBlock`] until the period is over; [`CallError::OutOfPlace`] if nothing was recorded,
    /// or it doesn't fit in `words`.
    pub fn recording<'m>(&mut self, words: &'m mut [u32]) -> Result<&'m [u32], CallError> {
        let (mut length, mut filled) = (1, 0);
        while filled < length {
            // The first part, which every recording has, states its length.
            let count = if filled == 0 { 2 } else { WORDS.min(length - filled) };
            let part = words.get_mut(filled..filled + count).ok_or(CallError::OutOfPlace)?;
            length = self.fetch(filled, part)?;
            filled += count;
        }
        words.get(..length).ok_or(CallError::OutOfPlace)
    }

    /// Reads a part of a recording. Returns the number of words in the whole recording.
    fn fetch(&mut self, before: usize, part: &mut [u32]) -> Result<usize, CallError> {
        let mut words = [MaybeUninit::new(0_u32); WORDS];
        let words = &mut words[..part.len().min(WORDS)];
        let bytes = message::bytes(words);
        let filled = bytes.len();
        let answer = platform::with_buffer(bytes, filled, |address| {
            let numbers = [u32::from(self.id.0), (before * 4) as u32, address, filled as u32];
            call::attempt(CallNumber::SlotRead, numbers.map(Some))
        })?;
        for (place, word) in part.iter_mut().zip(words) {
            // SAFETY: all were zero, and the kernel has written whole words.
            *place = unsafe { word.assume_init() };
        }
        Ok(answer.values[0] as usize / 4)
    }

    /// Writes a whole program, in parts of 32 bytes, a system call each. Anything written before and not
    /// accepted is lost.
    ///
    /// # Errors
    ///
    /// [`CallError::WouldBlock`] while a program is being checked, or waits to take over;
    /// [`CallError::OutOfPlace`] if it is empty, or longer than the slot's room.
    pub fn write(&mut self, program: &[u8]) -> Result<(), CallError> {
        if program.is_empty() {
            return Err(CallError::OutOfPlace);
        }
        let mut offset = 0;
        for part in program.chunks(LONGEST_PART as usize) {
            self.put(offset, part)?;
            offset += LONGEST_PART;
        }
        Ok(())
    }

    /// Writes a part, padded with zeros to whole words.
    fn put(&mut self, offset: u32, part: &[u8]) -> Result<(), CallError> {
        let mut words = [MaybeUninit::new(0_u32); WORDS];
        for (place, word) in words.iter_mut().zip(part.chunks(4)) {
            let mut bytes = [0; 4];
            bytes.iter_mut().zip(word).for_each(|(to, from)| *to = *from);
            place.write(u32::from_le_bytes(bytes));
        }
        let length = part.len().next_multiple_of(4);
        let bytes = message::bytes(&mut words);
        let filled = bytes.len();
        platform::with_buffer(bytes, filled, |address| {
            let arguments = [Some(u32::from(self.id.0)), Some(offset), Some(address), Some(length as u32)];
            call::attempt(CallNumber::SlotWrite, arguments).map(drop)
        })
    }

    /// Does the next step of the check, of a few hundred instructions at most. Call it until it returns
    /// something other than [`Progress::More`]; and later, to see whether an accepted program has taken over.
    ///
    /// # Errors
    ///
    /// [`CallError::WouldBlock`] before the first step, while another slot's program is being checked: try
    /// again later.
    #[inline]
    pub fn check(&mut self) -> Result<Progress, CallError> {
        let arguments = [Some(u32::from(self.id.0)), None, None, None];
        call::attempt(CallNumber::SlotCheck, arguments).map(|answer| Progress::decode(answer.values))
    }

    /// Lets the program that ran before take over again, at the end of a period. If a program is waiting to
    /// take over, that is called off instead.
    ///
    /// # Errors
    ///
    /// None, if the builder made the handle.
    #[inline]
    pub fn rollback(&mut self) -> Result<(), CallError> {
        let arguments = [Some(u32::from(self.id.0)), None, None, None];
        call::attempt(CallNumber::SlotRollback, arguments).map(drop)
    }
}
