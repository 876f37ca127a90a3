//! Dynamic bands with constant bandwidth servers: their shares are in each window's demand, whatever comes when.
//!
//! The demand criterion ([`super::criterion`]) needs no more than that what is due in a window never falls as the window
//! grows, and that of two windows together no more is due than in each: a share's whole ticks do both. Windows that end
//! where only a share grows aren't visited: nobody's deadline is there but those of rests of budgets, which nobody is
//! promised. A server's own budget is due a period after it was whole, and those windows are visited as a task's are.
//!
//! Responses aren't computed: a busy period as in Spuri's analysis has no end that is known, since a server that is
//! never done is served for as long as others leave time. So of a band that holds, the bound is the deadline, and of one that
//! doesn't it is beyond. A job whose turn goes by a deadline that counts from a late release has none.

use super::{Verdict, demand_verdict};
use crate::demand::{Demand, Stream};
use crate::failure::Failure;
use crate::locks::Blocking;
use crate::ticks::Ticks;

/// Bounds on the response times of a band's tasks, with deadlines of `own`.
pub(super) fn responses(
    band: &[Demand],
    above: &[Stream],
    blocking: &Blocking,
    own: impl Fn(&Demand) -> Ticks,
) -> Result<Vec<Ticks>, Failure> {
    let holds = demand_verdict(band, above, blocking)? == Verdict::Holds;
    let bound = |task: &Demand| match holds {
        true => own(task).plus(task.stream.jitter),
        false => own(task).plus(task.stream.jitter)?.plus(Ticks::new(1)),
    };
    Ok(band.iter().map(bound).collect::<Result<_, _>>()?)
}
