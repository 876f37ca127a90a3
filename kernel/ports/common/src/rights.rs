//! What user mode may do in an interval of memory, before a protection unit is told.

/// What user mode may do with the data of a region. The kernel may always read and write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rights {
    /// Nothing.
    None,
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
    /// Whether instructions may be fetched from it; needs [`Rights::Read`] at least.
    pub executable: bool,
    /// Whether it holds device registers, whose accesses keep number and order.
    pub device: bool,
    /// Whether it is in force.
    pub enabled: bool,
}

impl Interval {
    /// One that isn't in force.
    pub const OFF: Interval = Interval {
        base: 0,
        limit: 0,
        rights: Rights::None,
        executable: false,
        device: false,
        enabled: false,
    };
}
