//! How deep the processor sleeps: state.

use crate::table::Blank;

/// How deep the processor sleeps when it waits for an interrupt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DepthState {
    /// 0 is the lightest sleep, which wakes at once; the others are the rows of depths, from 1 on.
    pub(crate) depth: u8,
}

impl Blank for DepthState {
    const BLANK: DepthState = DepthState { depth: 0 };
}
