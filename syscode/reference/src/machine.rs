//! The event loop of the integrated machine (Algorithm 6).

use std::collections::{BTreeMap, BTreeSet};

use beryl_syscode::{Condition, Container, PortId};

use crate::state::{Awaited, Binding, Job, Program, Thread, Timeout, Trigger};
use crate::trace::{Entry, Event};
use crate::world::{Change, World};

/// Why a run can't go on: the program isn't one that may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trap {
    /// A word that isn't an instruction, an address outside the code, or a name outside the image.
    Meaningless {
        /// The program.
        program: usize,
        /// The address.
        address: usize,
    },
    /// More triggers than places.
    Triggers {
        /// The program.
        program: usize,
    },
    /// More threads than places.
    Threads {
        /// The program.
        program: usize,
    },
    /// One instant takes more than a hundred thousand instructions.
    Endless {
        /// The instant.
        at: u64,
    },
}

/// How many instructions an instant may take.
const PATIENCE: usize = 100_000;

/// The machine with its programs.
pub struct Machine {
    pub(crate) world: World,
    pub(crate) programs: Vec<Program>,
    pub(crate) now: u64,
    pub(crate) triggers: Vec<Binding>,
    pub(crate) threads: Vec<Thread>,
    /// Jobs that are released and not complete, by task.
    pub(crate) jobs: BTreeMap<usize, Job>,
    pub(crate) running: Option<usize>,
    pub(crate) ports: Vec<i32>,
    /// Tasks that some program dispatches.
    pub(crate) dispatched: BTreeSet<usize>,
    /// What happened at this instant.
    pub(crate) completed: Vec<usize>,
    pub(crate) interrupts: Vec<u16>,
    pub(crate) sensors: BTreeMap<usize, i32>,
    /// How often each sensor was read, each task released.
    pub(crate) readings: BTreeMap<usize, usize>,
    pub(crate) releases: BTreeMap<usize, usize>,
    pub(crate) patience: usize,
    /// Tasks of which a job was in the way since a program last asked.
    pub(crate) late: BTreeSet<usize>,
    /// How many releases are owed to a task whose job was in their way.
    pub(crate) owed: BTreeMap<usize, u8>,
    /// Whether some program did something at this instant.
    pub(crate) has_worked: bool,
    pub(crate) trace: Vec<Entry>,
}

impl Machine {
    /// A machine at its start.
    #[must_use]
    pub fn new(programs: &[Container<'_>], world: World) -> Machine {
        let programs: Vec<Program> = programs.iter().map(Program::of).collect();
        let begin = |(program, row): (usize, &Program)| Binding {
            program,
            trigger: Trigger::At(0),
            phase: 0,
            address: row.start,
        };
        Machine {
            triggers: programs.iter().enumerate().map(begin).collect(),
            dispatched: programs.iter().flat_map(Program::dispatched).collect(),
            ports: world.ports.clone(),
            world,
            programs,
            now: 0,
            threads: Vec::new(),
            jobs: BTreeMap::new(),
            running: None,
            completed: Vec::new(),
            interrupts: Vec::new(),
            sensors: BTreeMap::new(),
            readings: BTreeMap::new(),
            releases: BTreeMap::new(),
            patience: PATIENCE,
            late: BTreeSet::new(),
            owed: BTreeMap::new(),
            has_worked: false,
            trace: Vec::new(),
        }
    }

    /// Runs up to an instant, that one not included; answers all that happened.
    ///
    /// # Errors
    /// A trap, if a program turns out not to be one.
    pub fn run(self, until: u64) -> Result<Vec<Entry>, Trap> {
        match self.run_to_trap(until) {
            (trace, None) => Ok(trace),
            (_, Some((trap, _))) => Err(trap),
        }
    }

    /// The same; what happened is answered whether or not a trap ended it, with its instant.
    #[must_use]
    pub fn run_to_trap(mut self, until: u64) -> (Vec<Entry>, Option<(Trap, u64)>) {
        while self.now < until {
            if let Err(trap) = self.instant() {
                return (self.trace, Some((trap, self.now)));
            }
            self.choose();
            if !self.advance(until) {
                break;
            }
        }
        (self.trace, None)
    }

    pub(crate) fn note(&mut self, event: Event) {
        self.trace.push(Entry { at: self.now, event });
    }

    /// One instant: completed tasks, then enabled triggers, then expired timeouts, until there are none.
    fn instant(&mut self) -> Result<(), Trap> {
        self.patience = PATIENCE;
        // Ports of the environment change by themselves.
        self.has_worked = self
            .world
            .changes
            .iter()
            .any(|(at, change)| *at == self.now && matches!(change, Change::Port(..)));
        self.sensors.clear();
        for task in self.completed.clone() {
            self.enter_completions(task)?;
        }
        loop {
            if let Some(thread) = self.completed_thread() {
                self.interpret(thread.program, thread.then, thread.reference)?;
            } else if let Some(binding) = self.enabled_trigger() {
                self.interpret(binding.program, binding.address, self.now)?;
            } else if self.look_at_ports() {
                // They are enabled now, and have their turns by their phases.
            } else if let Some(thread) = self.expired_thread() {
                self.interpret(thread.program, thread.otherwise, thread.reference)?;
            } else {
                self.completed.clear();
                self.interrupts.clear();
                return Ok(());
            }
        }
    }

    fn enter_completions(&mut self, task: usize) -> Result<(), Trap> {
        for program in 0..self.programs.len() {
            let entries = self.programs.get(program).map(|row| row.completions.clone()).unwrap_or_default();
            for (_, address) in entries.into_iter().filter(|(other, _)| *other == task) {
                self.interpret(program, address, self.now)?;
            }
        }
        Ok(())
    }

    /// Takes a thread whose task has completed, or wasn't released at all.
    fn completed_thread(&mut self) -> Option<Thread> {
        let position = self.threads.iter().position(|thread| thread.is_done)?;
        Some(self.threads.remove(position))
    }

    /// A job has ended: the thread that has dispatched it will go on behind that.
    pub(crate) fn end_dispatch(&mut self, task: usize) {
        for thread in self.threads.iter_mut().filter(|thread| thread.task == Some(task)) {
            (thread.task, thread.is_done) = (None, true);
        }
    }

    /// Enables the triggers on ports whose conditions hold, and ends such timeouts. That is done when everything else of an
    /// instant is done, and some program did something: then ports have their values. Answers whether there are any.
    fn look_at_ports(&mut self) -> bool {
        if !self.has_worked {
            return false;
        }
        let holds = |binding: &Binding| binding.is_on_port() && self.is_enabled(binding);
        let enabled: Vec<bool> = self.triggers.iter().map(holds).collect();
        let now = self.now;
        for (binding, _) in self.triggers.iter_mut().zip(&enabled).filter(|(_, is_enabled)| **is_enabled) {
            binding.trigger = Trigger::At(now);
        }
        let is_over = |thread: &Thread| match &thread.timeout {
            Some(Timeout::When(awaited)) => awaited.is_on_port() && self.has_happened(awaited),
            _ => false,
        };
        let over: Vec<bool> = self.threads.iter().map(is_over).collect();
        for (thread, _) in self.threads.iter_mut().zip(&over).filter(|(_, is_over)| **is_over) {
            thread.timeout = Some(Timeout::Now);
        }
        enabled.contains(&true) || over.contains(&true)
    }

    /// Takes the first enabled trigger in the order of phase, program and setting.
    fn enabled_trigger(&mut self) -> Option<Binding> {
        let enabled = self.triggers.iter().enumerate();
        let enabled = enabled.filter(|(_, binding)| !binding.is_on_port() && self.is_enabled(binding));
        let first = enabled.min_by_key(|(position, binding)| (binding.phase, binding.program, *position));
        let position = first.map(|(position, _)| position)?;
        Some(self.triggers.remove(position))
    }

    fn is_enabled(&self, binding: &Binding) -> bool {
        match &binding.trigger {
            Trigger::When(awaited) => self.has_happened(awaited),
            Trigger::At(instant) => *instant == self.now,
        }
    }

    /// Whether what is waited for is so at this instant, and not the one at which the wait began.
    fn has_happened(&self, awaited: &Awaited) -> bool {
        self.now > awaited.since
            && match awaited.condition {
                Condition::Changed(port) => self.value(port) != awaited.before,
                Condition::Compare(port, relation, limit) => match self.value(port)[..] {
                    [number] => relation.holds(number, limit),
                    _ => false,
                },
                Condition::Completed(task) => self.completed.contains(&task.index()),
                Condition::Interrupt(line) => self.interrupts.contains(&line.0),
                Condition::Released(_) | Condition::Clock(_) | Condition::Round { .. } => false,
            }
    }

    /// What a port holds of which a condition speaks: more than one number, if it is longer.
    pub(crate) fn value(&self, port: PortId) -> Vec<i32> {
        let number = usize::from(port.0);
        let own = [number];
        let parts = self.world.values.get(&number).map_or(&own[..], Vec::as_slice);
        parts.iter().map(|part| self.port(*part)).collect()
    }

    /// Takes a thread whose timeout has expired: the one that holds a task before others.
    fn expired_thread(&mut self) -> Option<Thread> {
        let expired = self.threads.iter().enumerate().filter(|(_, thread)| self.is_expired(thread));
        let first = expired.min_by_key(|(position, thread)| (thread.task.is_none(), *position));
        let position = first.map(|(position, _)| position)?;
        Some(self.threads.remove(position))
    }

    fn is_expired(&self, thread: &Thread) -> bool {
        thread.timeout.as_ref().is_some_and(|timeout| self.has_expired(timeout))
    }

    pub(crate) fn has_expired(&self, timeout: &Timeout) -> bool {
        match timeout {
            Timeout::Now => true,
            Timeout::At(instant) => *instant <= self.now,
            Timeout::Released(task) => self.jobs.contains_key(task),
            // Those on ports are over as soon as they are looked at.
            Timeout::When(awaited) => !awaited.is_on_port() && self.has_happened(awaited),
        }
    }
}
