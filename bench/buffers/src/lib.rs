//! Which buffer a task writes and which one it reads, so that values are those of zero time: the two protocols of an
//! OSPERT 2007 paper as a system would have them, in bytes and without a loop. The board counts what they take.
//!
//! What they mean, and what is supposed, is in `beryl_analysis::synchronous`. A test takes the same steps with these
//! and with the models there.
#![no_std]
#![forbid(unsafe_code)]

mod circular;
mod dynamic;
mod masked;

pub use circular::Circular;
pub use dynamic::Dynamic;
pub use masked::Masked;

/// The most readers of a writer.
pub const READERS: usize = 8;
/// The most buffers of a writer, less than 256: numbers of buffers are bytes.
pub const BUFFERS: usize = 16;

/// How a reader takes part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reader {
    /// Whether it reads what the writer's last activation but one comes to.
    pub is_delayed: bool,
    /// Whether the writer may be activated while it is at work: it is less urgent.
    pub is_overtaken: bool,
}
