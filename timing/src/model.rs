//! The checked model: every name resolved, every rule of the language proved.

mod kind;
mod listing;
mod time;
mod value;

pub use kind::{Basic, Type};
pub use time::Microseconds;
pub use value::{Scalar, Value};

use crate::diagnostic::{Diagnostic, Problem, Sources};
use crate::place::Place;

/// A whole timing program. Displayed, it is a listing in plain words.
#[derive(Clone, Debug)]
pub struct Model {
    /// In the order of the text.
    pub modules: Vec<Module>,
    pub(crate) sources: Sources,
}

impl Model {
    /// The model of a system without a timing program: no module.
    #[must_use]
    pub fn empty() -> Model {
        Model { modules: Vec::new(), sources: Sources::default() }
    }

    /// A diagnostic about a place of this model, for the stages that come after the language.
    pub fn diagnostic(&self, problem: Problem) -> Diagnostic {
        self.sources.diagnostic(problem)
    }
}

/// A module: a unit of text with one mode running at a time.
#[derive(Clone, Debug, PartialEq)]
pub struct Module {
    /// Unique in the system.
    pub name: String,
    /// In the order of the text.
    pub sensors: Vec<Sensor>,
    /// In the order of the text.
    pub actuators: Vec<Actuator>,
    /// In the order of the text.
    pub tasks: Vec<Task>,
    /// The start mode.
    pub mode: Mode,
    /// Indices of the imported modules, in the order of the text; without a cycle.
    pub imports: Vec<usize>,
    /// The module's name in the text.
    pub place: Place,
}

/// A sensor: read by its getter in logical zero time.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensor {
    /// Unique in the module.
    pub name: String,
    /// What it delivers.
    pub kind: Type,
    /// The native function that reads it.
    pub getter: String,
    /// The sensor's name in the text.
    pub place: Place,
}

/// An actuator: written by its setter in logical zero time.
#[derive(Clone, Debug, PartialEq)]
pub struct Actuator {
    /// Unique in the module.
    pub name: String,
    /// What it takes.
    pub kind: Type,
    /// Its value before the first update.
    pub initial: Value,
    /// The native function that writes it.
    pub setter: String,
    /// The actuator's name in the text.
    pub place: Place,
}

/// A task: one native function over ports.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// Unique in the module.
    pub name: String,
    /// Whether importing modules may read its outputs.
    pub public: bool,
    /// In the order of the text.
    pub ports: Vec<Port>,
    /// The native function.
    pub function: String,
    /// The function's arguments as indices into `ports`, in the order of `uses`; each port at most once.
    pub arguments: Vec<usize>,
    /// The task's name in the text.
    pub place: Place,
}

/// A typed value of a task.
#[derive(Clone, Debug, PartialEq)]
pub struct Port {
    /// Unique in the task.
    pub name: String,
    /// Who writes it, and when.
    pub role: Role,
    /// What it holds.
    pub kind: Type,
    /// `None` exactly for inputs.
    pub initial: Option<Value>,
    /// The port's name in the text.
    pub place: Place,
}

/// What a port is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Copied in at the release.
    Input,
    /// Private to the task, survives between jobs.
    State,
    /// Visible to others from the end of the logical execution time.
    Output,
}

/// What a module does, period after period.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// Unique in the module.
    pub name: String,
    /// More than zero, at most [`Microseconds::LONGEST_PERIOD`], divisible by the frequency of each activity.
    pub period: Microseconds,
    /// In the order of the text.
    pub activities: Vec<Activity>,
    /// Where each of `activities` stands, in the same order.
    pub places: Vec<Place>,
    /// The mode's name in the text.
    pub place: Place,
}

/// What happens `frequency` times in a period, at equal distances from its start.
#[derive(Clone, Debug, PartialEq)]
pub enum Activity {
    /// A release of a task; its logical execution time is [`Activity::duration`].
    Task {
        /// Index into the module's tasks; no other activity of the mode has it.
        task: usize,
        /// At least 1.
        frequency: u32,
        /// What each input port gets, in the order of the input ports.
        inputs: Vec<Operand>,
    },
    /// An update of an actuator.
    Actuator {
        /// Index into the module's actuators; no other activity of the mode has it.
        actuator: usize,
        /// At least 1.
        frequency: u32,
        /// What it gets: an output or a sensor.
        source: Operand,
    },
}

impl Activity {
    /// Times a period, at least 1.
    pub fn frequency(&self) -> u32 {
        match self {
            Activity::Task { frequency, .. } | Activity::Actuator { frequency, .. } => *frequency,
        }
    }

    /// From one activation to the next; for a task also its logical execution time. `period` is its mode's.
    pub fn duration(&self, period: Microseconds) -> Microseconds {
        Microseconds(period.0 / u64::from(self.frequency()))
    }
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// An output port of a task of this module or of a public task of an imported one.
    Output {
        /// Index into the model's modules.
        module: usize,
        /// Index into that module's tasks.
        task: usize,
        /// Index into that task's ports.
        port: usize,
    },
    /// Index into the own module's sensors.
    Sensor(usize),
    /// A literal or constant, already of the input's type.
    Constant(Value),
}
