//! Regions: memory that processes share by name, without any protocol.

use core::marker::PhantomData;
use core::ptr;

use beryl_abi::Range;

use crate::{memory, platform};

/// A region of memory that the calling thread's process may read and write, and other processes may too.
///
/// Its users agree on its content. A value in it can change at any time, even while it is read.
pub struct Region {
    range: Range,
    /// A handle is its thread's own.
    _own: PhantomData<*mut ()>,
}

impl Region {
    /// `size` bytes from `address`.
    ///
    /// # Safety
    ///
    /// For the builder's glue: the process may read and write them, and nothing that the compiler knows of
    /// lies there. The address is a multiple of four.
    #[must_use]
    #[inline(always)]
    pub const unsafe fn new(address: u32, size: u32) -> Region {
        Region { range: Range::new(address, size), _own: PhantomData }
    }

    /// All of its bytes. In the simulator, other threads run only when the thread makes a call or uses
    /// [`Region::load`] and [`Region::store`].
    #[must_use]
    #[inline(always)]
    pub fn bytes(&self) -> *mut [u8] {
        ptr::slice_from_raw_parts_mut(memory::at(self.range.address), self.range.length as usize)
    }

    /// The word at `offset`, read once and whole; none if it lies outside, or not at a multiple of four.
    #[must_use]
    #[inline(always)]
    pub fn load(&self, offset: u32) -> Option<u32> {
        let word = self.word(offset)?;
        // SAFETY: a word inside the region (`new`).
        Some(unsafe { word.read_volatile() })
    }

    /// Writes the word at `offset`, once and whole; does nothing if it lies outside, or not at a multiple of
    /// four.
    #[must_use = "it may lie outside"]
    #[inline(always)]
    pub fn store(&mut self, offset: u32, value: u32) -> Option<()> {
        let word = self.word(offset)?;
        // SAFETY: a word inside the region (`new`).
        unsafe { word.write_volatile(value) };
        Some(())
    }

    #[inline(always)]
    fn word(&self, offset: u32) -> Option<*mut u32> {
        let word = Range::new(self.range.address.wrapping_add(offset), 4);
        if !offset.is_multiple_of(4) || !self.range.contains(word) {
            return None;
        }
        platform::point();
        Some(memory::at(word.address))
    }
}
