//! Modes, their activities, and switches between them.

use super::{Microseconds, Type, Value};
use crate::place::Place;

/// What a module does, period after period.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// Unique in the module.
    pub name: String,
    /// More than zero, at most [`Microseconds::LONGEST_PERIOD`], divisible by the frequency of each activity and switch.
    pub period: Microseconds,
    /// In the order of the text.
    pub activities: Vec<Activity>,
    /// Where each of `activities` stands, in the same order.
    pub places: Vec<Place>,
    /// In the order of the text, in which they are tested.
    pub switches: Vec<Switch>,
    /// The mode's name in the text.
    pub place: Place,
}

/// What happens `frequency` times in a period, at equal distances from its start.
#[derive(Clone, Debug, PartialEq)]
pub enum Activity {
    /// Releases of a task; each has a [`Window`] as its logical execution time.
    Task {
        /// Index into the module's tasks; no other activity of the mode has it.
        task: usize,
        /// At least 1.
        frequency: u32,
        /// Which of the `frequency` slots of the period are used, in ascending order without overlap. Empty if each is one
        /// logical execution time.
        slots: Vec<Slots>,
        /// Tested at each release.
        guard: Option<Guard>,
        /// What each input port gets, in the order of the input ports.
        inputs: Vec<Operand>,
    },
    /// An update of an actuator.
    Actuator {
        /// Index into the module's actuators; no other activity of the mode has it.
        actuator: usize,
        /// At least 1.
        frequency: u32,
        /// Tested at each update.
        guard: Option<Guard>,
        /// What it gets: an output or a sensor.
        source: Operand,
    },
}

/// A logical execution time over neighbouring slots of a period: 1 <= first <= last <= frequency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slots {
    /// At its start inputs are read.
    pub first: u32,
    /// At its end outputs become visible.
    pub last: u32,
}

/// A logical execution time, from the start of the mode's period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Inputs are read.
    pub start: Microseconds,
    /// Outputs become visible; at most the period.
    pub end: Microseconds,
}

impl Window {
    /// How long it is.
    #[must_use]
    pub fn length(self) -> Microseconds {
        Microseconds(self.end.0.saturating_sub(self.start.0))
    }
}

/// A change to another mode of the module, or the same mode anew.
#[derive(Clone, Debug, PartialEq)]
pub struct Switch {
    /// How often in a period it is tested, at least 1; no task of the mode is inside its logical execution time then.
    pub frequency: u32,
    /// What must be true; without it the switch is always taken.
    pub guard: Option<Guard>,
    /// Index into the module's modes.
    pub target: usize,
    /// The switch in the text.
    pub place: Place,
}

/// A task that something else than time releases, under all synchronous work. Its outputs become visible when it completes.
#[derive(Clone, Debug, PartialEq)]
pub struct Asynchronous {
    /// Index into the module's tasks; nothing else releases it.
    pub task: usize,
    /// What releases it.
    pub trigger: Trigger,
    /// Among asynchronous activities; more is more urgent.
    pub priority: u8,
    /// Tested at each release.
    pub guard: Option<Guard>,
    /// What each input port gets at the release, in the order of the input ports.
    pub inputs: Vec<Operand>,
    /// The activity in the text.
    pub place: Place,
}

/// What releases an asynchronous task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// An interrupt, by its name in the system description.
    Interrupt(String),
    /// Each time that an output port becomes visible.
    Port {
        /// Index into the model's modules.
        module: usize,
        /// Index into that module's tasks.
        task: usize,
        /// Index into that task's ports.
        port: usize,
    },
}

impl Mode {
    /// The guards of its activities, then those of its switches.
    pub fn guards(&self) -> impl Iterator<Item = &Guard> {
        let activities = self.activities.iter().filter_map(Activity::guard);
        activities.chain(self.switches.iter().filter_map(|switch| switch.guard.as_ref()))
    }
}

/// A native function that says yes or no, in logical zero time.
#[derive(Clone, Debug, PartialEq)]
pub struct Guard {
    /// The native function.
    pub function: String,
    /// What it is given.
    pub arguments: Vec<Argument>,
    /// The function's name in the text.
    pub place: Place,
}

/// A value that a guard is given.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// Where it comes from.
    pub operand: Operand,
    /// Its type; that of a literal follows from how it is written.
    pub kind: Type,
}

impl Activity {
    /// Times a period, at least 1.
    pub fn frequency(&self) -> u32 {
        match self {
            Activity::Task { frequency, .. } | Activity::Actuator { frequency, .. } => *frequency,
        }
    }

    /// What is tested each time.
    pub fn guard(&self) -> Option<&Guard> {
        match self {
            Activity::Task { guard, .. } | Activity::Actuator { guard, .. } => guard.as_ref(),
        }
    }

    /// The period divided by the frequency: the length of a slot. `period` is its mode's.
    pub fn duration(&self, period: Microseconds) -> Microseconds {
        Microseconds(period.0 / u64::from(self.frequency()))
    }

    /// The logical execution times of a task in a period, in their order; an actuator's are the slots that begin with an
    /// update. There may be billions of them.
    pub fn windows(&self, period: Microseconds) -> impl Iterator<Item = Window> {
        let (slot, frequency) = (self.duration(period).0, self.frequency());
        let chosen: &[Slots] = match self {
            Activity::Task { slots, .. } => slots,
            Activity::Actuator { .. } => &[],
        };
        let every = if chosen.is_empty() { frequency } else { 0 };
        let single = (1..=every).map(|number| Slots { first: number, last: number });
        single.chain(chosen.iter().copied()).map(move |Slots { first, last }| Window {
            start: Microseconds(slot * u64::from(first - 1)),
            end: Microseconds(slot * u64::from(last)),
        })
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
    /// A literal or constant, already of the type that is needed.
    Constant(Value),
    /// A field of a record.
    Field {
        /// The output or sensor in which it is.
        of: Box<Operand>,
        /// The field, with those in which it lies: `place.x`.
        path: String,
        /// Bytes before it.
        offset: u32,
    },
}
