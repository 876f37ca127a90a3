//! Two tasks whose ports are those of the reference machine and words of a kernel's memory, and what both tell of
//! them.

use std::collections::BTreeMap;

use beryl_abi::{Instant, Line, ProcessId, Record, ThreadId};
use beryl_kernel::{Driver, DriverKind, Held, Port};
use beryl_reference::{Action, Change, Driver as ModelDriver, Entry, Event, Policy, Task, World};
use beryl_syscode::Exception;

use super::jobs::Interrupt;

/// How often and in what order what happened: tick, words.
pub type Told = Vec<(u64, String)>;

/// Where a sensor is that counts the instants at which it is read.
pub const SENSOR: u32 = 0x800;
const FIRST: u32 = 0x100;

/// The port that is longer than a number, by the number by which conditions name it: the model's ports 0 to 2, which are the two
/// others and a task's input.
pub const LONG: usize = 2;

/// The ports that triggers look at, as the kernel's table has them.
pub fn looked_at() -> [Port; 4] {
    let [first, second] = [0, 1].map(|port| Port { address: address(port), holds: Held::Word });
    [first, second, Port { address: address(0), holds: Held::Bytes(12) }, Port::NONE]
}

/// The bytes of a model's port on the kernel.
pub fn address(port: usize) -> u32 {
    FIRST + 4 * port as u32
}

/// What a driver does: from and to by ports of the model, and the task whose ports it touches.
pub const DRIVERS: [(Option<usize>, usize, Option<usize>, DriverKind); 6] = [
    // the sensor to each of the ports that triggers look at
    (None, 0, None, DriverKind::Copy),
    (None, 1, None, DriverKind::Copy),
    (Some(0), 1, None, DriverKind::Copy),
    // outputs and inputs of the tasks
    (Some(3), 6, Some(0), DriverKind::Copy),
    (Some(5), 7, Some(1), DriverKind::Copy),
    (Some(1), 2, Some(0), DriverKind::Input),
];

/// The drivers as the kernel's table has them.
pub fn drivers() -> [Driver; 8] {
    let mut drivers = [Driver::NONE; 8];
    for (row, (from, to, task, kind)) in drivers.iter_mut().zip(DRIVERS) {
        let task = task.map_or(ThreadId::NONE, |task| ThreadId(task as u8));
        let from = from.map_or(SENSOR, address);
        *row = Driver { kind, process: ProcessId(0), task, from, to: address(to), length: 4, ..Driver::NONE };
    }
    drivers
}

/// The ports, the sensor, and what happened.
#[derive(Clone, Default)]
pub struct Ports {
    pub memory: [u32; 16],
    read: Option<Instant>,
    count: u32,
    /// Tasks of which a job was released since somebody took them from here.
    pub released: Vec<usize>,
    pub told: Told,
}

impl Ports {
    pub fn copy(&mut self, now: Instant, from: u32, to: u32) {
        let value = if from == SENSOR { self.read_sensor(now) } else { self.load(from) };
        self.store(to, value);
    }

    fn read_sensor(&mut self, now: Instant) -> u32 {
        if self.read.replace(now) != Some(now) {
            self.count += 1;
        }
        self.count - 1
    }

    pub fn load(&self, address: u32) -> u32 {
        self.memory[((address - FIRST) / 4) as usize]
    }

    pub fn store(&mut self, address: u32, value: u32) {
        self.memory[((address - FIRST) / 4) as usize] = value;
    }

    pub fn trace(&mut self, now: Instant, record: Record) {
        let words = match record {
            Record::Release { task, .. } => {
                self.released.push(task.index());
                format!("release {}", task.0)
            }
            Record::Driver { driver, .. } => format!("driver {}", driver.0),
            Record::Violation { task, .. } => format!("violation {}", task.0),
            Record::Skip { .. } => "share".to_owned(),
            _ => return,
        };
        self.told.push((now.ticks(), words));
    }
}

/// What is around programs on the reference machine, with jobs as `execution` says of task and number.
pub fn world(interrupts: &[Interrupt], execution: impl Fn(usize, usize) -> u64 + 'static) -> World {
    let drivers = DRIVERS.map(|(from, to, ..)| ModelDriver {
        action: if from.is_some() { Action::Copy } else { Action::Sensor(0) },
        reads: from.into_iter().collect(),
        writes: vec![to],
    });
    World {
        tasks: vec![Task { reads: vec![2], writes: vec![3] }, Task { reads: vec![4], writes: vec![5] }],
        drivers: drivers.to_vec(),
        ports: vec![0; 8],
        values: BTreeMap::from([(LONG, vec![0, 1, 2])]),
        policy: Policy::FixedPriority,
        changes: interrupts.iter().map(|(at, line)| (*at, Change::Interrupt(Line(*line)))).collect(),
        execution: Box::new(execution),
        ..World::of_times(&[])
    }
}

/// What the reference machine tells, in the kernel's words.
pub fn told(trace: Vec<Entry>) -> Told {
    let told = trace.into_iter().filter_map(|entry| {
        let words = match entry.event {
            Event::Driver(driver) => vec![format!("driver {driver}")],
            Event::Release(task) => vec![format!("release {task}")],
            Event::Violation(Exception::Share, _) => vec!["share".to_owned()],
            Event::Violation(_, tasks) => tasks.iter().map(|task| format!("violation {task}")).collect(),
            _ => return None,
        };
        Some(words.into_iter().map(move |words| (entry.at, words)))
    });
    told.flatten().collect()
}
