//! Gates: those that objects have, and those of interrupts that threads serve.

use super::objects::Gate;
use crate::description::{Early, Gated, Objects, Use};
use crate::quantity::Nanoseconds;

/// All gates. The separation of an interrupt that releases a task is kept by its program.
pub(super) fn gates(rows: &Objects, tick: Nanoseconds, is_served: impl Fn(usize) -> bool) -> Vec<Gate> {
    let before_objects = rows.gates.iter().map(|gate| {
        let (name, before) = match gate.before {
            Gated::Mailbox(index) => (rows.mailboxes.get(index).map(|row| &row.name), Use::Receive(index)),
            Gated::Endpoint(index) => (rows.endpoints.get(index).map(|row| &row.name), Use::Serve(index)),
            Gated::EventGroup(index) => (rows.event_groups.get(index), Use::AwaitBits(index)),
            Gated::Notification(index) => (rows.notifications.get(index), Use::Await(index)),
        };
        let name = name.map_or_else(String::new, |name| name.value.clone());
        // At least as long as it was declared.
        let separation = gate.separation.value.rounded_up(tick);
        let tells = gate.tells.as_ref().map(|told| told.value.clone());
        Gate { name, before, separation, drops: gate.early == Early::Dropped, tells }
    });
    let before_lines = rows.interrupts.iter().enumerate().filter_map(|(index, row)| {
        let separation = row.separation.filter(|_| is_served(index))?.value.rounded_up(tick);
        let name = row.name.value.clone();
        Some(Gate { name, before: Use::Interrupt(index), separation, drops: false, tells: None })
    });
    before_lines.chain(before_objects).collect()
}
