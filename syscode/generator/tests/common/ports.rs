//! Ports of the reference machine as words of a kernel's memory, and what the kernel tells of them.

use beryl_abi::{Instant, Record};

/// How often and in what order what happened: tick, words.
pub type Told = Vec<(u64, String)>;

/// Where a sensor is that counts the instants at which it is read.
pub const SENSOR: u32 = 0x800;
const FIRST: u32 = 0x100;

/// The bytes of a model's port on the kernel.
pub fn address(port: usize) -> u32 {
    FIRST + 4 * port as u32
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
            _ => return,
        };
        self.told.push((now.ticks(), words));
    }
}
