//! Types of ports: fixed width, no padding, the same bytes on every machine.

use core::mem::{MaybeUninit, size_of};

/// The bits of every not-a-number in an `f32` port.
pub const NAN_32: u32 = 0x7FC0_0000;
/// The bits of every not-a-number in an `f64` port.
pub const NAN_64: u64 = 0x7FF8_0000_0000_0000;

/// A value that a port can hold.
///
/// # Safety
///
/// The type has a layout fixed by the language, no padding and no pointers; any bytes are one of its values
/// after a pass of [`Plain::admit`].
pub unsafe trait Plain: Copy {
    /// Whether any bytes are a value, each of them has one representation, and so bytes from outside need no look.
    const IS_ITS_BYTES: bool = false;

    /// Turns bytes from outside into bytes of a value of this type: a boolean becomes 0 or 1.
    fn admit(_bytes: &mut [u8]) {}

    /// Gives the value its canonical representation: every not-a-number becomes the same one.
    fn canonical(&mut self) {}
}

macro_rules! integers {
    ($($number:ty),*) => {$(
        // SAFETY: an integer: fixed width, no padding, any bits are a value.
        unsafe impl Plain for $number {
            const IS_ITS_BYTES: bool = true;
        }
    )*};
}
integers!(i8, i16, i32, i64, u8);

// SAFETY: no bytes at all.
unsafe impl Plain for () {}

// SAFETY: one byte without padding; `admit` leaves only the two values that it has.
unsafe impl Plain for bool {
    fn admit(bytes: &mut [u8]) {
        bytes.iter_mut().for_each(|byte| *byte = u8::from(*byte != 0));
    }
}

// SAFETY: IEEE 754 binary32: fixed width, no padding, any bits are a value.
unsafe impl Plain for f32 {
    fn canonical(&mut self) {
        // By the bits, since a comparison of numbers is a function call on processors without a
        // floating-point unit.
        if self.to_bits() & (u32::MAX >> 1) > f32::INFINITY.to_bits() {
            *self = f32::from_bits(NAN_32);
        }
    }
}

// SAFETY: IEEE 754 binary64: fixed width, no padding, any bits are a value.
unsafe impl Plain for f64 {
    fn canonical(&mut self) {
        if self.to_bits() & (u64::MAX >> 1) > f64::INFINITY.to_bits() {
            *self = f64::from_bits(NAN_64);
        }
    }
}

// SAFETY: elements follow each other without padding, and each is plain.
unsafe impl<T: Plain, const N: usize> Plain for [T; N] {
    const IS_ITS_BYTES: bool = T::IS_ITS_BYTES;

    fn admit(bytes: &mut [u8]) {
        bytes.chunks_exact_mut(size_of::<T>().max(1)).for_each(T::admit);
    }

    fn canonical(&mut self) {
        self.iter_mut().for_each(T::canonical);
    }
}

/// The bytes of `value`.
pub fn bytes<T: Plain>(value: &T) -> &[u8] {
    // SAFETY: a plain value has no padding, so all of its bytes are initialised; they live and stay unchanged
    // as long as the borrow.
    unsafe { core::slice::from_raw_parts((&raw const *value).cast(), size_of::<T>()) }
}

/// Lets `write` change the bytes of `value`; the result is admitted as a value.
pub fn change<T: Plain>(value: &mut T, write: impl FnOnce(&mut [u8])) {
    let mut copy = MaybeUninit::new(*value);
    // SAFETY: the bytes of `copy` are initialised (a plain value has no padding) and borrowed only
    // here; as `MaybeUninit` it may hold any bytes meanwhile.
    let bytes = unsafe { core::slice::from_raw_parts_mut(copy.as_mut_ptr().cast::<u8>(), size_of::<T>()) };
    write(bytes);
    T::admit(bytes);
    // SAFETY: the bytes are initialised, and `admit` made them a value of `T`.
    *value = unsafe { copy.assume_init() };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_not_a_number_gets_the_same_bits() {
        let mut single = [f32::from_bits(0xFFC0_1234), 1.5, f32::from_bits(0x7F80_0001)];
        single.canonical();
        assert_eq!(single.map(f32::to_bits), [NAN_32, 1.5f32.to_bits(), NAN_32]);
        let mut double = [f64::from_bits(0xFFF8_0000_0000_0001), -0.0];
        double.canonical();
        assert_eq!(double.map(f64::to_bits), [NAN_64, (-0.0f64).to_bits()]);
    }

    #[test]
    fn foreign_bytes_become_values() {
        let mut flags = [false; 4];
        change(&mut flags, |bytes| bytes.copy_from_slice(&[0, 1, 2, 255]));
        assert_eq!(flags, [false, true, true, true]);
        let mut number = 0x0102_0304_i32;
        change(&mut number, |bytes| bytes[0] = 0xFF);
        assert_eq!(number, 0x0102_03FF);
    }

    #[test]
    fn bytes_are_the_values_own() {
        assert_eq!(bytes(&[1i16, -2]), [1, 0, 0xFE, 0xFF]);
        assert_eq!(bytes(&true), [1]);
        assert_eq!(bytes(&1.0f32), [0, 0, 0x80, 0x3F]);
    }
}
