//! What can be wrong between timing program and system description, in words.

mod asynchronous;
mod event_outputs;
mod offers;
mod reactions;
mod synchronous;

use beryl_kernel::MOST_THREADS;
use beryl_timing::{self as timing, Model, Place, Several};
use miette::Diagnostic;

use crate::assembly::other::Other;
use crate::assembly::uses::TooDeep;
use crate::assembly::{Assembly, Policy, Role, ranks, supervision};
use crate::description::{self, Description, Placed, Task, code};
use crate::warning::Warning;

pub use synchronous::Apart;

/// The longest value of a driver: the trace counts a record's words in eight bits.
pub const MOST_VALUE_BYTES: u32 = 1000;
/// Programs have five bits of the trigger queue's key.
const MOST_PROGRAMS: usize = 32;
/// Slots of the dynamic bands have a byte.
const MOST_SLOTS: usize = 256;
/// A bit each of a word.
const MOST_RANKS: usize = 32;
/// A dynamic band's tree has seven levels.
const MOST_MEMBERS: usize = 128;
/// Functions of a process have a byte.
const MOST_FUNCTIONS: usize = 256;
/// Links between tasks have a byte.
const MOST_LINKS: usize = 256;
/// A bit each of a word.
const MOST_BANDS: usize = 32;

/// Everything that doesn't fit together.
pub type JoinError = Several<Mismatch>;

/// One thing that one of the two texts has and the other lacks, with the line of its text.
#[derive(Debug, thiserror::Error, Diagnostic)]
pub enum Mismatch {
    /// At a place of the timing program.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Program(#[from] timing::Diagnostic),
    /// At a place of the system description.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Description(#[from] description::Diagnostic),
}

/// A task that no mode invokes.
pub fn uninvoked_task(model: &Model, module: &timing::Module, task: &timing::Task) -> Warning {
    Warning::from(model.diagnostic(timing::Problem {
        code: "beryl::builder::uninvoked",
        place: task.place,
        message: format!(
            "task `{}` is never released: no mode of module `{}` invokes it, so its outputs keep their initial values",
            task.name, module.name
        ),
        label: "declared here".to_owned(),
        help: format!("invoke `{}` in a mode, or remove the task and its section in beryl.toml", task.name).into(),
    }))
}

/// What was found so far.
#[derive(Default)]
pub(in crate::assembly) struct Found(Vec<Mismatch>);

impl Found {
    pub fn finish(self) -> Result<(), JoinError> {
        Several::unless_none("between timing program and system description", self.0)
    }

    pub fn undescribed_task(&mut self, model: &Model, module: &timing::Module, task: &timing::Task) {
        self.in_program(
            model,
            task.place,
            format!("the system description doesn't say where task `{}` runs", task.name),
            format!("a task of module `{}`", module.name),
            format!(
                "add to beryl.toml: [task.{}] with its process, its worst execution time and its stack",
                task.name
            ),
        );
    }

    pub fn undescribed_driver(&mut self, model: &Model, place: Place, name: &str) {
        self.in_program(
            model,
            place,
            format!("the system description doesn't say where the native driver `{name}` runs"),
            format!("uses `{name}`"),
            format!("add to beryl.toml: [driver.{name}] with its process and its worst execution time"),
        );
    }

    pub fn guards_apart(&mut self, model: &Model, place: Place, name: &str) {
        self.in_program(
            model,
            place,
            format!("`{name}` runs in another process than the native guard before it, and one condition is asked in one process"),
            "in another process".to_owned(),
            "let both run in one process, or have a task decide, and ask its output".to_owned(),
        );
    }

    pub fn uneven_period(&mut self, model: &Model, mode: &timing::Mode, nanoseconds: u64, tick: u64) {
        let below = nanoseconds / tick * tick;
        self.in_program(
            model,
            mode.place,
            format!("{nanoseconds} ns isn't a whole number of the board's ticks of {tick} ns"),
            "a period of this mode".to_owned(),
            format!("the nearest that are: {below} ns and {} ns", below.saturating_add(tick)),
        );
    }

    pub fn check_length(&mut self, model: &Model, place: Place, name: &str, length: u32) {
        if length > MOST_VALUE_BYTES {
            self.in_program(
                model,
                place,
                format!(
                    "`{name}` moves {length} bytes at one instant, at most {MOST_VALUE_BYTES} are possible"
                ),
                format!("{length} bytes"),
                "use shorter arrays, or share the values among several tasks or sensors".to_owned(),
            );
        }
    }

    pub fn other_than_the_images(&mut self, model: &Model, kind: &str, name: &str, place: Place) {
        self.in_program(
            model,
            place,
            format!("{kind} `{name}` isn't the one that the image's program has"),
            "declared otherwise there".to_owned(),
            "declare it in the same words; a program that takes over can only rearrange what the image has"
                .to_owned(),
        );
    }

    pub fn foreign_program(&mut self, description: &Description, other: &Other) {
        let slot = &description.objects.slots[other.slot];
        self.0.push(Mismatch::Description(description.diagnostic(description::Problem {
            code: code::UNKNOWN_NAME,
            place: slot.name.place,
            message: format!("{} has no module `{}`", other.file, slot.name.value),
            label: "this slot's module".to_owned(),
            help: "a program for a slot is a module with the slot's name".into(),
        })));
    }

    pub fn unknown_module(&mut self, description: &Description, model: &Model, slot: &description::Slot) {
        let known: Vec<_> = model.modules.iter().map(|module| module.name.as_str()).collect();
        self.0.push(Mismatch::Description(description.diagnostic(description::Problem {
            code: code::UNKNOWN_NAME,
            place: slot.name.place,
            message: format!("there is no module `{}` for this slot", slot.name.value),
            label: "unknown".to_owned(),
            help: description::suggestion(&slot.name.value, &known, "modules").into(),
        })));
    }

    pub fn unknown_task(&mut self, description: &Description, model: &Model, row: &Task) {
        let tasks =
            model.modules.iter().flat_map(|module| module.tasks.iter().map(|task| task.name.as_str()));
        let known: Vec<_> = tasks.collect();
        self.0.push(Mismatch::Description(description.diagnostic(description::Problem {
            code: code::UNKNOWN_NAME,
            place: row.name.place,
            message: format!("the timing program has no task `{}`", row.name.value),
            label: "no such task".to_owned(),
            help: description::suggestion(&row.name.value, &known, "tasks of the timing program").into(),
        })));
    }

    pub fn unknown_driver(
        &mut self,
        description: &Description,
        row: &description::Driver,
        names: &[&String],
    ) {
        let known: Vec<_> = names.iter().map(|name| name.as_str()).collect();
        self.0.push(Mismatch::Description(
            description.diagnostic(description::Problem {
                code: code::UNKNOWN_NAME,
                place: row.name.place,
                message: format!("the timing program has no getter, setter or guard `{}`", row.name.value),
                label: "no such driver".to_owned(),
                help: description::suggestion(
                    &row.name.value,
                    &known,
                    "getters, setters and guards of the timing program",
                )
                .into(),
            }),
        ));
    }

    pub fn unknown_function_in_c(
        &mut self,
        description: &Description,
        function: &Placed<String>,
        names: &[&str],
    ) {
        self.0.push(Mismatch::Description(
            description.diagnostic(description::Problem {
                code: code::UNKNOWN_NAME,
                place: function.place,
                message: format!("no task, driver or thread has the function `{}`", function.value),
                label: "no such function".to_owned(),
                help: description::suggestion(
                    &function.value,
                    names,
                    "native functions of the timing program, and entries of threads",
                )
                .into(),
            }),
        ));
    }

    /// A buffer deeper than the kernel's table can say; usually a reader is far slower than the writer.
    pub fn too_deep(&mut self, description: &Description, too_deep: &TooDeep) {
        let Some(state) = description.objects.states.get(too_deep.state) else { return };
        let buffers = too_deep.depth.map_or("far more".to_owned(), |depth| depth.to_string());
        self.0.push(Mismatch::Description(description.diagnostic(description::Problem {
            code: code::TOO_MANY,
            place: state.name.place,
            message: format!(
                "state message `{0}` needs {buffers} buffers, since it may be written that often while it is read; \
                 128 are possible",
                state.name.value
            ),
            label: "this state message".to_owned(),
            help: format!(
                "let slow readers use \"{}.read_slow\", for whom the kernel copies the value while nobody else runs",
                state.name.value
            ).into(),
        })));
    }

    /// The kernel names its objects by small numbers.
    pub fn check_counts(&mut self, description: &Description, assembly: &Assembly) {
        let tasks = assembly.threads.iter().filter(|thread| matches!(thread.role, Role::Task(_)));
        let slots = assembly.bands.iter().filter_map(|band| match band.policy {
            Policy::Dynamic { base, leaves } => Some(usize::from(base) + usize::from(leaves)),
            Policy::Fixed | Policy::Code { .. } => None,
        });
        let members = assembly.bands.iter().enumerate().filter_map(|(index, band)| match band.policy {
            Policy::Dynamic { .. } => Some(
                assembly
                    .threads
                    .iter()
                    .filter(|thread| thread.band == index && thread.role.is_applications())
                    .count(),
            ),
            Policy::Fixed | Policy::Code { .. } => None,
        });
        let functions = assembly.processes.iter().map(|process| process.functions.len());
        let counts = [
            ("threads, with those of drivers and idling", assembly.threads.len(), MOST_THREADS),
            ("tasks", tasks.count(), MOST_THREADS),
            ("reports of what may happen", assembly.reports.len(), supervision::MOST),
            (
                "modules, asynchronous activities, and bands that are scheduled by code",
                assembly.programs(),
                MOST_PROGRAMS,
            ),
            ("bands, with the one for idling", assembly.bands.len(), MOST_BANDS),
            ("places in dynamic bands", slots.max().unwrap_or(0), MOST_SLOTS),
            (
                "dynamic bands and priorities that somebody may have, with that for idling",
                ranks::count(assembly),
                MOST_RANKS,
            ),
            ("members of one dynamic band", members.max().unwrap_or(0), MOST_MEMBERS),
            ("native drivers in one process", functions.max().unwrap_or(0), MOST_FUNCTIONS),
            ("drivers", assembly.drivers.len(), usize::from(u16::MAX)),
            ("inputs that are read at once", assembly.links(), MOST_LINKS),
        ];
        for (what, count, most) in counts {
            if count > most {
                self.0.push(Mismatch::Description(description.diagnostic(description::Problem {
                    code: code::TOO_MANY,
                    place: description.system.name.place,
                    message: format!("the system has {count} {what}; the kernel can tell {most} apart"),
                    label: "this system".to_owned(),
                    help: "leave something out, or split the system over two boards".into(),
                })));
            }
        }
    }

    fn in_program(&mut self, model: &Model, place: Place, message: String, label: String, help: String) {
        self.0.push(Mismatch::Program(model.diagnostic(timing::Problem {
            code: "beryl::builder::mismatch",
            place,
            message,
            label,
            help: help.into(),
        })));
    }
}

/// The section of a task, which may be named there without its module.
fn section_of<'a>(description: &'a Description, task: &str) -> Option<&'a Task> {
    description.tasks.iter().find(|row| {
        let name = row.name.value.as_str();
        task == name || task.strip_suffix(name).is_some_and(|rest| rest.ends_with('.'))
    })
}
