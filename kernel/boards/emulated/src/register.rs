//! A word-wide device register or word of memory at a fixed address.

/// A word that only the board's crates, the hardware and the emulator touch.
#[derive(Clone, Copy)]
pub struct Register(u32);

impl Register {
    /// The word at `address`.
    ///
    /// # Safety
    ///
    /// A device of the board has a register there, or its window or trace memory a word; reading
    /// and writing it by whole words can't change memory that Rust knows of.
    pub const unsafe fn at(address: u32) -> Register {
        Register(address)
    }

    /// Its value.
    #[inline(always)]
    pub fn read(self) -> u32 {
        // SAFETY: `at` was promised that such a word exists.
        unsafe { core::ptr::with_exposed_provenance::<u32>(self.0 as usize).read_volatile() }
    }

    /// Changes its value.
    #[inline(always)]
    pub fn write(self, value: u32) {
        // SAFETY: `at` was promised that such a word exists and that writing does no harm to Rust's memory.
        unsafe { core::ptr::with_exposed_provenance_mut::<u32>(self.0 as usize).write_volatile(value) }
    }
}
