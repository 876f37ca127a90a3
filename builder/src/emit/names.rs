//! `names.json`: what the numbers in a trace are called.

mod seen;

pub use seen::modes_called;

use beryl_timing::{Basic, Element, Type};
use beryl_trace::names::{Declared, DriverKind, DriverName, Form, Names, ThreadKind, ThreadName};
use beryl_trace::objects::{HoldPromise, SeparationPromise};
use beryl_trace::releases::Late;
use beryl_trace::{InterruptName, ObjectNames, Tick, Units, ValueType};

use crate::assembly::objects::Objects;
use crate::assembly::{self, Assembly, Role, Thread, Use, lenders};
use crate::project::{Project, Said};

/// The names of a project's system, with the modes that its programs have.
#[must_use]
pub fn names_of(project: &Project, tick: Tick) -> Names {
    let modes = seen::modes(&project.assembly, &project.programs);
    let Said { assertions, units } = project.said.clone();
    let board = project.description.board.board.name.to_owned();
    Names { board, modes, assertions, units, ..names(&project.assembly, tick) }
}

/// The names of a system whose programs aren't known.
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
        goes_on: matches!(&thread.role, Role::Task(task) if task.reaction.goes_on),
        shares: thread.is_member(),
        stopped_after: match &thread.role {
            Role::Task(task) => task.reaction.most,
            _ => None,
        },
        late: late(&thread.role),
    });
    let drivers = assembly.drivers.iter().map(|driver| DriverName {
        name: driver.name.clone(),
        kind: match driver.kind {
            assembly::DriverKind::Publish
            | assembly::DriverKind::Input
            | assembly::DriverKind::Constant
            | assembly::DriverKind::Ahead { .. }
            | assembly::DriverKind::Arrival
            | assembly::DriverKind::Fetch { .. }
            | assembly::DriverKind::Feed { .. } => DriverKind::Copy,
            assembly::DriverKind::Getter { .. } => DriverKind::Sensor,
            assembly::DriverKind::Setter { .. } => DriverKind::Actuator,
            assembly::DriverKind::Guard { .. } => DriverKind::Guard,
        },
        value: value_type(&assembly.cells.get(driver.to).kind),
    });
    Names {
        form: Form,
        system: assembly.name.clone(),
        board: String::new(),
        tick,
        processes: assembly.processes.iter().map(|process| process.name.clone()).collect(),
        threads: threads.collect(),
        drivers: drivers.collect(),
        programs: assembly.program_names().collect(),
        objects: ObjectNames {
            holds: holds(assembly, tick),
            separations: separations(assembly, tick),
            ..objects(&assembly.objects)
        },
        modes: Vec::new(),
        depths: assembly.sleeps.iter().map(|sleep| sleep.name.clone()).collect(),
        ports: seen::ports(assembly),
        states: seen::states(assembly),
        assertions: Vec::new(),
        units: Units::default(),
    }
}

/// What becomes of a thread's releases that find the job before at work.
fn late(role: &Role) -> Late {
    match role {
        Role::Periodic(times) => Late { catch_up: times.catch_up, is_release: false },
        Role::Task(task) if task.reaction.goes_on => Late {
            catch_up: task.reaction.catch_up.as_ref().map_or(0, |catch_up| catch_up.most),
            // One logical execution time begins where the one before ends.
            is_release: task.separation == task.logical && task.logical == task.longest,
        },
        _ => Late::default(),
    }
}

fn objects(objects: &Objects) -> ObjectNames {
    ObjectNames {
        semaphores: objects.semaphores.iter().map(|row| row.name.clone()).collect(),
        conditions: objects.conditions.iter().map(|row| row.name.clone()).collect(),
        mailboxes: objects.mailboxes.iter().map(|row| row.name.clone()).collect(),
        endpoints: objects.endpoints.iter().map(|row| row.name.clone()).collect(),
        event_groups: objects.event_groups.iter().map(|row| row.name.clone()).collect(),
        notifications: objects.notifications.iter().map(|row| row.name.clone()).collect(),
        states: objects.states.iter().filter(|row| row.id.is_some()).map(|row| row.name.clone()).collect(),
        slots: objects.slots.iter().map(|row| row.name.clone()).collect(),
        interrupts: objects
            .interrupts
            .iter()
            .map(|row| InterruptName { name: row.name.clone(), line: row.line })
            .collect(),
        holds: Vec::new(),
        separations: Vec::new(),
    }
}

/// How long each thread says that it holds binary semaphores.
fn holds(assembly: &Assembly, tick: Tick) -> Vec<HoldPromise> {
    let mut promises = Vec::new();
    for (thread, row) in numbered(&assembly.threads) {
        for (lock, _) in numbered(&assembly.objects.semaphores) {
            let used = Use::Semaphore(lock.into());
            let uses = lenders::users(assembly, used).contains(&thread.into());
            let is_owned = lenders::has_owner(assembly, lock.into());
            if let Some(most) = assembly.hold(row, used).filter(|_| uses && is_owned) {
                promises.push(HoldPromise { thread, lock, most: tick.length(most) });
            }
        }
    }
    promises
}

/// How often each thread says that it becomes ready.
fn separations(assembly: &Assembly, tick: Tick) -> Vec<SeparationPromise> {
    let promise = |(thread, row): (u8, &Thread)| {
        let Role::Free { sporadic: Some(times), .. } = &row.role else { return None };
        let [least, jitter] = [times.separation, times.jitter].map(|time| tick.length(time));
        Some(SeparationPromise { thread, least, jitter })
    };
    numbered(&assembly.threads).filter_map(promise).collect()
}

/// Rows with their numbers in the kernel's tables.
fn numbered<T>(rows: &[T]) -> impl Iterator<Item = (u8, &T)> {
    (0..=u8::MAX).zip(rows)
}

/// A record's type is written with its fields, which the trace then shows by name.
fn value_type(kind: &Type) -> ValueType {
    let element = match &kind.element {
        Element::Basic(basic) => match basic {
            Basic::Boolean => ValueType::Boolean,
            Basic::Byte => ValueType::Byte,
            Basic::Short => ValueType::Short,
            Basic::Int => ValueType::Int,
            Basic::Long => ValueType::Long,
            Basic::Char => ValueType::Char,
            Basic::Float => ValueType::Float,
            Basic::Double => ValueType::Double,
        },
        Element::Record(record) => {
            let fields = record.fields.iter().map(|field| (field.name.clone(), value_type(&field.kind)));
            ValueType::Record(fields.collect())
        }
    };
    match kind.length {
        None => element,
        Some(length) => ValueType::Array(Box::new(element), length),
    }
}

#[cfg(test)]
mod tests {
    use beryl_timing::{Source, compile};

    use super::*;

    #[test]
    fn types_of_traces_are_those_of_the_program_however_deep_they_nest() {
        let text = include_str!("../../../timing/tests/right/nested.tdl").to_owned();
        let model = compile(&[Source { name: "nested.tdl".to_owned(), text }]).expect("it is right");
        let kind = &model.modules[0].tasks[0].ports[1].kind;
        let point = "{ float x; float y; }";
        let leg = format!("{{ double speed; {point}[2] ends; byte[8] flags; }}");
        let route = format!("{{ {leg}[2] legs; {leg} back; {point} goal; }}");
        let two = format!("{{ {route} first; {point}[3] beside; }}");
        let text = value_type(kind).to_string();
        assert_eq!(text, format!("{{ {{ {two} two; }} three; }}"));
        assert_eq!(ValueType::try_from(text), Ok(value_type(kind)));
    }
}
