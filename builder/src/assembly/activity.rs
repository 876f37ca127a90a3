//! Modules as activities: what system code is made from.

use beryl_abi::Duration;
use beryl_timing::Slots;

use super::CellId;

/// A module's system code, still as activities.
#[derive(Clone, Debug)]
pub struct Module {
    /// Its name.
    pub name: String,
    /// In the order of the text.
    pub modes: Vec<Mode>,
    /// The mode in which it begins.
    pub start: usize,
    /// Its slot, if it has one: index among the slots.
    pub slot: Option<usize>,
}

/// Another program of a module, which may take over from the image's.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// Its file, as the description names it.
    pub file: String,
    /// Index of its module.
    pub module: usize,
    /// The module as this program makes it.
    pub body: Module,
}

/// A task that something else than time releases.
#[derive(Clone, Debug)]
pub struct Asynchronous {
    /// Its program's name: that of the module and of the task.
    pub name: String,
    /// Index of the task's thread.
    pub task: usize,
    /// What releases it.
    pub trigger: Trigger,
    /// The least time from one release to the next, unless a job takes longer than its deadline.
    pub separation: Duration,
    /// What must hold.
    pub guard: Option<Guard>,
    /// The copies of its inputs.
    pub inputs: Vec<Input>,
}

/// What releases a task instead of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// An interrupt, by its line.
    Interrupt(u16),
    /// Another value in a port: index among the assembly's ports.
    Change(usize),
}

/// A port at which a trigger looks.
#[derive(Clone, Debug)]
pub struct Port {
    /// The task and its output.
    pub name: String,
    /// Where its visible value lies.
    pub cell: CellId,
}

/// A mode.
#[derive(Clone, Debug)]
pub struct Mode {
    /// Its name.
    pub name: String,
    /// After which everything comes again.
    pub period: Duration,
    /// What it does, in the order of the text.
    pub activities: Vec<Activity>,
    /// Where it leads, in the order of the text.
    pub switches: Vec<Switch>,
    /// What is done once when it is entered, in the order of the text.
    pub entering: Vec<Entering>,
}

/// An update of an actuator when its mode is entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entering {
    /// What must hold.
    pub guard: Option<Guard>,
    /// The setter, and the getter that its value needs, if it comes from a sensor.
    pub update: Input,
}

/// A change to another mode.
#[derive(Clone, Debug)]
pub struct Switch {
    /// From one test to the next, if it isn't only at the ends of some slots: the length of a slot.
    pub every: Duration,
    /// The slots of the period at whose ends it is tested; empty if at all.
    pub slots: Vec<Slots>,
    /// What must hold.
    pub guard: Option<Guard>,
    /// The task of which a job must have been late since this was last tested, if that is what must hold: its thread.
    pub late: Option<usize>,
    /// Index of the mode that begins.
    pub target: usize,
}

/// What a module does at equal distances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Activity {
    /// Copies inputs, then releases a task.
    Release {
        /// Index of the task's thread.
        task: usize,
        /// The length of a slot of the period.
        every: Duration,
        /// The slots that are logical execution times; empty if each is one.
        slots: Vec<Slots>,
        /// What must hold.
        guard: Option<Guard>,
        /// The copies of its inputs.
        inputs: Vec<Input>,
    },
    /// Updates an actuator.
    Actuate {
        /// From one update to the next, if it isn't only at the ends of some slots: the length of a slot.
        every: Duration,
        /// The slots of the period at whose ends it is updated; empty if at all.
        slots: Vec<Slots>,
        /// What must hold.
        guard: Option<Guard>,
        /// The setter, and the getter that its value needs, if it comes from a sensor.
        update: Input,
    },
}

/// A guard's driver, and the getters of the sensors that it is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    /// Index of the driver.
    pub driver: usize,
    /// Indices of the getters that must have run at the same instant.
    pub getters: Vec<usize>,
}

/// A driver, and the getter of the sensor from which it takes its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input {
    /// Index of the driver.
    pub driver: usize,
    /// Index of the getter that must have run at the same instant.
    pub getter: Option<usize>,
}

/// A logical execution time, from the start of the mode's period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The release.
    pub start: Duration,
    /// When outputs become visible.
    pub end: Duration,
}

impl Window {
    /// How long it is.
    #[must_use]
    pub fn length(self) -> Duration {
        self.end.minus(self.start)
    }
}

impl Guard {
    /// Its driver, and those of the sensors that it is given.
    pub fn drivers(&self) -> impl Iterator<Item = usize> {
        self.getters.iter().copied().chain([self.driver])
    }
}

impl Input {
    /// Its driver, and that of its sensor.
    pub fn drivers(&self) -> impl Iterator<Item = usize> + use<> {
        self.getter.into_iter().chain([self.driver])
    }
}

impl Asynchronous {
    /// All drivers of a release.
    pub fn drivers(&self) -> impl Iterator<Item = usize> {
        self.guard.iter().flat_map(Guard::drivers).chain(self.inputs.iter().flat_map(Input::drivers))
    }
}

impl Entering {
    /// All drivers of it.
    pub fn drivers(&self) -> impl Iterator<Item = usize> {
        self.guard.iter().flat_map(Guard::drivers).chain(self.update.drivers())
    }
}

impl Activity {
    /// From one activation to the next, if every slot is used.
    #[must_use]
    pub fn every(&self) -> Duration {
        match self {
            Activity::Release { every, .. } | Activity::Actuate { every, .. } => *every,
        }
    }

    /// From one activation to the next, at least, in a mode with this period.
    #[must_use]
    pub fn distance(&self, period: Duration) -> Duration {
        match self {
            Activity::Release { every, .. } => *every,
            Activity::Actuate { every, slots, .. } => shortest_distance(*every, slots, period),
        }
    }

    /// The task that it releases.
    #[must_use]
    pub fn task(&self) -> Option<usize> {
        match self {
            Activity::Release { task, .. } => Some(*task),
            Activity::Actuate { .. } => None,
        }
    }

    /// What must hold.
    #[must_use]
    pub fn guard(&self) -> Option<&Guard> {
        match self {
            Activity::Release { guard, .. } | Activity::Actuate { guard, .. } => guard.as_ref(),
        }
    }

    /// The slots of the period that are used; empty if each is by itself.
    #[must_use]
    pub fn slots(&self) -> &[Slots] {
        match self {
            Activity::Release { slots, .. } | Activity::Actuate { slots, .. } => slots,
        }
    }

    /// The activations in a period, in their order; those of an actuator are at the ends.
    pub fn windows(&self, period: Duration) -> impl Iterator<Item = Window> + use<'_> {
        windows(self.every(), self.slots(), period)
    }
}

impl Switch {
    /// From one test to the next, at least, in a mode with this period.
    #[must_use]
    pub fn distance(&self, period: Duration) -> Duration {
        shortest_distance(self.every, &self.slots, period)
    }

    /// The slots that end with a test, in their order.
    pub fn windows(&self, period: Duration) -> impl Iterator<Item = Window> + use<'_> {
        windows(self.every, &self.slots, period)
    }
}

fn windows(every: Duration, chosen: &[Slots], period: Duration) -> impl Iterator<Item = Window> + use<'_> {
    let every = every.ticks().max(1);
    let single = if chosen.is_empty() { period.ticks() / every } else { 0 };
    let chosen = chosen.iter().map(|slots| (u64::from(slots.first) - 1, u64::from(slots.last)));
    (0..single).map(|number| (number, number + 1)).chain(chosen).map(move |(first, last)| Window {
        start: Duration::from_ticks(first * every),
        end: Duration::from_ticks(last * every),
    })
}

/// The shortest time between neighbouring ends of slots, also if the mode begins anew at any of them.
fn shortest_distance(every: Duration, chosen: &[Slots], period: Duration) -> Duration {
    let (Some(first), Some(last)) = (chosen.first(), chosen.last()) else { return every };
    let slots = period.ticks() / every.ticks().max(1);
    let between = chosen.windows(2).map(|pair| u64::from(pair[1].last - pair[0].last));
    let around = u64::from(first.last).saturating_add(slots).saturating_sub(last.last.into());
    let least = between.chain([around, first.last.into()]).min().unwrap_or(1);
    Duration::from_ticks(least.saturating_mul(every.ticks()))
}

impl Mode {
    /// All times from one activation or test to the next; and the period, of which all are divisors.
    pub fn rhythms(&self) -> impl Iterator<Item = Duration> {
        let activities = self.activities.iter().map(Activity::every);
        activities.chain(self.switches.iter().map(|switch| switch.every)).chain([self.period])
    }
}

impl Module {
    /// The shortest slot of a task; from one release to the next it is at least that. Nothing if this program
    /// doesn't release it.
    #[must_use]
    pub fn released_every(&self, thread: usize) -> Option<Duration> {
        let activities = self.modes.iter().flat_map(|mode| &mode.activities);
        let every = activities.filter_map(|activity| match activity {
            Activity::Release { task, every, .. } if *task == thread => Some(*every),
            _ => None,
        });
        every.min()
    }

    /// The shortest time from one entry of a mode to the next: that of the switches that lead to it. The start mode is
    /// entered without a switch, too, at most once in a period: where the program begins or takes over.
    #[must_use]
    pub fn entered_every(&self, mode: usize) -> Duration {
        let switches = self.modes.iter().flat_map(|row| row.switches.iter().map(move |switch| (row, switch)));
        let leading = switches.filter(|(_, switch)| switch.target == mode);
        let leading = leading.map(|(row, switch)| switch.distance(row.period));
        let begins = self.modes.get(mode).filter(|_| mode == self.start).map(|row| row.period);
        leading.chain(begins).min().unwrap_or(Duration::FOREVER)
    }

    /// Whether its tasks are released at equal distances from the start on, for ever.
    #[must_use]
    pub fn is_regular(&self) -> bool {
        self.modes.iter().all(|mode| {
            mode.switches.is_empty() && mode.activities.iter().all(|activity| activity.slots().is_empty())
        })
    }
}
