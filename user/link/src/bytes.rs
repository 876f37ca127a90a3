//! Taking fixed parts off a row of bytes, and putting them there; numbers are little-endian.

/// What is left of a message that is read.
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl Reader<'_> {
    /// The next `N` bytes.
    pub(crate) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (array, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*array)
    }

    pub(crate) fn byte(&mut self) -> Option<u8> {
        self.array().map(|[byte]| byte)
    }

    pub(crate) fn half(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(crate) fn word(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn long(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// Whether all was read.
    pub(crate) fn end(&self) -> Option<()> {
        self.0.is_empty().then_some(())
    }
}

/// A message that is written into a buffer. What doesn't fit is left out; buffers are made to fit.
pub(crate) struct Writer<'a> {
    room: &'a mut [u8],
    length: usize,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(room: &'a mut [u8]) -> Writer<'a> {
        Writer { room, length: 0 }
    }

    pub(crate) fn put(&mut self, bytes: &[u8]) {
        let places = self.room.iter_mut().skip(self.length);
        for (place, byte) in places.zip(bytes) {
            *place = *byte;
            self.length += 1;
        }
    }

    /// How many bytes were written.
    pub(crate) fn length(&self) -> usize {
        self.length
    }
}
