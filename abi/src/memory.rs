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
    /// A range without a byte in it.
    pub const EMPTY: Range = Range { address: 0, length: 0 };

    /// `length` bytes from `address`.
    #[must_use]
    pub const fn new(address: u32, length: u32) -> Range {
        Range { address, length }
    }
}
