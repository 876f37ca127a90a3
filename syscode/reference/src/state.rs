//! What the machine keeps: trigger bindings, thread instances, jobs, programs.

use std::collections::BTreeSet;

use beryl_syscode::{Condition, Container, Exception, Instruction};

/// A program, unpacked.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub code: Vec<u32>,
    pub durations: Vec<u64>,
    pub conditions: Vec<Condition>,
    pub start: usize,
    pub completions: Vec<(usize, usize)>,
    pub handlers: Vec<(Exception, usize)>,
    pub trigger_places: usize,
    pub thread_places: usize,
    /// When it last changed its mode.
    pub changed: Option<u64>,
    /// What the last guard said.
    pub verdict: bool,
    /// How far its round has come at the instant that it set last.
    pub position: u64,
}

impl Program {
    pub fn of(container: &Container<'_>) -> Program {
        Program {
            code: container.code().collect(),
            durations: container.durations().map(|duration| duration.ticks()).collect(),
            conditions: container.conditions().collect(),
            start: usize::from(container.start()),
            completions: container
                .completions()
                .map(|(task, address)| (usize::from(task), usize::from(address)))
                .collect(),
            handlers: container
                .handlers()
                .map(|(exception, address)| (exception, usize::from(address)))
                .collect(),
            trigger_places: usize::from(container.trigger_places()),
            thread_places: usize::from(container.thread_places()),
            changed: None,
            verdict: false,
            position: 0,
        }
    }

    /// The tasks that its threads dispatch.
    pub fn dispatched(&self) -> BTreeSet<usize> {
        let instructions = self.code.iter().filter_map(|word| Instruction::decode(*word));
        let tasks = instructions.filter_map(|instruction| match instruction {
            Instruction::Dispatch { task } | Instruction::DispatchUntil { task, .. } => Some(task.index()),
            _ => None,
        });
        tasks.collect()
    }
}

/// What a binding waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trigger {
    /// An instant.
    At(u64),
    /// Something else.
    When(Awaited),
}

/// An event, from the instant after `since` on; with the port's value when the wait for it began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Awaited {
    pub condition: Condition,
    pub since: u64,
    pub before: Vec<i32>,
}

impl Awaited {
    /// Whether it is about a port's value.
    pub fn is_on_port(&self) -> bool {
        matches!(self.condition, Condition::Changed(_) | Condition::Compare(..))
    }
}

/// A trigger binding (g, a, s).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Binding {
    pub program: usize,
    pub trigger: Trigger,
    pub phase: u8,
    pub address: usize,
}

impl Binding {
    /// Whether it waits for a port's value.
    pub fn is_on_port(&self) -> bool {
        matches!(&self.trigger, Trigger::When(awaited) if awaited.is_on_port())
    }
}

/// A thread instance (t, b, m, a, s).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Thread {
    pub program: usize,
    /// The task, or nothing for the idle task.
    pub task: Option<usize>,
    /// Where it goes on when the task completes.
    pub then: usize,
    /// When it stops waiting; nothing for never.
    pub timeout: Option<Timeout>,
    /// Where it goes on then.
    pub otherwise: usize,
    /// The reference time.
    pub reference: u64,
    /// Whether its task has ended: it goes on behind its dispatch, whatever becomes of the task.
    pub is_done: bool,
}

/// A thread's timeout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Timeout {
    /// At once.
    Now,
    /// At an instant.
    At(u64),
    /// When the task is released and not complete.
    Released(usize),
    /// When something happens.
    When(Awaited),
}

/// A job of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Job {
    pub left: u64,
    pub released: u64,
    pub deadline: u64,
    pub has_started: bool,
    pub inputs: Vec<i32>,
    /// How many releases a handler has left out for it.
    pub left_out: u8,
}
