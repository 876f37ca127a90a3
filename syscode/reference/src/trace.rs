//! What happened, in order.

use std::fmt;

use beryl_syscode::Exception;

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A driver was carried out.
    Driver(usize),
    /// A sensor was read.
    Read(usize),
    /// A port took another value.
    Write(usize, i32),
    /// A task was released.
    Release(usize),
    /// A job began to run.
    Start(usize),
    /// A job was interrupted.
    Preempt(usize),
    /// A job went on.
    Resume(usize),
    /// A job was done.
    Complete(usize),
    /// A job was ended before it was done.
    Stop(usize),
    /// An exception, with the tasks that are in the way.
    Violation(Exception, Vec<usize>),
}

/// Something that happened, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The instant in ticks.
    pub at: u64,
    /// What happened.
    pub event: Event,
}

impl fmt::Display for Entry {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} ", self.at)?;
        match &self.event {
            Event::Driver(driver) => write!(out, "call d{driver}"),
            Event::Read(sensor) => write!(out, "read s{sensor}"),
            Event::Write(port, value) => write!(out, "p{port} = {value}"),
            Event::Release(task) => write!(out, "release t{task}"),
            Event::Start(task) => write!(out, "start t{task}"),
            Event::Preempt(task) => write!(out, "preempt t{task}"),
            Event::Resume(task) => write!(out, "resume t{task}"),
            Event::Complete(task) => write!(out, "complete t{task}"),
            Event::Stop(task) => write!(out, "stop t{task}"),
            Event::Violation(Exception::Safety, tasks) => write!(out, "time safety: {}", list(tasks)),
            Event::Violation(Exception::Share, tasks) => write!(out, "time sharing: {}", list(tasks)),
        }
    }
}

fn list(tasks: &[usize]) -> String {
    tasks.iter().map(|task| format!("t{task}")).collect::<Vec<_>>().join(" ")
}
