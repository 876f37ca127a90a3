//! Messages as the kernel moves them: whole words, in registers or at an address.
//!
//! Short ones travel in two registers. A message that isn't whole words is padded with zeros.

use core::mem::{MaybeUninit, size_of};
use core::ptr;

use beryl_abi::call::{LONGEST_MESSAGE, SHORT_MESSAGE};

use crate::platform;
use crate::port::Plain;

/// Whether messages of this type travel in registers. Fails to compile if they are longer than the longest.
#[inline(always)]
pub(crate) const fn is_short<T>() -> bool {
    const { assert!(size_of::<T>() <= LONGEST_MESSAGE as usize, "longer than the longest message") };
    size_of::<T>() <= SHORT_MESSAGE as usize
}

/// The two registers of a short message; of a long one, its beginning.
#[inline(always)]
pub(crate) fn registers<T: Plain>(value: &T) -> [u32; 2] {
    let mut value = *value;
    value.canonical();
    let mut bytes = [0; SHORT_MESSAGE as usize];
    let length = size_of::<T>().min(bytes.len());
    // SAFETY: both have this many bytes, and a plain value's are all initialised.
    unsafe { ptr::copy_nonoverlapping((&raw const value).cast(), bytes.as_mut_ptr(), length) };
    let [a, b, c, d, e, f, g, h] = bytes;
    [u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h])]
}

/// The short message in two registers; of a long one, its beginning and zeros. Any register contents make a
/// value of the type.
#[inline(always)]
pub(crate) fn from_registers<T: Plain>(registers: [u32; 2]) -> T {
    let mut words = Words::<T>::new();
    for (place, word) in words.words().iter_mut().enumerate() {
        word.write(registers.get(place).copied().unwrap_or(0));
    }
    // SAFETY: all words have just been set.
    unsafe { words.value() }
}

/// Room for a value in whole words.
#[repr(C, align(4))]
pub(crate) struct Words<T>(MaybeUninit<T>);

impl<T: Plain> Words<T> {
    /// How many words there are.
    pub(crate) const COUNT: usize = size_of::<Words<T>>() / 4;

    /// Empty room. The content must stay in place: bytes behind the value needn't survive a move.
    #[inline(always)]
    pub(crate) const fn new() -> Words<T> {
        Words(MaybeUninit::uninit())
    }

    /// Puts `value` in, in its canonical representation, with zeros behind it.
    #[inline(always)]
    pub(crate) fn fill(&mut self, value: &T) {
        let mut value = *value;
        value.canonical();
        if let Some(last) = self.words().last_mut() {
            last.write(0);
        }
        self.0.write(value);
    }

    /// Puts in the value whose bytes are at any address, as [`Words::fill`] does.
    ///
    /// # Safety
    ///
    /// So many bytes are there.
    #[inline(always)]
    pub(crate) unsafe fn take(&mut self, from: *const u8) {
        if let Some(last) = self.words().last_mut() {
            last.write(0);
        }
        // SAFETY: the caller's bytes, and as many here, which are nowhere else.
        unsafe { copy::<T>(from, (&raw mut self.0).cast()) };
        if !T::IS_ITS_BYTES {
            // SAFETY: all words have just been set.
            let mut value = unsafe { self.value() };
            value.canonical();
            self.0.write(value);
        }
    }

    /// Leaves the value at any address.
    ///
    /// # Safety
    ///
    /// All words have been set, and there is room for so many bytes.
    #[inline(always)]
    pub(crate) unsafe fn leave(&mut self, to: *mut u8) {
        // SAFETY: as the caller says.
        unsafe { leave(self.value(), to) };
    }

    /// The words.
    #[inline(always)]
    pub(crate) fn words(&mut self) -> &mut [MaybeUninit<u32>] {
        // SAFETY: they are exactly this room, which is aligned for words and a whole number of them.
        unsafe { core::slice::from_raw_parts_mut((&raw mut *self).cast(), Words::<T>::COUNT) }
    }

    /// The words, once they have been set.
    ///
    /// # Safety
    ///
    /// All words have been set.
    #[inline(always)]
    pub(crate) unsafe fn filled(&self) -> &[u32] {
        // SAFETY: as in `words`; the caller guarantees that they are initialised.
        unsafe { core::slice::from_raw_parts((&raw const *self).cast(), Words::<T>::COUNT) }
    }

    /// The value in these bytes, whatever they are.
    ///
    /// # Safety
    ///
    /// All words have been set.
    #[inline(always)]
    pub(crate) unsafe fn value(&mut self) -> T {
        // SAFETY: the caller has set these bytes, and they are borrowed only here.
        let bytes = unsafe { core::slice::from_raw_parts_mut((&raw mut *self).cast(), size_of::<T>()) };
        T::admit(bytes);
        // SAFETY: `admit` has made the bytes a value of this type.
        unsafe { self.0.assume_init() }
    }
}

/// Leaves a value at any address.
///
/// # Safety
///
/// There is room for so many bytes.
#[inline(always)]
pub(crate) unsafe fn leave<T: Plain>(value: T, to: *mut u8) {
    // SAFETY: the value's bytes, and as many there.
    unsafe { copy::<T>((&raw const value).cast(), to) };
}

/// Copies the bytes of a value, by words where the processor has loads and stores at multiples of four only and both places are such.
#[inline(always)]
unsafe fn copy<T>(from: *const u8, to: *mut u8) {
    let is_words = size_of::<T>().is_multiple_of(4) && (from.addr() | to.addr()).is_multiple_of(4);
    // SAFETY: as the caller says.
    unsafe {
        if !platform::LOADS_ANYWHERE && is_words {
            ptr::copy_nonoverlapping(from.cast::<u32>(), to.cast::<u32>(), size_of::<T>() / 4);
        } else {
            ptr::copy_nonoverlapping(from, to, size_of::<T>());
        }
    }
}

/// The bytes of words.
#[inline(always)]
pub(crate) fn bytes(words: &mut [MaybeUninit<u32>]) -> &mut [MaybeUninit<u8>] {
    // SAFETY: the same memory; bytes need no alignment.
    unsafe { core::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), words.len() * 4) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_message_is_followed_by_zeros() {
        assert_eq!(registers(&0x0102_0304_0506_0708_i64), [0x0506_0708, 0x0102_0304]);
        assert_eq!(registers(&[1_i16, -1, 2]), [0xFFFF_0001, 2]);
        assert_eq!(registers(&true), [1, 0]);
        assert_eq!(registers(&()), [0, 0]);
        assert_eq!(registers(&-f32::NAN), [crate::port::NAN_32, 0]);
    }

    #[test]
    fn any_registers_are_a_value() {
        assert_eq!(from_registers::<[bool; 5]>([0xFF00_0200, 0x0707_0701]), [false, true, false, true, true]);
        assert_eq!(from_registers::<i64>([1, 2]), 0x2_0000_0001);
        assert_eq!(from_registers::<[i8; 3]>([0xEEFF_0201, 9]), [1, 2, -1]);
        from_registers::<()>([1, 2]);
    }

    #[test]
    fn the_words_of_a_value_are_followed_by_zeros() {
        let mut words = Words::<[i8; 9]>::new();
        words.words().iter_mut().for_each(|word| _ = word.write(u32::MAX));
        words.fill(&[1, 2, 3, 4, 5, 6, 7, 8, 9]);
        // SAFETY: `fill` sets all words.
        assert_eq!(unsafe { words.filled() }, [0x0403_0201, 0x0807_0605, 9]);
        assert_eq!((Words::<f64>::COUNT, Words::<bool>::COUNT, Words::<()>::COUNT), (2, 1, 0));
        assert_eq!(Words::<[i64; 8]>::COUNT, 16);
    }
}
