//! What tasks and threads use, and how long they hold it.

use beryl_abi::Duration;

use crate::assembly::Use;
use crate::description::{Hold, Placed};
use crate::quantity::Nanoseconds;

/// What a `uses` means, without its places.
pub(super) fn uses(uses: &[Placed<Use>]) -> Vec<Use> {
    uses.iter().map(|used| used.value).collect()
}

/// How long things are held, in ticks.
pub(super) fn holds(holds: &[Hold], tick: Nanoseconds) -> Vec<(Use, Duration)> {
    holds.iter().map(|hold| (hold.used, hold.time.rounded_up(tick))).collect()
}
