//! A program with all its parts, as the assembler makes it and a container holds it.

use beryl_abi::Duration;
use beryl_syscode::container::Content;
use beryl_syscode::{Condition, Container, ContainerError, Exception};

/// A program of system code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// The module's name.
    pub module: String,
    /// Where it starts.
    pub start: u16,
    /// The durations that its instructions name.
    pub durations: Vec<Duration>,
    /// What its triggers and timeouts wait for.
    pub conditions: Vec<Condition>,
    /// Its instructions.
    pub code: Vec<u32>,
    /// Where completions of tasks enter it.
    pub completions: Vec<(u8, u16)>,
    /// Where exceptions enter it.
    pub handlers: Vec<(Exception, u16)>,
    /// Names of the image's tasks.
    pub tasks: Vec<String>,
    /// Names of the image's drivers.
    pub drivers: Vec<String>,
    /// Names of the ports that conditions look at.
    pub ports: Vec<String>,
    /// Places in the trigger queue, at least one.
    pub trigger_places: u8,
    /// Places in the thread set.
    pub thread_places: u8,
    /// The numbers of its certificate, in ticks; none if it has none.
    pub certificate: Vec<u32>,
}

impl Program {
    /// The program as a container.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let [tasks, drivers, ports] = [&self.tasks, &self.drivers, &self.ports]
            .map(|list| -> Vec<&str> { list.iter().map(String::as_str).collect() });
        let content = Content {
            module: &self.module,
            start: self.start,
            durations: &self.durations,
            code: &self.code,
            completions: &self.completions,
            tasks: &tasks,
            drivers: &drivers,
            conditions: &self.conditions,
            handlers: &self.handlers,
            ports: &ports,
            thread_places: self.thread_places,
            trigger_places: self.trigger_places,
            certificate: &self.certificate,
        };
        let mut bytes = Vec::new();
        Container::write(&content, &mut bytes);
        bytes
    }

    /// The program in a container.
    ///
    /// # Errors
    /// What is wrong with the container.
    pub fn from_bytes(bytes: &[u8]) -> Result<Program, ContainerError> {
        let container = Container::read(bytes)?;
        Ok(Program {
            module: container.names().next().unwrap_or_default().to_owned(),
            start: container.start(),
            durations: container.durations().collect(),
            conditions: container.conditions().collect(),
            code: container.code().collect(),
            completions: container.completions().collect(),
            handlers: container.handlers().collect(),
            tasks: container.tasks().map(str::to_owned).collect(),
            drivers: container.drivers().map(str::to_owned).collect(),
            ports: container.ports().map(str::to_owned).collect(),
            trigger_places: container.trigger_places(),
            thread_places: container.thread_places(),
            certificate: container.certificate().collect(),
        })
    }

    /// The number of a duration in the pool, put there if it is new; nothing if the pool is full.
    pub fn duration(&mut self, duration: Duration) -> Option<u8> {
        number_in(&mut self.durations, duration)
    }

    /// The number of a condition in the pool, put there if it is new; nothing if the pool is full.
    pub fn condition(&mut self, condition: Condition) -> Option<u8> {
        number_in(&mut self.conditions, condition)
    }
}

/// The container counts a pool in one byte, so it has 255 places.
fn number_in<T: PartialEq>(pool: &mut Vec<T>, item: T) -> Option<u8> {
    let number = pool.iter().position(|other| *other == item).unwrap_or_else(|| {
        pool.push(item);
        pool.len() - 1
    });
    u8::try_from(number).ok().filter(|number| *number < u8::MAX)
}
