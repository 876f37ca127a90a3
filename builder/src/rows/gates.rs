//! The rows of gates.

use beryl_abi::{EndpointId, EventGroupId, Line, MailboxId, NotificationId};
use beryl_kernel::{Gate, Gated, OnEarly};

use super::Row;
use crate::assembly::{Assembly, Use};
use crate::project::Project;

/// A row for each gate, in the order of the assembly.
pub(super) fn gates(project: &Project) -> Vec<Row<Gate>> {
    let assembly = &project.assembly;
    let row = |gate: &crate::assembly::objects::Gate| {
        let separation = u32::try_from(gate.separation.ticks()).unwrap_or(Gate::LONGEST);
        let early = if gate.drops { OnEarly::Drop } else { OnEarly::Keep };
        let before = gated(assembly, gate.before);
        Row::new(&gate.name, Gate { before, separation: separation.min(Gate::LONGEST), early })
    };
    assembly.objects.gates.iter().map(row).collect()
}

fn gated(assembly: &Assembly, before: Use) -> Gated {
    let number = |index: usize| u8::try_from(index).unwrap_or(u8::MAX);
    match before {
        Use::Interrupt(index) => {
            assembly.objects.interrupts.get(index).map_or(Gated::Nothing, |row| Gated::Line(Line(row.line)))
        }
        Use::Await(index) => Gated::Notification(NotificationId(number(index))),
        Use::Receive(index) => Gated::Mailbox(MailboxId(number(index))),
        Use::Serve(index) => Gated::Endpoint(EndpointId(number(index))),
        Use::AwaitBits(index) => Gated::EventGroup(EventGroupId(number(index))),
        _ => Gated::Nothing,
    }
}
