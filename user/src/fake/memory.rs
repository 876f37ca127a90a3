//! The memory of a fake system: the thread's stack, and state messages.

use std::vec::Vec;

use core::cell::{Cell, UnsafeCell};

use beryl_abi::Range;

/// Where it begins.
const BASE: u32 = 0x2000_0000;
const SIZE: u32 = 0x1_0000;
/// The calling thread's stack is at the beginning.
pub(super) const STACK: Range = Range::new(BASE, 0x100);
/// The ceiling of its locks.
pub(super) const CEILING: u8 = 1;
/// The two words at its end that the thread shares with the kernel: its raised level is in the first.
pub(super) const WORDS: u32 = BASE + 0x100 - 8;

/// Words of eight bytes, so that all is where the target would have it.
pub(super) struct Memory {
    bytes: Vec<UnsafeCell<u64>>,
    /// The first byte that nobody has.
    next: Cell<u32>,
}

impl Memory {
    pub(super) fn new() -> Memory {
        let bytes = (0..SIZE / 8).map(|_| UnsafeCell::new(0)).collect();
        Memory { bytes, next: Cell::new(BASE + STACK.length) }
    }

    /// Where a byte is in this program.
    ///
    /// # Panics
    ///
    /// If the application makes up an address.
    pub(super) fn place(&self, address: u32) -> *mut u8 {
        let offset = address.checked_sub(BASE).filter(|offset| *offset < SIZE);
        let offset = offset.unwrap_or_else(|| panic!("there is nothing at address {address:#x}"));
        // SAFETY: the offset lies inside the memory.
        unsafe { self.bytes.as_ptr().cast_mut().cast::<u8>().add(offset as usize) }
    }

    /// Words at an address.
    pub(super) fn load(&self, address: u32, count: usize) -> Vec<u32> {
        let places = (address..).step_by(4).take(count);
        // SAFETY: a word of the memory; the application runs in turn with this.
        places.map(|place| unsafe { self.place(place).cast::<u32>().read_volatile() }).collect()
    }

    /// Leaves words at an address.
    pub(super) fn store(&self, address: u32, words: &[u32]) {
        for (place, word) in (address..).step_by(4).zip(words) {
            // SAFETY: as in `load`.
            unsafe { self.place(place).cast::<u32>().write_volatile(*word) };
        }
    }

    /// Room for a value, which is put there.
    pub(super) fn put(&self, value: &[u32]) -> u32 {
        let address = self.next.get();
        self.store(address, value);
        let length = u32::try_from(value.len() * 4).expect("a short value");
        self.next.set((address + length).next_multiple_of(8));
        address
    }

    /// Whether the thread is inside of a ceiling lock.
    pub(super) fn is_raised(&self) -> bool {
        self.load(WORDS, 1) != [0]
    }

    /// Takes the thread's raised level from it.
    pub(super) fn lower(&self) -> u32 {
        let level = self.load(WORDS, 1)[0];
        self.raise(0);
        level
    }

    /// Gives the thread a raised level.
    pub(super) fn raise(&self, level: u32) {
        self.store(WORDS, &[level]);
    }

    /// Room for a state message: the addresses of its index and of its buffers, which all have the same value.
    pub(super) fn state(&self, value: &[u32], depth: u32) -> (u32, u32) {
        let index = self.next.get();
        let base = index + 8;
        let mut end = base;
        for _ in 0..depth {
            self.store(end, value);
            end += u32::try_from(value.len() * 4).expect("a short value");
        }
        self.next.set(end.next_multiple_of(8));
        (index, base)
    }
}
