//! Sections that no budget pays for. A thread with a budget and without jobs may be inside one when a more urgent thread waits
//! for it. Then the section goes on in that one's place and costs the budget nothing, so the thread may be inside again when
//! the next job comes. Where jobs have a budget as well, it is that which pays; where they are believed, nobody does, and
//! whoever is less urgent than both has the budget and those sections above it. Jobs say with their `worst` what they take
//! wherever they take it.

use super::locks;
use crate::assembly::{Thread, lenders};
use crate::costs::Costed;

/// What may be done so in the place of one job of this thread, in ticks: a section of each thread that it may wait for.
pub(super) fn unpaid(costed: &Costed, thread: &Thread) -> u64 {
    if !thread.has_jobs() || thread.is_limited() {
        return 0;
    }
    let threads = &costed.assembly.threads;
    let Some(lender) = threads.iter().position(|row| row.name == thread.name) else { return 0 };
    let holders = threads.iter().enumerate().filter(|(holder, row)| {
        row.has_budget_alone() && lenders::of_sections(&costed.assembly, *holder).contains(&lender)
    });
    holders.map(|(_, row)| locks::longest_lent(costed, row)).fold(0, u64::saturating_add)
}
