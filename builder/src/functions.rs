//! Functions and types that a system needs of its code: where each is named, and what it must look like.

mod misfits;
pub mod missing;
pub mod refused;
mod sources;
pub mod versions;
pub mod window;

use std::iter;
use std::sync::Arc;

use beryl_timing::{Element, Place, Record, Type};
use miette::SourceSpan;

use crate::assembly::{Role, Shape, Thread};
use crate::emit::handles::handles;
use crate::emit::process::entry;
use crate::emit::reports::{WATCHED, is_in_c, variants};
use crate::project::Project;

/// A function or type that a system needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needed {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// Where it is named.
    pub named: Named,
    /// What it must look like.
    pub head: String,
}

/// What the code must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A function in Rust.
    Function,
    /// A function in C.
    FunctionInC,
    /// A variable in C.
    VariableInC,
    /// A type in Rust.
    Type,
}

/// Where it is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// In the timing program.
    Timing(Place),
    /// In the system description.
    Description(SourceSpan),
}

/// What a system needs of its application, types first, then functions in the order of the texts.
#[must_use]
pub fn needed(project: &Project) -> Vec<Needed> {
    let mut all = types(project);
    for module in &project.model.modules {
        for sensor in &module.sensors {
            let parameters = format!("{}: &mut {}", sensor.name, own(&sensor.kind.rust_name()));
            add(project, &mut all, &sensor.getter, Named::Timing(sensor.uses), &parameters, "");
        }
        for actuator in &module.actuators {
            let parameters = format!("{}: &{}", actuator.name, own(&actuator.kind.rust_name()));
            add(project, &mut all, &actuator.setter, Named::Timing(actuator.uses), &parameters, "");
        }
        for task in &module.tasks {
            let ports = task.arguments.iter().filter_map(|number| {
                let port = task.ports.get(*number)?;
                let borrow = if task.changes(*number) { "&mut " } else { "&" };
                Some(format!("{}: {borrow}{}", port.name, own(&port.kind.rust_name())))
            });
            let thread = project.assembly.tasks().find(|(_, row)| row.function == task.function);
            let given = thread.map(|(thread, _)| given(project, thread)).unwrap_or_default();
            let parameters: Vec<_> = ports.chain(given).collect();
            let named = Named::Timing(task.uses);
            add(project, &mut all, &task.function, named, &parameters.join(", "), "");
        }
        for guard in module.guards().flat_map(beryl_timing::Guard::natives) {
            let functions = project.assembly.processes.iter().flat_map(|process| &process.functions);
            let shape = functions.clone().find(|row| row.name == *guard.function).map(|row| &row.shape);
            let Some(Shape::Decides(cells)) = shape else { continue };
            let kinds = cells.iter().map(|cell| own(&project.assembly.cells.get(*cell).kind.rust_name()));
            let parameters: Vec<_> =
                kinds.zip('a'..).map(|(kind, name)| format!("{name}: &{kind}")).collect();
            let named = Named::Timing(guard.place);
            add(project, &mut all, guard.function, named, &parameters.join(", "), " -> bool");
        }
    }
    for row in &project.description.threads {
        let thread = project.assembly.threads.iter().find(|thread| {
            thread.name == row.name.value && matches!(thread.role, Role::Free { .. } | Role::Periodic(_))
        });
        let Some(thread) = thread else { continue };
        let period = matches!(thread.role, Role::Periodic(_))
            .then(|| "mut period: beryl_user::period::Period".to_owned());
        let parameters: Vec<_> = period.into_iter().chain(given(project, thread)).collect();
        let named = Named::Description(row.entry.place);
        add(project, &mut all, &row.entry.value, named, &parameters.join(", "), "");
    }
    let arguments = project.description.threads.iter().filter_map(|row| row.argument.as_ref());
    all.extend(arguments.map(|argument| Needed {
        name: argument.value.clone(),
        kind: Kind::VariableInC,
        named: Named::Description(argument.place),
        head: String::new(),
    }));
    all
}

fn add(project: &Project, all: &mut Vec<Needed>, name: &str, named: Named, parameters: &str, answer: &str) {
    if all.iter().any(|known| known.name == name) {
        return;
    }
    let head = format!("pub fn {name}({parameters}){answer}");
    let kind = if project.assembly.in_c.contains(name) { Kind::FunctionInC } else { Kind::Function };
    all.push(Needed { name: name.to_owned(), kind, named, head });
}

/// The records of the timing program, and the enumeration of those that are watched.
fn types(project: &Project) -> Vec<Needed> {
    let record = |record: &Arc<Record>| {
        let fields =
            record.fields.iter().map(|row| format!("pub {}: {}", row.name, own(&row.kind.rust_name())));
        let fields: Vec<_> = fields.collect();
        let head = format!(
            "#[repr(C)] #[derive(Clone, Copy)] pub struct {} {{ {} }}",
            record.name,
            fields.join(", ")
        );
        Needed { name: record.name.clone(), kind: Kind::Type, named: user(project, record), head }
    };
    let watched = || {
        let in_rust = |supervisor: &usize| !is_in_c(&project.assembly, *supervisor);
        let supervisor = project.assembly.reports.iter().map(|report| report.supervisor).find(in_rust)?;
        let name = &project.assembly.threads.get(supervisor)?.name;
        let row = project.description.threads.iter().find(|row| row.name.value == *name)?;
        let variants: Vec<_> = variants(&project.assembly).into_iter().collect();
        let head = format!("#[derive(Clone, Copy)] pub enum {WATCHED} {{ {} }}", variants.join(", "));
        let named = Named::Description(row.entry.place);
        Some(Needed { name: WATCHED.to_owned(), kind: Kind::Type, named, head })
    };
    // Where all is in C, the builder writes the records.
    let records =
        project.assembly.records.iter().filter(|_| project.description.system.application.is_some());
    records.map(record).chain(watched()).collect()
}

/// The first sensor, actuator or port of a record's type; a record that isn't in the timing program is the application's.
fn user(project: &Project, record: &Arc<Record>) -> Named {
    let uses = |kind: &Type| matches!(&kind.element, Element::Record(own) if own == record);
    let modules = &project.model.modules;
    let sensors = modules.iter().flat_map(|module| &module.sensors).map(|row| (&row.kind, row.place));
    let actuators = modules.iter().flat_map(|module| &module.actuators).map(|row| (&row.kind, row.place));
    let ports = modules.iter().flat_map(|module| &module.tasks).flat_map(|task| &task.ports);
    let mut all = sensors.chain(actuators).chain(ports.map(|row| (&row.kind, row.place)));
    let place = all.find(|(kind, _)| uses(kind)).map(|(_, place)| place);
    let system = &project.description.system;
    let application = system.application.as_ref().unwrap_or(&system.name);
    place.map_or(Named::Description(application.place), Named::Timing)
}

/// The handles that a thread is given, as parameters.
fn given(project: &Project, thread: &Thread) -> Vec<String> {
    let own = entry(thread);
    let index = project.assembly.threads.iter().position(|other| entry(other) == own);
    let handles = index.map(|index| handles(project, index)).unwrap_or_default();
    let (threads, tasks) = (&project.description.threads, &project.description.tasks);
    let threads = threads.iter().map(|row| (&row.name.value, &row.uses));
    let mut rows = threads.chain(tasks.iter().map(|row| (&row.name.value, &row.uses)));
    let uses =
        rows.find(|(name, _)| **name == thread.name).map(|(_, uses)| uses.as_slice()).unwrap_or_default();
    // A supervisor's reports come before all that it uses.
    let reports = handles.len().saturating_sub(uses.len());
    let objects = uses.iter().map(|used| object(project.description.text(used.place)));
    let names = iter::repeat_n("reports", reports).chain(objects);
    handles.iter().zip(names).map(|(handle, name)| format!("mut {name}: {}", kind(handle))).collect()
}

/// The object of a use as it is written: `"settings.call"` is about `settings`.
fn object(used: &str) -> &str {
    used.trim_matches(['"', '\'']).split('.').next().unwrap_or_default()
}

/// The type of what an expression makes: `lock::Lock::<i32>::new(...)` is a `lock::Lock<i32>`.
fn kind(expression: &str) -> String {
    let (kind, _) = expression.split_once("::new(").unwrap_or((expression, ""));
    format!("beryl_user::{}", own(&kind.replace("::<()>", "").replace("::<", "<")))
}

/// A type as the application writes it.
fn own(kind: &str) -> String {
    kind.replace("application::", "")
}

#[cfg(test)]
mod tests {
    use super::kind;

    #[test]
    fn the_type_of_a_handle_is_that_of_what_makes_it() {
        for (expression, expected) in [
            ("condition::Condition::new(ConditionId(3))", "condition::Condition"),
            ("lock::Lock::<()>::new(0x2000, 3, 0)", "lock::Lock"),
            ("mailbox::Sender::<application::Pose>::new(MailboxId(0))", "mailbox::Sender<Pose>"),
            ("endpoint::Client::<i32, [u8; 4]>::new(EndpointId(1))", "endpoint::Client<i32, [u8; 4]>"),
        ] {
            assert_eq!(kind(expression), format!("beryl_user::{expected}"));
        }
    }
}
