//! `names.json`: what the numbers in a trace are called.

use beryl_timing::Type;
use beryl_trace::names::{Declared, DriverKind, DriverName, Form, Names, ThreadKind, ThreadName};
use beryl_trace::{InterruptName, ObjectNames, Tick, ValueType};

use crate::assembly::objects::Objects;
use crate::assembly::{self, Assembly, Role};

/// The names of a system.
#[must_use]
pub fn names(assembly: &Assembly, tick: Tick) -> Names {
    let threads = assembly.threads.iter().map(|thread| ThreadName {
        name: thread.name.clone(),
        process: match thread.role {
            Role::Idle => String::new(),
            _ => assembly.processes[thread.process].name.clone(),
        },
        kind: match thread.role {
            // Both have releases, deadlines and completions.
            Role::Task(_) | Role::Periodic(_) => ThreadKind::Task,
            Role::Free { .. } => ThreadKind::Free,
            Role::Drivers => ThreadKind::Driver,
            Role::Idle => ThreadKind::Idle,
        },
        declared: matches!(thread.role, Role::Task(_) | Role::Periodic(_))
            .then(|| Declared { best: tick.length(thread.best), worst: tick.length(thread.worst) }),
    });
    let drivers = assembly.drivers.iter().map(|driver| DriverName {
        name: driver.name.clone(),
        kind: match driver.kind {
            assembly::DriverKind::Publish | assembly::DriverKind::Input => DriverKind::Copy,
            assembly::DriverKind::Getter { .. } => DriverKind::Sensor,
            assembly::DriverKind::Setter { .. } => DriverKind::Actuator,
            assembly::DriverKind::Guard { .. } => DriverKind::Guard,
        },
        value: value_type(&assembly.cells.get(driver.to).kind),
    });
    Names {
        form: Form,
        system: assembly.name.clone(),
        tick,
        processes: assembly.processes.iter().map(|process| process.name.clone()).collect(),
        threads: threads.collect(),
        drivers: drivers.collect(),
        programs: assembly.program_names().collect(),
        objects: objects(&assembly.objects),
        assertions: assembly.assertions.clone(),
    }
}

fn objects(objects: &Objects) -> ObjectNames {
    ObjectNames {
        semaphores: objects.semaphores.iter().map(|row| row.name.clone()).collect(),
        conditions: objects.conditions.iter().map(|row| row.name.clone()).collect(),
        mailboxes: objects.mailboxes.iter().map(|row| row.name.clone()).collect(),
        endpoints: objects.endpoints.iter().map(|row| row.name.clone()).collect(),
        notifications: objects.notifications.iter().map(|row| row.name.clone()).collect(),
        interrupts: objects
            .interrupts
            .iter()
            .map(|row| InterruptName { name: row.name.clone(), line: row.line })
            .collect(),
    }
}

/// Both crates write types as the timing language does.
fn value_type(kind: &Type) -> ValueType {
    ValueType::try_from(kind.to_string()).unwrap_or(ValueType::Array(Box::new(ValueType::Char), kind.size()))
}
