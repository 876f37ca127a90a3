//! Doors: which gate stands before which line or object. There are no doors where there are no gates.

use crate::rows::gates::{Gate, GateId, Gated};
use crate::rows::lines::ByLine;
use crate::sizes::Sizes;
use crate::table::Table;

/// The place of a line or object in the table of doors: lines first, then objects by their kinds. Behind all of them
/// nothing is.
#[doc(hidden)]
#[inline(always)]
#[must_use]
pub const fn door<S: Sizes>(before: Gated) -> usize {
    let notifications = S::Lines::COUNT;
    let mailboxes = notifications + S::Notifications::LENGTH;
    let endpoints = mailboxes + S::Mailboxes::LENGTH;
    let event_groups = endpoints + S::Endpoints::LENGTH;
    match before {
        Gated::Nothing => event_groups + S::EventGroups::LENGTH,
        Gated::Line(line) => line.0 as usize,
        Gated::Notification(notification) => notifications + notification.0 as usize,
        Gated::Mailbox(mailbox) => mailboxes + mailbox.0 as usize,
        Gated::Endpoint(endpoint) => endpoints + endpoint.0 as usize,
        Gated::EventGroup(group) => event_groups + group.0 as usize,
    }
}

/// The gate before each line and object.
///
/// # Panics
///
/// If there is no such line or object. For a builder's tables that is a compile-time error.
#[must_use]
pub const fn doors<S: Sizes, const N: usize>(gates: &[Gate]) -> [GateId; N] {
    let mut doors = [GateId::NONE; N];
    let mut index = 0;
    // bound: the length of the table of gates
    while index < gates.len() {
        if !matches!(gates[index].before, Gated::Nothing) {
            doors[door::<S>(gates[index].before)] = GateId(index as u8);
        }
        index += 1;
    }
    doors
}
