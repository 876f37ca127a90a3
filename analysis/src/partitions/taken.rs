//! What others take of each frame, from each of its beginnings.
//!
//! ```text
//!     frame:    |###----##------|###----##------|        #  others have the processor
//!     from #1:   ^#1    ^#2      ^#1
//!     from #2:          ^#2      ^#1    ^#2
//! ```
//! Where work in a window of time begins, the frame may be anywhere. But the beginning of a stretch of others is as bad
//! for it, whatever it asks:
//!
//! - *Within such a stretch* it might as well have come at its beginning: it had nothing of the processor until then, and
//!   gives up no more at the other end. What the kernel has under way behind the stretch is still to come.
//! - *Between two of them*, from the beginning of the next on it has no more in any time than from here on, where it first
//!   has something of its own. What the kernel still has to do behind the stretch before is what
//!   [`KernelCosts::under_way`](crate::KernelCosts) and [`KernelCosts::timers`](crate::KernelCosts) say, and that is in
//!   the way of any work once ([`locks`](crate::locks)).
//!
//! From each beginning all stretches come at known times: each is a stream with a delay. A proof asks for all of them, and
//! the longest answer counts. A beginning from which no more is taken by any time than from another isn't asked for; so
//! windows at equal distances are one beginning, and one window is work that comes once a frame.

use crate::demand::Stream;
use crate::ticks::{Ticks, TimesTooLarge};

/// A stretch of a frame that others have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    /// From the frame's beginning; less than its length.
    pub(super) begin: Ticks,
    pub(super) lasts: Ticks,
}

/// What is taken from one beginning on: by when, and how much, in order.
type From = Vec<(Ticks, Ticks)>;

/// For each beginning, the work that stretches are, each with what the kernel does around it. With nothing taken there is
/// one beginning.
pub(super) fn beginnings(
    frame: Ticks,
    stretches: &[Stretch],
    around: Ticks,
) -> Result<Vec<Vec<Stream>>, TimesTooLarge> {
    let mut kept: Vec<From> = Vec::new();
    for start in stretches {
        let new = from(frame, stretches, around, start.begin)?;
        if kept.iter().any(|other| takes_no_less(other, &new)) {
            continue;
        }
        kept.retain(|other| !takes_no_less(&new, other));
        kept.push(new);
    }
    if kept.is_empty() {
        kept.push(From::new());
    }
    let stream = |(delay, cost)| Stream { delay, ..Stream::new(frame, cost) };
    Ok(kept.into_iter().map(|from| from.into_iter().map(stream).collect()).collect())
}

fn from(frame: Ticks, stretches: &[Stretch], around: Ticks, begin: Ticks) -> Result<From, TimesTooLarge> {
    let mut taken = Vec::new();
    for stretch in stretches {
        let comes = if stretch.begin < begin { stretch.begin.plus(frame)? } else { stretch.begin };
        taken.push((comes.less(begin), stretch.lasts.plus(around)?));
    }
    taken.sort_unstable();
    Ok(taken)
}

/// Whether from one beginning at least as much is taken by any time as from another. In a frame both take the same, so
/// the first says all.
fn takes_no_less(one: &From, other: &From) -> bool {
    let (mut rows, mut ahead) = (one.iter().peekable(), 0_u128);
    other.iter().all(|(by, lasts)| {
        while let Some((_, more)) = rows.next_if(|(at, _)| at <= by) {
            ahead += u128::from(more.get());
        }
        let asked = u128::from(lasts.get());
        let holds = ahead >= asked;
        ahead = ahead.saturating_sub(asked);
        holds
    })
}
