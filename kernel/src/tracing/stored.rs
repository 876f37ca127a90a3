//! A note as stored in the buffer.

/// Header, low word of kernel time, the kind's words.
pub type Stored = [u32; 4];
