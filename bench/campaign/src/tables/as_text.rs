//! Tables as text, one row per line, without padding rows. This file is part of two programs: this one, and
//! one that a test makes from the builder's tables.

use core::fmt::{Debug, Write};

use beryl_abi::ThreadId;
use beryl_kernel::{
    Band, Condition, Driver, Endpoint, EventGroup, Interrupt, Mailbox, Notification, Policy, Port, Process,
    Program, ProgramSlot, Semaphore, Sizes, StateMessage, System, Table, Thread,
};

/// All tables of a system.
pub fn told<S: Sizes>(system: &System<S>) -> String {
    let mut text = String::new();
    rows(&mut text, "thread", system.threads.rows(), &Thread::NONE);
    rows(&mut text, "process", system.processes.rows(), &Process::NONE);
    rows(&mut text, "band", system.bands.rows(), &Band { policy: Policy::Fixed });
    rows(&mut text, "slot", system.slots.rows(), &ThreadId::NONE);
    rows(&mut text, "driver", system.drivers.rows(), &Driver::NONE);
    rows(&mut text, "program", system.programs.rows(), &Program::NONE);
    rows(&mut text, "semaphore", system.semaphores.rows(), &Semaphore::NONE);
    rows(&mut text, "condition", system.conditions.rows(), &Condition::NONE);
    rows(&mut text, "mailbox", system.mailboxes.rows(), &Mailbox::NONE);
    rows(&mut text, "endpoint", system.endpoints.rows(), &Endpoint::NONE);
    rows(&mut text, "event group", system.event_groups.rows(), &EventGroup::NONE);
    rows(&mut text, "notification", system.notifications.rows(), &Notification::NONE);
    rows(&mut text, "interrupt", system.interrupts.rows(), &Interrupt::NONE);
    rows(&mut text, "state message", system.state_messages.rows(), &StateMessage::NONE);
    rows(&mut text, "program slot", system.program_slots.rows(), &ProgramSlot::NONE);
    rows(&mut text, "port", system.ports.rows(), &Port::NONE);
    text
}

fn rows<Row: Debug + PartialEq>(text: &mut String, name: &str, rows: &[Row], filler: &Row) {
    let length = rows.iter().rposition(|row| row != filler).map_or(0, |last| last + 1);
    for (number, row) in rows[..length].iter().enumerate() {
        // Writing to a string can't fail.
        let _ = writeln!(text, "{name} {number}: {row:?}");
    }
}
