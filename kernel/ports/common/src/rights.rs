//! What user mode may do in an interval of memory, before a protection unit is told.

/// What user mode may do with the data of a region. The kernel may always read and write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rights {
    /// Read.
    Read,
    /// Read and write.
    ReadWrite,
}

/// An interval of memory and what user mode may do there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interval {
    /// The first address.
    pub base: u32,
    /// The address behind the last.
    pub limit: u32,
    /// Data accesses of user mode.
    pub rights: Rights,
    /// Whether instructions may be fetched from it.
    pub executable: bool,
    /// Whether it holds device registers, whose accesses keep number and order.
    pub device: bool,
}
