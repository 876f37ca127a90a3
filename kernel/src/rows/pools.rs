//! Constant rows of pools: budgets that several places share.

use beryl_abi::ThreadId;

/// How a place pays together with others. All that pay from one budget stand in a ring, which begins with the place
/// whose budget it is: its purse. Their rows of budgets have the same amount and the same reaction; only that of the
/// purse says how it comes back ([`ComesBack::Every`](crate::ComesBack::Every)). There is one row for each thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pooled {
    /// The place whose budget it is; none, if this one pays alone.
    pub purse: ThreadId,
    /// The place that comes next in the ring.
    pub next: ThreadId,
}

impl Pooled {
    /// A place that pays alone, if it pays at all.
    pub const ALONE: Pooled = Pooled { purse: ThreadId::NONE, next: ThreadId::NONE };
}
