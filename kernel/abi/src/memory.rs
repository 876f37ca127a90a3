//! Ranges of memory, as the tables and the trace name them.

/// `length` bytes from `address`, in the target's address space.
///
/// Port memory is laid out by the builder: a range of ports starts at a multiple of four and its
/// owner reserves whole words, so that copies move words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Range {
    /// The first byte.
    pub address: u32,
    /// Number of bytes.
    pub length: u32,
}

impl Range {
    /// An empty range.
    pub const EMPTY: Range = Range { address: 0, length: 0 };

    /// `length` bytes from `address`.
    #[must_use]
    pub const fn new(address: u32, length: u32) -> Range {
        Range { address, length }
    }

    /// Whether it contains all of `inner`. A range that would go beyond the last address isn't contained.
    #[must_use]
    #[inline(always)]
    pub const fn contains(self, inner: Range) -> bool {
        let offset = inner.address.wrapping_sub(self.address);
        offset <= self.length && inner.length <= self.length - offset
    }
}

#[cfg(test)]
mod tests {
    use super::Range;

    #[test]
    fn a_range_contains_what_lies_in_it_from_its_first_to_its_last_byte() {
        let range = Range::new(0x2000_0100, 0x40);
        let contains = |address, length| range.contains(Range::new(address, length));
        assert!(contains(0x2000_0100, 0x40) && contains(0x2000_013C, 4) && contains(0x2000_0140, 0));
        assert!(!contains(0x2000_00FC, 8) && !contains(0x2000_013C, 8) && !contains(0x2000_0141, 0));
        assert!(!contains(0x2000_0120, u32::MAX) && !contains(u32::MAX, 2));
    }
}
