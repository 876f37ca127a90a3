//! The machines of a system, and what is between them.

use super::Placed;
use crate::board::Board;
use crate::quantity::{Bytes, Nanoseconds};

/// A machine with a kernel of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its name.
    pub name: Placed<String>,
    /// Its board, if it isn't that of `[board]`.
    pub board: Option<&'static Board>,
}

/// A bus on which one node at a time sends, and all others hear it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bus {
    /// How long a frame takes without any bytes, from the instant at which its values are taken until those of an
    /// empty one would have been put down everywhere.
    pub frame: Placed<Nanoseconds>,
    /// How much longer for each byte.
    pub byte: Placed<Nanoseconds>,
    /// The most bytes in a frame, if there is a limit.
    pub most: Option<Placed<Bytes>>,
}
