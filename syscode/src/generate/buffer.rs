//! A container that is being written into memory of a fixed length.

/// Bytes that are appended to a slice.
pub struct Buffer<'m> {
    bytes: &'m mut [u8],
    length: usize,
    is_over: bool,
}

impl<'m> Buffer<'m> {
    /// An empty one.
    pub fn new(bytes: &'m mut [u8]) -> Buffer<'m> {
        Buffer { bytes, length: 0, is_over: false }
    }

    /// How many bytes were written, if all of them fitted.
    #[must_use]
    pub fn length(&self) -> Option<usize> {
        (!self.is_over).then_some(self.length)
    }
}

impl Extend<u8> for Buffer<'_> {
    fn extend<T: IntoIterator<Item = u8>>(&mut self, bytes: T) {
        for byte in bytes {
            match self.bytes.get_mut(self.length) {
                Some(place) => {
                    *place = byte;
                    self.length += 1;
                }
                None => self.is_over = true,
            }
        }
    }
}

impl AsRef<[u8]> for Buffer<'_> {
    fn as_ref(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }
}
