//! Modes, their activities, and switches between them.

use super::{Condition, Microseconds, Type, Value};
use crate::place::Place;

/// A periodic schedule of a module.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// Unique in the module.
    pub name: String,
    /// More than zero, at most [`Microseconds::LONGEST_PERIOD`], divisible by the frequency of each activity
    /// and switch.
    pub period: Microseconds,
    /// In the order of the text.
    pub activities: Vec<Activity>,
    /// The place of each of the `activities`, in the same order.
    pub places: Vec<Place>,
    /// In the order of the text, in which they are tested.
    pub switches: Vec<Switch>,
    /// The updates that are made when it is entered, in the order of the text.
    pub entering: Vec<Entering>,
    /// The mode's name in the text.
    pub place: Place,
}

/// Something that happens `frequency` times in a period, at equal distances from its start.
#[derive(Clone, Debug, PartialEq)]
pub enum Activity {
    /// Releases of a task; each has a [`Window`] as its logical execution time.
    Task {
        /// Index into the module's tasks; no other activity of the mode has it.
        task: usize,
        /// At least 1.
        frequency: u32,
        /// Which of the `frequency` slots of the period are used, in ascending order without overlap. Empty
        /// if each slot is one logical execution time.
        slots: Vec<Slots>,
        /// Tested at each release.
        guard: Option<Guard>,
        /// The source of each input port, in the order of the input ports.
        inputs: Vec<Operand>,
    },
    /// An update of an actuator.
    Actuator {
        /// Index into the module's actuators; no other activity of the mode has it.
        actuator: usize,
        /// At least 1.
        frequency: u32,
        /// Those of the slots of the period at whose ends it is updated, as for a task. Empty if at all.
        slots: Vec<Slots>,
        /// Tested at each update.
        guard: Option<Guard>,
        /// The source: an output, a sensor or a constant.
        source: Operand,
    },
}

/// A logical execution time over neighbouring slots of a period: 1 <= first <= last <= frequency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slots {
    /// Inputs are read at its start.
    pub first: u32,
    /// Outputs become visible at its end.
    pub last: u32,
}

/// A logical execution time, from the start of the mode's period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// When inputs are read.
    pub start: Microseconds,
    /// When outputs become visible; at most the period.
    pub end: Microseconds,
}

impl Window {
    /// The length of the window.
    #[must_use]
    pub fn length(self) -> Microseconds {
        Microseconds(self.end.0.saturating_sub(self.start.0))
    }
}

/// A switch to another mode of the module, or back to the start of the same one.
#[derive(Clone, Debug, PartialEq)]
pub struct Switch {
    /// How often it is tested in a period, at least 1, if it isn't only at the ends of some `slots`; no task of the
    /// mode is inside its logical execution time then.
    pub frequency: u32,
    /// Those of the slots of the period at whose ends it is tested, as for a task. Empty if at all.
    pub slots: Vec<Slots>,
    /// The condition; without it the switch is always taken.
    pub guard: Option<Guard>,
    /// Index into the module's modes.
    pub target: usize,
    /// The switch in the text.
    pub place: Place,
}

/// An update of an actuator that is made once when its mode is entered: in the switch phase, behind all tests.
#[derive(Clone, Debug, PartialEq)]
pub struct Entering {
    /// Index into the module's actuators; no other one of the mode has it.
    pub actuator: usize,
    /// Tested before it.
    pub guard: Option<Guard>,
    /// The source: an output, a sensor or a constant.
    pub source: Operand,
}

/// A task that isn't released by time and is less urgent than all synchronous work. Its outputs become
/// visible when it completes.
#[derive(Clone, Debug, PartialEq)]
pub struct Asynchronous {
    /// Index into the module's tasks; nothing else releases it.
    pub task: usize,
    /// Its trigger.
    pub trigger: Trigger,
    /// Among asynchronous activities; higher is more urgent.
    pub priority: u8,
    /// Tested at each release.
    pub guard: Option<Guard>,
    /// The source of each input port at the release, in the order of the input ports.
    pub inputs: Vec<Operand>,
    /// The activity in the text.
    pub place: Place,
}

/// The trigger of an asynchronous task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// An interrupt, by its name in the system description.
    Interrupt(String),
    /// An output port, or a field of one, each time it has another value.
    Port {
        /// Index into the model's modules.
        module: usize,
        /// Index into that module's tasks.
        task: usize,
        /// Index into that task's ports.
        port: usize,
        /// The field of it that counts; all of it otherwise.
        part: Option<Part>,
    },
}

/// A field of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The names of the field and of the fields around it: `place.x`.
    pub path: String,
    /// Its offset in bytes.
    pub offset: u32,
    /// Its type.
    pub kind: Type,
}

impl Mode {
    /// The guards of its activities, then those of its switches and of what is done on entering it.
    pub fn guards(&self) -> impl Iterator<Item = &Guard> {
        let activities = self.activities.iter().filter_map(Activity::guard);
        let switches = self.switches.iter().filter_map(|switch| switch.guard.as_ref());
        let entering = self.entering.iter().filter_map(|entering| entering.guard.as_ref());
        activities.chain(switches).chain(entering)
    }
}

/// A native function that returns yes or no, or a condition, in logical zero time.
#[derive(Clone, Debug, PartialEq)]
pub struct Guard {
    /// The native function, or the text of the condition.
    pub function: String,
    /// Its arguments; of a condition, each once.
    pub arguments: Vec<Argument>,
    /// What is asked, if it is more than one native function.
    pub condition: Option<Condition>,
    /// The function's name in the text, or the whole condition.
    pub place: Place,
}

/// A native guard: by itself, or in a condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Native<'a> {
    /// The native function.
    pub function: &'a String,
    /// Its arguments.
    pub arguments: Vec<&'a Argument>,
    /// The function's name in the text.
    pub place: Place,
}

impl Guard {
    /// The native functions that it asks, in the order of the text.
    #[must_use]
    pub fn natives(&self) -> Vec<Native<'_>> {
        let Some(condition) = &self.condition else {
            let (function, place) = (&self.function, self.place);
            return vec![Native { function, arguments: self.arguments.iter().collect(), place }];
        };
        let native = |leaf| match leaf {
            &Condition::Native { ref function, ref arguments, place } => {
                let arguments = arguments.iter().filter_map(|number| self.arguments.get(*number)).collect();
                Some(Native { function, arguments, place })
            }
            _ => None,
        };
        condition.leaves().into_iter().filter_map(native).collect()
    }
}

/// An argument of a guard.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// Its source.
    pub operand: Operand,
    /// Its type; a literal's type follows from its form.
    pub kind: Type,
}

impl Activity {
    /// How often it happens in a period, at least 1.
    pub fn frequency(&self) -> u32 {
        match self {
            Activity::Task { frequency, .. } | Activity::Actuator { frequency, .. } => *frequency,
        }
    }

    /// The condition that is tested each time.
    pub fn guard(&self) -> Option<&Guard> {
        match self {
            Activity::Task { guard, .. } | Activity::Actuator { guard, .. } => guard.as_ref(),
        }
    }

    /// The period divided by the frequency: the length of a slot. `period` is the period of its mode.
    pub fn duration(&self, period: Microseconds) -> Microseconds {
        Microseconds(period.0 / u64::from(self.frequency()))
    }

    /// Which of the slots of the period are used; empty if each is by itself.
    #[must_use]
    pub fn slots(&self) -> &[Slots] {
        match self {
            Activity::Task { slots, .. } | Activity::Actuator { slots, .. } => slots,
        }
    }

    /// The logical execution times of a task in a period, in order; for an actuator, the slots that end with an
    /// update. There may be billions of them.
    pub fn windows(&self, period: Microseconds) -> impl Iterator<Item = Window> {
        windows(self.frequency(), self.slots(), period)
    }
}

impl Switch {
    /// The slots that end with a test, in order. There may be billions of them.
    pub fn windows(&self, period: Microseconds) -> impl Iterator<Item = Window> {
        windows(self.frequency, &self.slots, period)
    }
}

fn windows(frequency: u32, chosen: &[Slots], period: Microseconds) -> impl Iterator<Item = Window> {
    let slot = period.0 / u64::from(frequency);
    let every = if chosen.is_empty() { frequency } else { 0 };
    let single = (1..=every).map(|number| Slots { first: number, last: number });
    single.chain(chosen.iter().copied()).map(move |Slots { first, last }| Window {
        start: Microseconds(slot * u64::from(first - 1)),
        end: Microseconds(slot * u64::from(last)),
    })
}

/// The source of a value.
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
    /// A literal or constant, already converted to the required type.
    Constant(Value),
    /// A field of a record.
    Field {
        /// The output or sensor that contains it.
        of: Box<Operand>,
        /// The names of the field and of the fields around it: `place.x`.
        path: String,
        /// Its offset in bytes.
        offset: u32,
    },
}
