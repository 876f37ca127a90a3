//! The depths of sleep of a description, in ticks of its board.

use crate::assembly::Sleep;
use crate::description::Description;

/// The depths, the lightest first. One is worth it at least for longer than it takes to wake from it.
pub(super) fn sleeps(description: &Description) -> Vec<Sleep> {
    let tick = description.board.board.tick;
    let sleep = |row: &crate::description::Sleep| Sleep {
        name: row.name.value.clone(),
        wake: row.wake.value.rounded_up(tick),
        least: row.least.unwrap_or(row.wake).value.rounded_up(tick),
    };
    description.sleeps.iter().map(sleep).collect()
}
