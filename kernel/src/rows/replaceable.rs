//! Constant rows of processes that can be replaced: where another one is kept, and what it must fit.

use super::processes::Processes;

/// Where the code of a process is kept that takes the place of the image's. There is one row for each process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Replaceable {
    /// The processes that may send one; never the process itself.
    pub writers: Processes,
    /// The addresses of its two rooms, which its threads may read and execute.
    pub rooms: [u32; 2],
    /// The bytes of each; zero: the process can't be replaced.
    pub size: u32,
    /// What the process has in common with its image; see [`beryl_abi::process_image`].
    pub layout: [u32; 2],
}

impl Replaceable {
    /// The process stays what it is.
    pub const NONE: Replaceable = Replaceable { writers: 0, rooms: [0; 2], size: 0, layout: [0; 2] };
}
