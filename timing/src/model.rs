//! The checked model: every name resolved, every rule of the language proved.

mod activity;
mod condition;
mod kind;
mod listing;
mod time;
mod value;

pub use activity::{
    Activity, Argument, Asynchronous, Entering, Guard, Mode, Native, Operand, Part, Slots, Switch, Trigger,
    Window,
};
pub use condition::{Comparison, Condition, Side};
pub use kind::{Basic, Element, Field, Record, Type};
pub use time::Microseconds;
pub use value::{Scalar, Value};

use crate::diagnostic::{Diagnostic, Problem, Sources};
use crate::place::Place;
use std::sync::Arc;

/// A whole timing program. Its `Display` is a listing in plain words.
#[derive(Clone, Debug)]
pub struct Model {
    /// In the order of the text.
    pub modules: Vec<Module>,
    /// The records of all modules, in text order, each once.
    pub records: Vec<Arc<Record>>,
    pub(crate) sources: Sources,
}

impl Model {
    /// The model of a system without a timing program: no modules.
    #[must_use]
    pub fn empty() -> Model {
        Model { modules: Vec::new(), records: Vec::new(), sources: Sources::default() }
    }

    /// A diagnostic about a place of this model, for later stages.
    pub fn diagnostic(&self, problem: Problem) -> Diagnostic {
        self.sources.diagnostic(problem)
    }
}

/// A module: a part of the text that is always in one of its modes.
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
    /// In the order of the text.
    pub modes: Vec<Mode>,
    /// Index of its start mode.
    pub start: usize,
    /// In text order; independent of the mode.
    pub asynchronous: Vec<Asynchronous>,
    /// Indices of the imported modules, in text order; free of cycles.
    pub imports: Vec<usize>,
    /// The module's name in the text.
    pub place: Place,
}

impl Module {
    /// The guards of all modes, in text order: those of activities, then those of switches.
    pub fn guards(&self) -> impl Iterator<Item = &Guard> {
        let asynchronous = self.asynchronous.iter().filter_map(|activity| activity.guard.as_ref());
        self.modes.iter().flat_map(Mode::guards).chain(asynchronous)
    }
}

/// A sensor: read by its getter in logical zero time.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensor {
    /// Unique in the module.
    pub name: String,
    /// The type that it delivers.
    pub kind: Type,
    /// The native function that reads it.
    pub getter: String,
    /// The function's name in the text.
    pub uses: Place,
    /// The sensor's name in the text.
    pub place: Place,
}

/// An actuator: written by its setter in logical zero time.
#[derive(Clone, Debug, PartialEq)]
pub struct Actuator {
    /// Unique in the module.
    pub name: String,
    /// The type that it takes.
    pub kind: Type,
    /// Its value before the first update.
    pub initial: Value,
    /// The native function that writes it.
    pub setter: String,
    /// The function's name in the text.
    pub uses: Place,
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
    /// The function's name in the text.
    pub uses: Place,
    /// The function's arguments as indices into `ports`, in the order of `uses`; each port at most once.
    pub arguments: Vec<usize>,
    /// Ports for which several sources vote before a job: none, as the text has it. A builder adds some where a module has replicas.
    pub votes: Vec<Vote>,
    /// The task's name in the text.
    pub place: Place,
}

impl Task {
    /// Whether its function may change a port. An input that was voted is a state, and not the function's.
    #[must_use]
    pub fn changes(&self, port: usize) -> bool {
        let is_voted = self.votes.iter().any(|vote| vote.kept == port);
        match self.ports.get(port).map(|port| port.role) {
            Some(Role::Output) => true,
            Some(Role::State) => !is_voted,
            Some(Role::Input) | None => false,
        }
    }
}

/// What most of several ports hold, which a task has instead of the first of them. All ports are indices into the task's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vote {
    /// Where it is put: a state, where it stays if there is no majority; or an output, which is what a replica remembers.
    pub kept: usize,
    /// What came of the last vote: a state, an `int`.
    pub outcome: usize,
    /// The inputs that vote.
    pub of: Vec<usize>,
}

/// A typed value of a task.
#[derive(Clone, Debug, PartialEq)]
pub struct Port {
    /// Unique in the task.
    pub name: String,
    /// Which side writes it, and when.
    pub role: Role,
    /// Its type.
    pub kind: Type,
    /// `None` exactly for inputs.
    pub initial: Option<Value>,
    /// The port's name in the text.
    pub place: Place,
}

/// The role of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Copied in at the release.
    Input,
    /// Private to the task, survives between jobs.
    State,
    /// Visible to others from the end of the logical execution time.
    Output,
}
