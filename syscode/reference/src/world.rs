//! What the machine stands in: tasks, drivers, ports, the environment, and how long jobs take.

use std::collections::BTreeMap;

use beryl_abi::Line;

/// A task: a function from the ports that it reads to those that it writes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Task {
    /// Driver ports that it reads when it starts.
    pub reads: Vec<usize>,
    /// Task ports that it writes when it completes.
    pub writes: Vec<usize>,
}

/// What a driver does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Copies the ports that it reads to those that it writes, one by one.
    Copy,
    /// Says whether the first port that it reads isn't zero.
    Guard,
    /// Reads a sensor into the ports that it writes; at one instant, every reader gets the same.
    Sensor(usize),
}

/// A driver, with the ports that it touches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Driver {
    /// What it does.
    pub action: Action,
    /// Ports that it reads.
    pub reads: Vec<usize>,
    /// Ports that it writes.
    pub writes: Vec<usize>,
}

impl Driver {
    /// A driver that copies one port.
    #[must_use]
    pub fn copy(from: usize, to: usize) -> Driver {
        Driver { action: Action::Copy, reads: vec![from], writes: vec![to] }
    }

    /// A driver that reads a sensor.
    #[must_use]
    pub fn sensor(sensor: usize, to: usize) -> Driver {
        Driver { action: Action::Sensor(sensor), reads: Vec::new(), writes: vec![to] }
    }

    /// A driver that tests a port.
    #[must_use]
    pub fn guard(port: usize) -> Driver {
        Driver { action: Action::Guard, reads: vec![port], writes: Vec::new() }
    }

    /// Whether it may not run while the task is at work: it would change what the task reads, or read or
    /// change what it writes (paper, section 2).
    #[must_use]
    pub fn touches(&self, task: &Task) -> bool {
        let writes = |port: &usize| task.reads.contains(port) || task.writes.contains(port);
        self.writes.iter().any(writes) || self.reads_outputs_of(task)
    }

    /// Whether it reads what the task writes.
    #[must_use]
    pub fn reads_outputs_of(&self, task: &Task) -> bool {
        self.reads.iter().any(|port| task.writes.contains(port))
    }
}

/// Who runs where no thread holds a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Nobody.
    None,
    /// The earliest deadline; of equal ones, the later release, then the lowest number.
    EarliestDeadline,
    /// The same, but nobody is interrupted.
    EarliestDeadlineToCompletion,
    /// The lowest number.
    FixedPriority,
}

/// Something that happens outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// A port of the environment takes a value.
    Port(usize, i32),
    /// An interrupt.
    Interrupt(Line),
}

/// Everything that a run depends on, beside the programs.
pub struct World {
    /// The image's tasks.
    pub tasks: Vec<Task>,
    /// The image's drivers.
    pub drivers: Vec<Driver>,
    /// The ports' values at the start.
    pub ports: Vec<i32>,
    /// The ports that each one of which a condition speaks consists of, by its number, if it isn't the one of that number: a
    /// value of any length is as many of them.
    pub values: BTreeMap<usize, Vec<usize>>,
    /// Who runs where no thread holds a task.
    pub policy: Policy,
    /// Each task's rank, 0 where none is said: tasks of a lower one go first, whoever runs them, and only
    /// threads that hold tasks of one rank are in each other's way.
    pub ranks: Vec<u8>,
    /// Stretches of time in which none of the tasks has the processor: from, to.
    pub taken: Vec<(u64, u64)>,
    /// Whether a thread that idles keeps the processor from tasks that no program dispatches.
    pub idle_is_held: bool,
    /// What happens outside and when, in order of time.
    pub changes: Vec<(u64, Change)>,
    /// How long a task's job of that number takes, in ticks; at least one.
    pub execution: Box<dyn Fn(usize, usize) -> u64>,
    /// What a sensor says the so-many-th time that it is read.
    pub sensor: Box<dyn Fn(usize, usize) -> i32>,
}

impl World {
    /// A task's rank.
    #[must_use]
    pub fn rank(&self, task: usize) -> u8 {
        self.ranks.get(task).copied().unwrap_or_default()
    }

    /// A world whose tasks share nothing and take so long.
    #[must_use]
    pub fn of_times(times: &[u64]) -> World {
        let execution = times.to_vec();
        World {
            tasks: vec![Task::default(); times.len()],
            drivers: Vec::new(),
            ports: Vec::new(),
            values: BTreeMap::new(),
            policy: Policy::EarliestDeadline,
            ranks: Vec::new(),
            taken: Vec::new(),
            idle_is_held: false,
            changes: Vec::new(),
            execution: Box::new(move |task, _| execution.get(task).copied().unwrap_or(1)),
            sensor: Box::new(|_, reading| i32::try_from(reading).unwrap_or(i32::MAX)),
        }
    }
}
